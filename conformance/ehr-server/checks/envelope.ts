/** The request envelope, batches, and the order in which faults are found (§2.1, decisions 3 to 8). */
import { check, done, type EhrCheck, type Expectation, http, refusedBy } from '../check.ts';
import { replyIn } from '../reply-in.ts';
import type { World } from '../world.ts';

const READ = 'patient.get_patient';

const call = (members: Record<string, unknown>) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: READ, params: {}, ...members });

/** Bodies by what is wrong with them, each with the refusal that it must meet. */
type Bodies = Readonly<Record<string, string>>;

const expectEach = (bodies: Bodies, expectation: Expectation) =>
  Object.fromEntries(Object.keys(bodies).map((label) => [label, expectation]));

async function sendEach(world: World, bodies: Bodies): Promise<void> {
  for (const [label, body] of Object.entries(bodies)) await world.send(label, world.post(body), { mistake: label });
}

const NOT_JSON: Bodies = {
  'half an object': '{"jsonrpc":"2.0","id":1,',
  'a word': 'hello',
  'an empty body': '',
};

const NO_REQUEST: Bodies = {
  'a number': '7',
  'a text': '"patient.get_patient"',
  null: 'null',
  'an empty batch': '[]',
  'an object without members': '{}',
};

const WRONG_VERSIONS: Bodies = {
  'without jsonrpc': call({ jsonrpc: undefined }),
  'jsonrpc 1.0': call({ jsonrpc: '1.0' }),
  'jsonrpc as a number': call({ jsonrpc: 2 }),
};

const WRONG_METHODS: Bodies = {
  'without method': call({ method: undefined }),
  'method as a number': call({ method: 1 }),
  'method null': call({ method: null }),
};

const UNKNOWN_METHODS: Bodies = {
  'an unknown method': call({ method: 'patient.get_everything' }),
  'in capitals': call({ method: READ.toUpperCase() }),
  'a name of every object': call({ method: 'constructor' }),
};

const PUBLISHED_NAMES: Bodies = {
  'auth.save_auth_info': call({ method: 'auth.save_auth_info' }),
  'auth.authenticate': call({ method: 'auth.authenticate' }),
};

const SIGN_INS: Bodies = {
  'auth.login': call({ method: 'auth.login', params: { user: 'anybody' } }),
  'auth.request_otp': call({ method: 'auth.request_otp', params: { phone: '79990000001' } }),
  'auth.confirm_otp': call({ method: 'auth.confirm_otp', params: { phone: '79990000001', code: '000000' } }),
};

const deep = `${'['.repeat(40)}${']'.repeat(40)}`;

const NOT_I_JSON: Bodies = {
  'a member twice': '{"jsonrpc":"2.0","id":1,"method":"patient.get_patient","params":{},"id":2}',
  'a member named __proto__': call({}).replace('"params":{}', '"params":{"__proto__":{}}'),
  'an unpaired surrogate': call({}).replace('"params":{}', '"params":{"a":"\\ud800"}'),
  'nested beyond 32 levels': call({}).replace('"params":{}', `"params":{"a":${deep}}`),
};

/** Requests that no service of this path takes, by the HTTP status that each must meet. */
const MAX_BATCH = 100;
const batchOf = (size: number) => JSON.stringify(Array.from({ length: size }, (_, id) => JSON.parse(call({ id }))));

export const envelopeChecks: readonly EhrCheck[] = [
  check({
    id: 'not-json-refused',
    title: 'A body that is not JSON is refused as parse_error',
    requirements: ['DE-parse-error'],
    expect: expectEach(NOT_JSON, refusedBy('parse_error')),
    play: (world) => sendEach(world, NOT_JSON),
    advice: 'Answer HTTP 200 with code -32700 and the id null.',
  }),
  check({
    id: 'no-request-refused',
    title: 'JSON that is no request envelope, or an empty batch, is refused as invalid_request',
    requirements: ['DE-invalid-request'],
    expect: expectEach(NO_REQUEST, refusedBy('invalid_request')),
    play: (world) => sendEach(world, NO_REQUEST),
    advice: 'Answer code -32600 where the JSON is no request object.',
  }),
  check({
    id: 'jsonrpc-checked',
    title: 'A request whose jsonrpc is missing or anything but "2.0" is refused as invalid_request',
    requirements: ['2.1-jsonrpc-checked'],
    expect: expectEach(WRONG_VERSIONS, refusedBy('invalid_request')),
    play: (world) => sendEach(world, WRONG_VERSIONS),
    advice: 'Compare jsonrpc with the text 2.0, and answer -32600 otherwise.',
  }),
  check({
    id: 'method-checked',
    title: 'A request whose method is missing or not a string is refused as invalid_request',
    requirements: ['2.1-method-checked'],
    expect: expectEach(WRONG_METHODS, refusedBy('invalid_request')),
    play: (world) => sendEach(world, WRONG_METHODS),
    advice: 'Answer -32600 where method is no string.',
  }),
  check({
    id: 'unknown-method-refused',
    title: 'A method that does not exist is refused as method_not_found',
    requirements: ['DE-method-not-found'],
    expect: expectEach(UNKNOWN_METHODS, refusedBy('method_not_found')),
    play: (world) => sendEach(world, UNKNOWN_METHODS),
    advice: 'Answer -32601 for any name that is not in the table, also for names of the language.',
  }),
  check({
    id: 'published-names-not-served',
    title: 'The methods are named embedded_storage.*; the names auth.* are not served',
    level: 'SHOULD',
    requirements: ['D35-method-names'],
    expect: expectEach(PUBLISHED_NAMES, refusedBy('method_not_found')),
    play: (world) => sendEach(world, PUBLISHED_NAMES),
    advice: 'Serve the names that clients send: embedded_storage.* and patient.get_patient.',
  }),
  check({
    id: 'no-sign-in-of-its-own',
    title: 'The EHR server offers no method with which an end user signs in',
    requirements: ['1-no-own-sign-in'],
    expect: expectEach(SIGN_INS, refusedBy('method_not_found')),
    play: (world) => sendEach(world, SIGN_INS),
    advice: 'Leave sign-in to the authorization server: a session comes from there alone.',
  }),
  check({
    id: 'params-checked',
    title: 'A request whose params are a text, a number, a boolean or a list with elements is refused',
    requirements: ['2.1-params-checked'],
    control: ['an object'],
    expect: {
      'a text': { kind: 'refused', reason: undefined },
      'a number': { kind: 'refused', reason: undefined },
      true: { kind: 'refused', reason: undefined },
      'a list': { kind: 'refused', reason: undefined },
    },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('a text', session, { envelope: { params: 'all' } });
      await world.getPatient('a number', session, { envelope: { params: 7 } });
      await world.getPatient('true', session, { envelope: { params: true } });
      await world.getPatient('a list', session, { envelope: { params: [1] } });
      await world.getPatient('an object', session);
    },
    advice: 'Take params as an object, as an empty list, or not at all.',
  }),
  check({
    id: 'empty-params-taken',
    title: 'Absent params and an empty list both mean an empty object, and unknown members are ignored',
    requirements: ['D5-empty-params', 'D5-unknown-members'],
    expect: { 'without params': done, 'an empty list': done, 'unknown members': done, 'unknown params': done },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('without params', session, { envelope: { params: undefined } });
      await world.getPatient('an empty list', session, { envelope: { params: [] } });
      await world.getPatient('unknown members', session, { envelope: { apiKey: { any: ['thing'] }, trace: 7 } });
      await world.getPatient('unknown params', session, { params: { language: 'en', nothing: null } });
    },
    advice: 'Ignore members that you do not know, whatever their value: clients of the field send apiKey.',
  }),
  check({
    id: 'id-returned',
    title: 'The reply carries the id of its request, in success and in error',
    requirements: ['2.1-id-echoed', 'D4-number-or-string', 'D3-null-id'],
    expect: { 'a number': done, 'a text': done, null: done, 'a number, refused': refusedBy('not_authorized') },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('a number', session, { envelope: { id: 4711 } });
      await world.getPatient('a text', session, { envelope: { id: 'b-4711' } });
      await world.getPatient('null', session, { envelope: { id: null } });
      await world.getPatient('a number, refused', world.session(), { envelope: { id: 4712 } });
    },
    judge({ of }) {
      const wanted = { 'a number': '4711', 'a text': 'b-4711', null: 'null', 'a number, refused': '4712' } as const;
      for (const label of Object.keys(wanted) as (keyof typeof wanted)[]) {
        const played = of(label);
        const id = replyIn(played)?.id;
        if (String(id) === wanted[label]) continue;
        return {
          expected: `the id ${wanted[label]}`,
          actual: `the id ${JSON.stringify(id) ?? 'absent'}`,
          shownBy: [played],
        };
      }
      return undefined;
    },
    advice: 'Copy the id of the request into its reply, also where the call is refused.',
  }),
  check({
    id: 'id-as-text',
    title: 'A number id comes back as text, where the server is said to do so',
    requirements: ['4-id-as-string'],
    expect: { 'a number': done },
    async play(world) {
      world.needReplyId('string');
      const { session } = await world.linked();
      await world.getPatient('a number', session, { envelope: { id: 4713 } });
    },
    judge({ of }) {
      const played = of('a number');
      const id = replyIn(played)?.id;
      return id === '4713'
        ? undefined
        : { expected: 'the id "4713"', actual: `the id ${JSON.stringify(id) ?? 'absent'}`, shownBy: [played] };
    },
    advice: 'Return the id as text, or state replyId: echo in the file where your clients expect numbers.',
  }),
  check({
    id: 'id-as-sent',
    title: 'An id comes back in the type in which it came, where the server is said to do so',
    requirements: ['D3-echo'],
    expect: { 'a number': done },
    async play(world) {
      world.needReplyId('echo');
      const { session } = await world.linked();
      await world.getPatient('a number', session, { envelope: { id: 4714 } });
    },
    judge({ of }) {
      const played = of('a number');
      const id = replyIn(played)?.id;
      return id === 4714
        ? undefined
        : { expected: 'the id 4714', actual: `the id ${JSON.stringify(id) ?? 'absent'}`, shownBy: [played] };
    },
    advice: 'Return the id in its own type, or state replyId: string in the file.',
  }),
  check({
    id: 'notification-carried-out',
    title: 'A request without an id is carried out and answered with HTTP 204 and no body',
    requirements: ['D3-notification'],
    expect: { 'log out without an id': http(204), 'read the patient': refusedBy('not_authorized') },
    async play(world) {
      const { session } = await world.linked();
      await world.removeAuthInfo('log out without an id', session, { envelope: { id: undefined } });
      await world.getPatient('read the patient', session);
    },
    judge({ of }) {
      const played = of('log out without an id');
      const body = played.exchanges[0]?.response?.body;
      return body === '' ? undefined : { expected: 'no body', actual: 'a body', shownBy: [played] };
    },
    advice: 'Carry out a call without id, and answer 204 with nothing else.',
  }),
  check({
    id: 'batch-in-order',
    title: 'A batch is carried out and answered with a list of replies, in the order of its calls',
    requirements: ['D6-batch', 'D6-batch-order'],
    expect: { 'a batch of three': http(200) },
    async play(world) {
      const { session } = await world.linked();
      const cred = { user: session.user, token: session.token };
      const calls = [
        JSON.parse(call({ id: 'first', cred })),
        JSON.parse(call({ id: 'second', method: 'no.method' })),
        JSON.parse(call({ id: 'third', cred })),
      ];
      await world.send('a batch of three', world.post(JSON.stringify(calls)));
    },
    judge({ of }) {
      const played = of('a batch of three');
      const replies = replyIn(played) as unknown;
      const said = Array.isArray(replies)
        ? replies.map((reply) => `${Object(reply).id}: ${'result' in Object(reply) ? 'result' : 'error'}`).join(', ')
        : 'no list';
      const expected = 'first: result, second: error, third: result';
      return said === expected ? undefined : { expected, actual: said, shownBy: [played] };
    },
    advice: 'Answer a list with a list, one reply for each call that has an id, in the order of the calls.',
  }),
  check({
    id: 'batch-limited',
    title: 'A batch of 100 calls is served; one of 101 is refused and none of its calls is carried out',
    requirements: ['D6-batch-limit'],
    control: ['read before'],
    expect: { 'a batch of 101': refusedBy('invalid_request'), 'read after': done },
    async play(world) {
      const { session } = await world.linked();
      const cred = { user: session.user, token: session.token };
      await world.getPatient('read before', session);
      const logout = { jsonrpc: '2.0', id: 1, method: 'embedded_storage.remove_auth_info', params: {}, cred };
      const tooMany = [logout, ...(JSON.parse(batchOf(MAX_BATCH)) as unknown[])];
      await world.send('a batch of 101', world.post(JSON.stringify(tooMany)));
      await world.getPatient('read after', session);
    },
    advice: 'Count the calls of a batch before the first is carried out.',
  }),
  check({
    id: 'batch-of-100-served',
    title: 'A batch of 100 calls is served',
    requirements: ['D6-batch-limit'],
    expect: { 'a batch of 100': http(200) },
    play: async (world) => void (await world.send('a batch of 100', world.post(batchOf(MAX_BATCH)))),
    judge({ of }) {
      const played = of('a batch of 100');
      const replies = replyIn(played) as unknown;
      if (Array.isArray(replies) && replies.length === MAX_BATCH) return undefined;
      return { expected: `${MAX_BATCH} replies`, actual: 'other than that', shownBy: [played] };
    },
    advice: 'Serve batches of up to 100 calls.',
  }),
  check({
    id: 'ambiguous-json-refused',
    title: 'A message with a member twice, an unpaired surrogate, __proto__ or deep nesting is refused',
    level: 'ADVICE',
    requirements: ['X-ijson'],
    expect: expectEach(NOT_I_JSON, refusedBy('invalid_request')),
    play: (world) => sendEach(world, NOT_I_JSON),
    advice: 'Refuse JSON that two parsers may read differently (RFC 7493).',
  }),
  check({
    id: 'order-of-checks',
    title: 'Of several faults in one call the one that stands first in the order of checks is told',
    requirements: [
      'D8-envelope-before-method',
      'D8-method-before-cred',
      'D8-cred-shape-before-params',
      'D8-params-before-cred-verified',
      'D8-cred-verified-before-method',
    ],
    expect: {
      'no jsonrpc, unknown method': refusedBy('invalid_request'),
      'unknown method, malformed cred': refusedBy('method_not_found'),
      'malformed cred, wrong params': refusedBy('not_authorized'),
      'wrong params, unknown session': refusedBy('invalid_params'),
      'unknown session, wrong digest': refusedBy('not_authorized'),
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const noVersion = call({ jsonrpc: undefined, method: 'no.method' });
      await world.send('no jsonrpc, unknown method', world.post(noVersion));
      const noMethod = call({ method: 'no.method', cred: { user: 1 } });
      await world.send('unknown method, malformed cred', world.post(noMethod));
      await world.saveAuthInfo('malformed cred, wrong params', { ...session, ttl: 0 }, userSign, { cred: { user: 1 } });
      const wrong = { user: session.user, token: '', ttl: 0 };
      const cred = { user: world.settings.internal.user, token: '0'.repeat(40) };
      await world.saveAuthInfo('wrong params, unknown session', wrong, userSign, { cred });
      await world.saveAuthInfo('unknown session, wrong digest', session, userSign, { cred });
    },
    advice: 'Check in this order: JSON, envelope, method, channel, shape of cred, params, cred itself, method.',
  }),
];

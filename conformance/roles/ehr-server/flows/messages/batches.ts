/** Checks of bodies: each call of a batch is judged by itself, and an odd body opens nothing. */
import { membersOf } from '#protocol/wire/envelope.ts';
import { sendHalf } from '../../../../engine/party/requests/send.ts';
import { type EhrFlow, flow, nothingNoted, nothingWrong } from '../../flow.ts';
import { type Called, inside } from '../../world/calls.ts';
import { callOf, headerIn, jsonOf, METHODS, pairOf, readCall, recordIn } from '../../world/messages.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';

/** What a reply must be: with this id, and the record of this id, or else an error. */
type Wanted = { id: number | null; record?: string | undefined };

function faultOf({ answer }: Called, wanted: readonly Wanted[]): string {
  const replies = jsonOf(answer);
  if (!Array.isArray(replies)) return 'no list of replies';
  if (replies.length !== wanted.length) return `${replies.length} replies instead of ${wanted.length}`;
  for (const [index, { id, record }] of wanted.entries()) {
    const reply = membersOf(replies[index]);
    const place = `reply ${index + 1} of ${wanted.length}`;
    if (String(reply.id) !== String(id)) return `${place} has the id of another call`;
    if (record === undefined && 'result' in reply)
      return `${place} is a success, where its call has no right to one`;
    if (record !== undefined && String(recordIn(reply).id ?? '') !== record)
      return `${place} ${'result' in reply ? 'has the record of another user' : 'is an error'}`;
  }
  return '';
}

const NO_BATCHES = 'the server takes no batches';

/** A call with this id. Without an id it is a notification, which is not answered. */
const request = (id: number | undefined, method: string, params: object, cred?: unknown) => ({
  ...callOf(method, params, cred),
  id,
});

const readOf = (id: number | undefined, cred: unknown) => request(id, METHODS.getPatient, {}, cred);

const credOf = ({ session }: Linked) => pairOf(session);

/** Notes what is wrong with the replies. The interface demands no batches. */
async function sendBatch(
  world: EhrWorld,
  label: string,
  calls: readonly unknown[],
  wanted: readonly Wanted[],
) {
  const called = await world.answers(world.sendJson(label, calls), 200);
  world.needs(Array.isArray(jsonOf(called.answer)), NO_BATCHES);
  world.observe(label, { fault: faultOf(called, wanted) });
}

function readsOfTwo(mine: Linked, other: Linked): { calls: unknown[]; wanted: Wanted[] } {
  const [own, others] = [credOf(mine), credOf(other)];
  const reads: readonly [cred: unknown, record?: string][] = [
    [own, mine.recordId],
    [undefined],
    [null],
    [others, other.recordId],
    [{ user: own.user }],
    [{ user: own.user, token: others.token }],
    [{ user: others.user, token: own.token }],
    [own, mine.recordId],
    [others, other.recordId],
  ];
  // The ids count down, so that a server cannot take the place of a call for its id.
  const [first, ...calls] = reads.map(([cred], at) => readOf(reads.length - at, cred));
  const wanted = reads.map(([, record], at) => ({ id: reads.length - at, record }));
  return { calls: [first, readOf(undefined, others), ...calls], wanted };
}

export const batchFlows: readonly EhrFlow[] = [
  flow('calls-of-batch-apart', {
    title: 'Each call of a batch is judged by its own cred, and its reply is its own',
    requirements: ['2.1-id-echoed', '4.4-record-and-sign'],
    judge: nothingNoted(
      'a reply for each call, about its own user',
      'reads of two users and of nobody',
      'reads of one id',
      'reads around no call',
    ),
    advice:
      'Handle each call of a batch from scratch: its cred, its params, its id; keep nothing from the one before.',
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      const { calls, wanted } = readsOfTwo(mine, other);
      await sendBatch(world, 'reads of two users and of nobody', calls, wanted);
      const users = [mine, other, other, mine];
      const alike = users.map((linked) => readOf(7, credOf(linked)));
      const records = users.map(({ recordId: record }) => ({ id: 7, record }));
      await sendBatch(world, 'reads of one id', alike, records);
      // The entry 1 is no call: its reply is an error with the id null. The reads beside it succeed.
      const around = [readOf(2, credOf(mine)), 1, readOf(1, credOf(mine))];
      const record = mine.recordId;
      const replies = [{ id: 2, record }, { id: null }, { id: 1, record }];
      await sendBatch(world, 'reads around no call', around, replies);
    },
  }),
  flow('saves-of-batch-apart', {
    title: 'Each internal call of a batch needs its own digest, and each authenticate its own properties',
    requirements: ['4.1-cred-required', '4.2-cred-required', '5.1-digest-verified'],
    advice: 'Verify the digest of each call of a batch by itself, over the secret of that very call.',
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      const next = (linked: Linked) => world.session(linked.session.user);
      const [right, bare, borrowed] = [next(mine), next(other), next(other)];
      const [saved, unsigned] = [world.invented('exchange-token'), world.invented('exchange-token')];
      const { saveAuthInfo: save, saveExchangeToken: announce } = METHODS;
      const session = next(mine);
      const calls = [
        request(1, announce, { exchangeToken: saved, authInfo: session }, world.internalCred(saved)),
        request(2, announce, { exchangeToken: unsigned, authInfo: session }),
        request(3, save, { authInfo: right }, world.internalCred(mine.userSign)),
        request(4, save, { authInfo: bare }),
        request(5, save, { authInfo: borrowed }, world.internalCred(mine.userSign)),
      ];
      const body = inside(world.parts, world.post(JSON.stringify(calls)));
      const { answer } = await world.send('a batch of saves', body, { isInternal: true })();
      const isServed = Array.isArray(jsonOf(answer));
      if (isServed) await world.control(world.getPatient('read with the session of the right save', right));
      await world.refuses(world.getPatient('read with a session saved without cred', bare), 'not_authorized');
      const read = world.getPatient("read with a session saved over another's digest", borrowed);
      await world.refuses(read, 'not_authorized');
      const pending = { exchangeToken: unsigned, session, person: mine.person };
      const use = world.authenticate('use the exchange token saved without cred', pending);
      await world.refuses(use, 'exchange_token_unknown');
      world.needs(isServed, NO_BATCHES);
    },
  }),
];

/** Levels that overflow the stack of a recursive parser, in a body below size limits. */
const DEPTH = 100_000;
const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

const BODIES = {
  null: 'null',
  'a number': '5',
  true: 'true',
  'a list of null': '[null]',
  'a list of lists': '[[[]]]',
  'a byte order mark': `\ufeff${readCall({})}`,
  'a byte order mark alone': '\ufeff',
  'a bad escape': '{"jsonrpc":"2.0","id":"\\x"}',
  'a cut body': readCall({}).slice(0, 20),
  'a hundred thousand levels': deep,
  'params of a hundred thousand levels': readCall({}).replace('"params":{}', `"params":${deep}`),
  'cred of null members': readCall({ cred: { user: null, token: null } }),
  'cred a text': readCall({ cred: 'a' }),
  'cred a number': readCall({ cred: 5 }),
  'cred a list': readCall({ cred: ['a', 'b'] }),
  'an id that is an object': readCall({ id: { a: 1 } }),
};

/** Sent with the cred of a session: many servers look at params after that. */
const PARAMS = { 'params null': null, 'params a text': 'a', 'params a number': 5, 'params true': true };

const firstHalf = (text: string) => text.slice(0, text.length / 2);

/** Texts that a loose search, by LIKE say, takes for an exchange token. */
const ALIKE = {
  'its first half': firstHalf,
  'cut by one character': (token: string) => token.slice(0, -1),
  'one character more': (token: string) => `${token}A`,
  'in small letters': (token: string) => token.toLowerCase(),
  'in capitals': (token: string) => token.toUpperCase(),
  'a percent sign': () => '%',
  'its beginning and a percent sign': (token: string) => `${firstHalf(token)}%`,
};

const EXCHANGE_TOKEN_MEMBER = /"exchangeToken":"[^"]*"/;

export const oddBodyFlows: readonly EhrFlow[] = [
  flow('odd-bodies-answered', {
    title: 'After null, deep nesting or half a request the next call is served',
    requirements: ['K-malformed-refused'],
    advice:
      'Read the body in one place, catch whatever it throws, and answer -32700 or -32600; wait for no client while others call.',
    async play(world) {
      const { session } = await world.linked();
      await world.control(world.getPatient('read before', session));
      const cred = pairOf(session);
      const withCred = Object.entries(PARAMS).map(
        ([name, params]) => [name, readCall({ params, cred })] as const,
      );
      for (const [name, body] of [...Object.entries(BODIES), ...withCred]) {
        const isBig = body.length > DEPTH;
        await world.survives(world.send(name, world.post(body), { isBig, mistake: name }));
        await world.succeeds(world.getPatient('read afterwards', session));
      }
      // A server that serves one call at a time waits for each client.
      if (world.parts.pace.isOneAtATime) return;
      const half = await sendHalf(world.parts.publicUrl);
      await world.succeeds(world.getPatient('read beside half a request', session)).finally(half.close);
    },
  }),
  flow('like-exchange-token-refused', {
    title: 'A text that resembles an exchange token of somebody else opens nothing',
    requirements: ['7-exchange-token-unknown'],
    advice: 'Look the exchange token up by equality of all its characters, best by its hash.',
    async play(world) {
      const pending = await world.pending();
      for (const [label, change] of Object.entries(ALIKE)) {
        const exchangeToken = change(pending.exchangeToken);
        await world.refuses(world.authenticate(label, { ...pending, exchangeToken }, { mistake: label }));
      }
      await world.control(world.authenticate('the exchange token itself', pending));
    },
  }),
  flow('doubled-member-opens-nothing', {
    title:
      'Of an exchange token that stands twice in a save, none is stored but the one that the digest is over',
    requirements: ['5.2-digest-verified'],
    advice: 'Parse the body once and verify what was parsed; refuse a member that stands twice.',
    async play(world) {
      const person = await world.patient();
      for (const place of ['first', 'last']) {
        const session = world.session();
        const [signed, other] = [world.invented('exchange-token'), world.invented('exchange-token')];
        const order = place === 'first' ? [other, signed] : [signed, other];
        const members = order.map((token) => `"exchangeToken":${JSON.stringify(token)}`).join(',');
        const params = { exchangeToken: signed, authInfo: session };
        const call = callOf(METHODS.saveExchangeToken, params, world.internalCred(signed));
        const body = JSON.stringify(call).replace(EXCHANGE_TOKEN_MEMBER, members);
        await world.send('save one of two', inside(world.parts, world.post(body)), { isInternal: true })();
        const pending = { exchangeToken: other, session, person };
        await world.refuses(world.authenticate(`use the other, which came ${place}`, pending));
      }
      const token = world.invented('exchange-token');
      await world.control(
        world.saveExchangeToken('an exchange token that stands once', token, world.session()),
      );
    },
  }),
  flow('record-not-cached', {
    title: 'Replies with a record carry Cache-Control: no-store',
    requirements: ['K-tokens-not-cached'],
    judge: nothingWrong('Cache-Control: no-store', ['authenticate', 'read the patient'], (played) => {
      const control = headerIn(played.exchanges[0]?.response, 'cache-control') ?? '';
      return !/\bno-store\b/i.test(control) && 'a reply without it';
    }),
    advice: 'Send Cache-Control: no-store with every reply: patient data must stay in no cache.',
    async play(world) {
      const { session } = await world.succeeds(world.signIn('authenticate'));
      await world.succeeds(world.getPatient('read the patient', session));
    },
  }),
];

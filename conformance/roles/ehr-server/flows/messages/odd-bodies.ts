/** Bodies that break servers: each is answered, and the next call is served. */
import { check, done, type EhrCheck, type EhrExpectation, labelled, refused } from '../../check.ts';
import { headerIn } from '../../world/header-in.ts';
import { propertiesOf } from '../../world/patients.ts';
import { readCall } from './read-call.ts';

/** Deep enough to end a recursive reader, and far below any limit of size. */
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
  'params null': readCall({ params: null }),
  'cred of null members': readCall({ cred: { user: null, token: null } }),
  'an id that is an object': readCall({ id: { a: 1 } }),
} as const;

type Name = keyof typeof BODIES;

/** The server neither fails nor stays silent. */
const survives: EhrExpectation = {
  kind: 'other',
  judge(_label, played) {
    const failed = played.find(({ exchanges, result }) => {
      const status = exchanges[0]?.response?.status;
      const isFault = result.kind === 'failed' && result.what === 'server-error';
      return status === undefined || status >= 500 || isFault;
    });
    return failed && { expected: 'it is refused, or served', actual: 'the server failed', shownBy: [failed] };
  },
};

const EXCHANGE_TOKEN_MEMBER = /"exchangeToken":"[^"]*"/;

export const oddBodyChecks: readonly EhrCheck[] = [
  check({
    id: 'odd-bodies-answered',
    title: 'null, a byte order mark, deep nesting and the like are answered, and the next call is served',
    requirements: ['DE-parse-error', 'DE-invalid-request'],
    control: ['read before'],
    expect: { 'read afterwards': done, ...labelled(BODIES, survives) },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('read before', session);
      for (const [name, body] of Object.entries(BODIES) as [Name, string][]) {
        const isBig = body.length > DEPTH;
        await world.send(name, world.post(body), { isBig, mistake: name });
        await world.getPatient('read afterwards', session);
      }
    },
    advice: 'Read the body in one place, catch whatever it throws, and answer -32700 or -32600.',
  }),
  check({
    id: 'like-exchange-token-refused',
    title: 'A text that resembles an exchange token of somebody else opens nothing',
    requirements: ['7-exchange-token-unknown', 'DE-exchange-token-unknown'],
    control: ['the exchange token itself'],
    expect: {
      'its first half': refused(),
      'cut by one character': refused(),
      'one character more': refused(),
      'in small letters': refused(),
      'in capitals': refused(),
      'a percent sign': refused(),
      'its beginning and a percent sign': refused(),
    },
    async play(world) {
      const pending = await world.pending();
      const { exchangeToken: token, person } = pending;
      const half = token.slice(0, token.length / 2);
      const alike = {
        'its first half': half,
        'cut by one character': token.slice(0, -1),
        'one character more': `${token}A`,
        'in small letters': token.toLowerCase(),
        'in capitals': token.toUpperCase(),
        'a percent sign': '%',
        'its beginning and a percent sign': `${half}%`,
      };
      for (const label of Object.keys(alike) as (keyof typeof alike)[])
        await world.authenticate(label, { ...pending, exchangeToken: alike[label] }, propertiesOf(person), {
          mistake: label,
        });
      await world.authenticate('the exchange token itself', pending, propertiesOf(person));
    },
    advice: 'Look the exchange token up by equality of all its characters, best by its hash.',
  }),
  check({
    id: 'doubled-member-opens-nothing',
    title:
      'Of an exchange token that stands twice in a save, none is stored but the one that the digest is over',
    requirements: ['5.2-digest-verified', '4.2-cred-required'],
    control: ['an exchange token that stands once'],
    expect: { 'use the other, which came first': refused(), 'use the other, which came last': refused() },
    further: ['save one of two'],
    async play(world) {
      const person = await world.patient();
      for (const place of ['first', 'last'] as const) {
        const session = world.session();
        const [signed, other] = [world.invented('exchange-token'), world.invented('exchange-token')];
        const order = place === 'first' ? [other, signed] : [signed, other];
        const members = order.map((token) => `"exchangeToken":${JSON.stringify(token)}`).join(',');
        const cred = world.internalCred(signed);
        const params = { exchangeToken: signed, authInfo: session };
        const call = { jsonrpc: '2.0', id: 1, method: 'embedded_storage.save_exchange_token', params, cred };
        const body = JSON.stringify(call).replace(EXCHANGE_TOKEN_MEMBER, members);
        const asked = { ...world.post(body), url: world.internalUrl };
        await world.send('save one of two', asked, { isInternal: true });
        const pending = { exchangeToken: other, session, person };
        await world.authenticate(`use the other, which came ${place}`, pending, propertiesOf(person));
      }
      const token = world.invented('exchange-token');
      await world.saveExchangeToken('an exchange token that stands once', token, world.session());
    },
    advice: 'Parse the body once and verify what was parsed; refuse a member that stands twice.',
  }),
  check({
    id: 'ids-of-saves-differ',
    title: 'Each stored record has an id of its own, also after others were removed',
    level: 'SHOULD',
    requirements: ['D17-saves-return-id'],
    expect: { 'save an exchange token': done, 'save a session': done },
    further: ['disconnect'],
    async play(world) {
      for (let round = 0; round < 3; round++) {
        const { session, userSign } = await world.linked();
        await world.saveExchangeToken('save an exchange token', world.invented('exchange-token'), session);
        await world.saveAuthInfo('save a session', world.session(session.user), userSign);
        await world.removeAuthentication('disconnect', session);
      }
    },
    judge({ all }) {
      for (const label of ['save an exchange token', 'save a session'] as const) {
        const known = new Set<string>();
        for (const played of all(label)) {
          const id = played.result.kind === 'done' ? played.result.values.id : undefined;
          if (id === undefined) continue;
          if (known.has(id))
            return { expected: 'an id of its own', actual: 'that of another record', shownBy: [played] };
          known.add(id);
        }
      }
      return undefined;
    },
    advice: 'Draw the id of each record, or take it from a sequence that never goes back.',
  }),
  check({
    id: 'record-not-cached',
    title: 'Replies with a record carry Cache-Control: no-store',
    level: 'ADVICE',
    requirements: ['4.4-record-and-sign'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const pending = await world.pending();
      await world.authenticate('authenticate', pending, propertiesOf(pending.person));
      await world.getPatient('read the patient', pending.session);
    },
    judge({ of }) {
      const cached = [of('authenticate'), of('read the patient')].find(({ exchanges }) => {
        return !/\bno-store\b/i.test(headerIn(exchanges[0]?.response, 'cache-control') ?? '');
      });
      return (
        cached && { expected: 'Cache-Control: no-store', actual: 'a reply without it', shownBy: [cached] }
      );
    },
    advice: 'Send Cache-Control: no-store with every reply: patient data must stay in no cache.',
  }),
];

/** Checks that odd input neither breaks an EHR server nor opens anything: bodies, tokens, ids, headers. */

import {
  check,
  done,
  type EhrCheck,
  entriesOf,
  labelled,
  nothingWrong,
  refused,
  survives,
} from '../../check.ts';
import { callOf, METHODS, readCall } from '../../world/messages.ts';
import { headerIn } from '../../world/played.ts';

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
  'params null': readCall({ params: null }),
  'cred of null members': readCall({ cred: { user: null, token: null } }),
  'an id that is an object': readCall({ id: { a: 1 } }),
} as const;

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

export const oddBodyChecks: readonly EhrCheck[] = [
  check({
    id: 'odd-bodies-answered',
    title: 'null, a byte order mark, deep nesting and the like are answered, and the next call is served',
    requirements: ['K-malformed-refused'],
    control: ['read before'],
    expect: { 'read afterwards': done, ...labelled(BODIES, survives) },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('read before', session);
      for (const [name, body] of entriesOf(BODIES)) {
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
    requirements: ['7-exchange-token-unknown'],
    control: ['the exchange token itself'],
    expect: labelled(ALIKE, refused()),
    async play(world) {
      const pending = await world.pending();
      for (const [label, change] of entriesOf(ALIKE)) {
        const exchangeToken = change(pending.exchangeToken);
        await world.authenticate(label, { ...pending, exchangeToken }, { mistake: label });
      }
      await world.authenticate('the exchange token itself', pending);
    },
    advice: 'Look the exchange token up by equality of all its characters, best by its hash.',
  }),
  check({
    id: 'doubled-member-opens-nothing',
    title:
      'Of an exchange token that stands twice in a save, none is stored but the one that the digest is over',
    requirements: ['5.2-digest-verified'],
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
        const params = { exchangeToken: signed, authInfo: session };
        const call = callOf(METHODS.saveExchangeToken, params, world.internalCred(signed));
        const body = JSON.stringify(call).replace(EXCHANGE_TOKEN_MEMBER, members);
        const asked = { ...world.post(body), url: world.parts.internalUrl };
        await world.send('save one of two', asked, { isInternal: true });
        const pending = { exchangeToken: other, session, person };
        await world.authenticate(`use the other, which came ${place}`, pending);
      }
      const token = world.invented('exchange-token');
      await world.saveExchangeToken('an exchange token that stands once', token, world.session());
    },
    advice: 'Parse the body once and verify what was parsed; refuse a member that stands twice.',
  }),
  check({
    id: 'record-not-cached',
    title: 'Replies with a record carry Cache-Control: no-store',
    requirements: ['K-tokens-not-cached'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const pending = await world.signIn('authenticate');
      await world.getPatient('read the patient', pending.session);
    },
    judge: nothingWrong('Cache-Control: no-store', ['authenticate', 'read the patient'], ({ exchanges }) => {
      const control = headerIn(exchanges[0]?.response, 'cache-control') ?? '';
      return !/\bno-store\b/i.test(control) && 'a reply without it';
    }),
    advice: 'Send Cache-Control: no-store with every reply: patient data must stay in no cache.',
  }),
];

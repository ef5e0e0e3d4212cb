/** Defects of envelopes: what is taken as a request, and in which order faults are told. */
import type { Reason } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { ANY } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before, both, type EhrTurn, instead, success } from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE, SAVE } from '../methods.ts';
import { answersBodies, inBodies, inObjects } from './bodies.ts';

const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

const isJson = (text: string) => tryJson(text) !== undefined;

/** Serve methods under further names. */
const alsoNamed = (names: Readonly<Record<string, string>>) =>
  before(Object.keys(names), ({ call }) => ({ ...call, method: names[call.method] ?? '' }));

/** Say one fault before another, where both are there. */
const saysFirst = (isBoth: (turn: EhrTurn) => boolean, reason: Reason) => instead(isBoth, () => no(reason));

/** Reply by an internal error to some bodies. */
const failsAt = (isOdd: (text: string) => boolean): EhrChange =>
  answersBodies((text) => (isOdd(text) ? error(-32603, 'Internal error') : undefined));

/** Store both of two exchange tokens, of which one was verified. */
const opensDoubled = both(
  before(ANY, ({ text, seen }) => {
    const tokens = [...text.matchAll(/"exchangeToken":"([^"]*)"/g)].map(([, token]) => token);
    for (const token of tokens.length > 1 ? tokens : []) seen.notes('doubled').set(token, true);
  }),
  instead(AUTHENTICATE, (turn) =>
    turn.seen.notes('doubled').has(turn.params.exchangeToken) ? success(turn) : undefined,
  ),
);

export const envelopeDefects = defects({
  'not-json-as-request': {
    title: 'A body that is not JSON is refused like a wrong request',
    change: answersBodies((text) => (isJson(text) ? undefined : error(-32600, 'no'))),
    caughtBy: 'not-json-refused',
  },
  'empty-batch-answered': {
    title: 'An empty batch is answered with an empty list',
    change: answersBodies((text) => (text === '[]' ? '[]' : undefined)),
    caughtBy: 'no-request-refused',
    seenIn: ['lambdaclass/ethrex#6690'],
  },
  'null-as-parse-error': {
    title: 'null is refused like a body that is not JSON',
    change: answersBodies((text) => (text === 'null' ? error(-32700, 'no') : undefined)),
    caughtBy: 'no-request-refused',
  },
  'jsonrpc-not-compared': {
    title: 'jsonrpc is never compared',
    change: inObjects((call) => ({ ...call, jsonrpc: '2.0' })),
    caughtBy: 'jsonrpc-checked',
  },
  'method-as-text': {
    title: 'A method that is no text is made one',
    change: inObjects((call) => ({ ...call, method: String(call.method) })),
    caughtBy: 'method-checked',
  },
  'methods-on-object': {
    title: 'The names of methods are looked up on an object of the language',
    change: instead('constructor', () => yes()),
    caughtBy: 'unknown-method-refused',
  },
  'methods-in-any-case': {
    title: 'The names of methods are compared without regard to capitals',
    change: before(ANY, ({ call }) => ({ ...call, method: call.method.toLowerCase() })),
    caughtBy: 'unknown-method-refused',
  },
  'published-names-served': {
    title: 'The methods are served as auth.*, too',
    change: alsoNamed({ 'auth.save_auth_info': SAVE, 'auth.authenticate': AUTHENTICATE }),
    caughtBy: 'published-names-not-served',
  },
  'own-sign-in': {
    title: 'Users sign in at the EHR server itself',
    change: instead(['auth.login', 'auth.request_otp', 'auth.confirm_otp'], () => yes({ token: 'a' })),
    caughtBy: 'no-sign-in-of-its-own',
  },
  'params-as-text-ignored': {
    title: 'params that are no object are ignored',
    change: inObjects((call) => (typeof call.params === 'object' ? call : { ...call, params: {} })),
    caughtBy: 'params-checked',
  },
  'params-as-list-ignored': {
    title: 'params that are a list are ignored',
    change: inObjects((call) => (Array.isArray(call.params) ? { ...call, params: {} } : call)),
    caughtBy: 'params-checked',
  },
  'empty-list-refused': {
    title: 'An empty list as params is refused',
    change: saysFirst(({ call }) => Array.isArray(call.params), 'invalid_params'),
    caughtBy: 'empty-params-taken',
  },
  'doubled-members-taken': {
    title: 'Of a member that stands twice the last counts',
    change: inBodies((text) => (isJson(text) ? JSON.stringify(JSON.parse(text)) : text)),
    caughtBy: 'ambiguous-json-refused',
    seenIn: ['AdaCore/gnatcoll-core#3'],
  },
  'doubled-member-stored': {
    title: 'Of two exchange tokens one is verified, and the other is stored',
    change: opensDoubled,
    caughtBy: 'doubled-member-opens-nothing',
    seenIn: ['AdaCore/gnatcoll-core#3', 'Flowfin/jellyfin-plugin-sso#1005'],
  },
  'cred-before-method': {
    title: 'The shape of cred is looked at before the method',
    change: saysFirst(({ call }) => call.method.startsWith('no.') && 'cred' in call, 'not_authorized'),
    caughtBy: 'order-of-checks',
  },
  'params-before-cred': {
    title: 'The params are looked at before the shape of cred',
    change: saysFirst(({ call, authInfo }) => call.method === SAVE && authInfo.ttl === 0, 'invalid_params'),
    caughtBy: 'order-of-checks',
  },
  'cred-before-params': {
    title: 'The cred is verified before the params are looked at',
    change: saysFirst(
      ({ call, cred }) => call.method === SAVE && cred.token === '0'.repeat(40),
      'not_authorized',
    ),
    caughtBy: 'order-of-checks',
  },
  'null-ends-the-call': {
    title: 'null ends the call without a reply',
    change: answersBodies((text) => (text === 'null' ? '' : undefined)),
    caughtBy: 'no-request-refused',
  },
  'null-in-list-fails': {
    title: 'A list of null makes the server fail',
    change: failsAt((text) => text === '[null]'),
    caughtBy: 'odd-bodies-answered',
    seenIn: ['uber-archive/multitransport-jsonrpc#64'],
  },
  'params-null-fails': {
    title: 'params of null make the server fail',
    change: failsAt((text) => text.includes('"params":null')),
    caughtBy: 'odd-bodies-answered',
    seenIn: ['hiero-ledger/hiero-json-rpc-relay#5742'],
  },
});

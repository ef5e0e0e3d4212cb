/**
 * Defects of an EHR server in the envelope of JSON-RPC: what it takes for a call, and which of several faults
 * it tells first. A key is the check that must find the defects below it. A text `id: title` begins a defect;
 * its change of the right server follows, then `owner/repo#number` of public systems that had the defect.
 */
import type { Reason } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { ANY } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before, both, type EhrTurn, instead, success } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, SAVE } from '../methods.ts';
import { answersBodies, inBodies, inObjects } from './bodies.ts';

/** The body of an error reply to a body without a usable id. */
const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

const isJson = (text: string) => tryJson(text) !== undefined;

/** Serve methods under further names. The key is the further name, the value the method. */
const alsoNamed = (names: Readonly<Record<string, string>>) =>
  before(Object.keys(names), ({ call }) => ({ ...call, method: names[call.method] ?? '' }));

/** In calls with two faults, tell the one that a right server does not tell. */
const saysFirst = (isBoth: (turn: EhrTurn) => boolean, reason: Reason) => instead(isBoth, () => no(reason));

/** Answer bodies that `isOdd` picks with an internal error. */
const failsAt = (isOdd: (text: string) => boolean): EhrChange =>
  answersBodies((text) => (isOdd(text) ? error(-32603, 'Internal error') : undefined));

/** Store both exchange tokens of a body that has the member twice, of which the digest verifies one. */
const opensDoubled = both(
  before(ANY, ({ text, seen }) => {
    const tokens = [...text.matchAll(/"exchangeToken":"([^"]*)"/g)].map(([, token]) => token);
    for (const token of tokens.length > 1 ? tokens : []) seen.notes('doubled').set(token, true);
  }),
  instead(AUTHENTICATE, (turn) =>
    turn.seen.notes('doubled').has(turn.params.exchangeToken) ? success(turn) : undefined,
  ),
);

export const envelopeDefects = foundBy({
  'not-json-refused': [
    'not-json-as-request: A body that is not JSON is refused like a wrong request',
    answersBodies((text) => (isJson(text) ? undefined : error(-32600, 'no'))),
  ],
  'no-request-refused': [
    'empty-batch-answered: An empty batch is answered with an empty list',
    answersBodies((text) => (text === '[]' ? '[]' : undefined)),
    'lambdaclass/ethrex#6690',
    'null-as-parse-error: null is refused like a body that is not JSON',
    answersBodies((text) => (text === 'null' ? error(-32700, 'no') : undefined)),
    'null-ends-the-call: null ends the call without a reply',
    answersBodies((text) => (text === 'null' ? '' : undefined)),
  ],
  'jsonrpc-checked': [
    'jsonrpc-not-compared: jsonrpc is never compared',
    inObjects((call) => ({ ...call, jsonrpc: '2.0' })),
  ],
  'method-checked': [
    'method-as-text: A method that is no text is made one',
    inObjects((call) => ({ ...call, method: String(call.method) })),
  ],
  'unknown-method-refused': [
    'methods-on-object: The names of methods are looked up on an object of the language',
    instead('constructor', () => yes()),
    'methods-in-any-case: The names of methods are compared without regard to capitals',
    before(ANY, ({ call }) => ({ ...call, method: call.method.toLowerCase() })),
  ],
  'published-names-not-served': [
    'published-names-served: The methods are served as auth.*, too',
    alsoNamed({ 'auth.save_auth_info': SAVE, 'auth.authenticate': AUTHENTICATE }),
  ],
  'no-sign-in-of-its-own': [
    'own-sign-in: Users sign in at the EHR server itself',
    instead(['auth.login', 'auth.request_otp', 'auth.confirm_otp'], () => yes({ token: 'a' })),
  ],
  'params-checked': [
    'params-as-text-ignored: params that are no object are ignored',
    inObjects((call) => (typeof call.params === 'object' ? call : { ...call, params: {} })),
    'params-as-list-ignored: params that are a list are ignored',
    inObjects((call) => (Array.isArray(call.params) ? { ...call, params: {} } : call)),
  ],
  'empty-params-taken': [
    'empty-list-refused: An empty list as params is refused',
    saysFirst(({ call }) => Array.isArray(call.params), 'invalid_params'),
  ],
  'ambiguous-json-refused': [
    'doubled-members-taken: Of a member that stands twice the last counts',
    inBodies((text) => (isJson(text) ? JSON.stringify(JSON.parse(text)) : text)),
    'AdaCore/gnatcoll-core#3',
  ],
  'doubled-member-opens-nothing': [
    'doubled-member-stored: Of two exchange tokens one is verified, and the other is stored',
    opensDoubled,
    'AdaCore/gnatcoll-core#3',
    'Flowfin/jellyfin-plugin-sso#1005',
  ],
  'order-of-checks': [
    'cred-before-method: The shape of cred is looked at before the method',
    saysFirst(({ call }) => call.method.startsWith('no.') && 'cred' in call, 'not_authorized'),
    'params-before-cred: The params are looked at before the shape of cred',
    saysFirst(({ call, authInfo }) => call.method === SAVE && authInfo.ttl === 0, 'invalid_params'),
    'cred-before-params: The cred is verified before the params are looked at',
    saysFirst(({ call, cred }) => call.method === SAVE && cred.token === '0'.repeat(40), 'not_authorized'),
  ],
  'odd-bodies-answered': [
    'null-in-list-fails: A list of null makes the server fail',
    failsAt((text) => text === '[null]'),
    'uber-archive/multitransport-jsonrpc#64',
    'params-null-fails: params of null make the server fail',
    failsAt((text) => text.includes('"params":null')),
    'hiero-ledger/hiero-json-rpc-relay#5742',
  ],
});

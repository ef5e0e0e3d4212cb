/** Defects of envelopes: what is taken as a request, and in which order faults are told. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { type DefectRow, type EhrDefect, fromRow } from '../defect.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  authInfoOf,
  credOf,
  inCalls,
  type Members,
  refusal,
  SAVE,
  success,
  type WireCall,
} from './messages.ts';

/** Changes bodies before they are read. */
const inBodies = (change: (text: string) => string): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => pipeline(change(text), channel),
});

/** Answers bodies by itself, where `answer` gives a text. */
const answersBodies = (answer: (text: string) => string | undefined): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = answer(text);
    return body === undefined ? pipeline(text, channel) : { body };
  },
});

const asRequest = (text: string, change: (call: Members) => Members): string => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? JSON.stringify(change(value)) : text;
  } catch {
    // No JSON: it goes on as it came.
    return text;
  }
};

const error = (code: number, message: string) => JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The parser says what is wrong, which is of no use here.
    return false;
  }
};

/** Serves a method under a further name. */
const alsoNamed = (names: Readonly<Record<string, string>>): EhrChange =>
  inCalls((call) => ({ ...call, method: names[call.method] ?? call.method }));

/** Says one fault before another, where both are there. */
const saysFirst = (isBoth: (call: WireCall) => boolean, reason: Parameters<typeof refusal>[1]): EhrChange =>
  answering(
    () =>
      (call, { next }) =>
        isBoth(call) ? refusal(call, reason) : next(),
  );

const SIGN_IN = ['auth.login', 'auth.request_otp', 'auth.confirm_otp'];

/** Looks the names of methods up on an object of the language. */
const looksUpOnObject: EhrChange = answering(
  () =>
    (call, { next }) =>
      call.method === 'constructor' ? accepted(call, {}) : next(),
);

/** Stores both of two exchange tokens, of which it verified one. */
const opensDoubled: EhrChange = {
  pipeline: (pipeline, parts) => {
    const doubled = new Set<string>();
    return async (text, channel) => {
      const tokens = [...text.matchAll(/"exchangeToken":"([^"]*)"/g)].map(([, token = '']) => token);
      if (tokens.length > 1) for (const token of tokens) doubled.add(token);
      const call = isJson(text) ? (JSON.parse(text) as WireCall) : undefined;
      const isDoubled = tokens.length === 1 && doubled.has(tokens[0] ?? '') && call?.method === AUTHENTICATE;
      if (!isDoubled || !call) return pipeline(text, channel);
      return { body: JSON.stringify(await success(call, parts)) };
    };
  },
};

const ROWS: readonly DefectRow[] = [
  [
    'not-json-as-request',
    'A body that is not JSON is refused like a wrong request',
    answersBodies((text) => (isJson(text) ? undefined : error(-32600, 'no'))),
    'not-json-refused',
  ],
  [
    'empty-batch-answered',
    'An empty batch is answered with an empty list',
    answersBodies((text) => (text === '[]' ? '[]' : undefined)),
    'no-request-refused',
    'lambdaclass/ethrex#6690',
  ],
  [
    'null-as-parse-error',
    'null is refused like a body that is not JSON',
    answersBodies((text) => (text === 'null' ? error(-32700, 'no') : undefined)),
    'no-request-refused',
  ],
  [
    'jsonrpc-not-compared',
    'jsonrpc is never compared',
    inBodies((text) => asRequest(text, (call) => ({ ...call, jsonrpc: '2.0' }))),
    'jsonrpc-checked',
  ],
  [
    'method-as-text',
    'A method that is no text is made one',
    inBodies((text) => asRequest(text, (call) => ({ ...call, method: String(call.method) }))),
    'method-checked',
  ],
  [
    'methods-on-object',
    'The names of methods are looked up on an object of the language',
    looksUpOnObject,
    'unknown-method-refused',
  ],
  [
    'methods-in-any-case',
    'The names of methods are compared without regard to capitals',
    inCalls((call) => ({ ...call, method: call.method.toLowerCase() })),
    'unknown-method-refused',
  ],
  [
    'published-names-served',
    'The methods are served as auth.*, too',
    alsoNamed({ 'auth.save_auth_info': SAVE, 'auth.authenticate': AUTHENTICATE }),
    'published-names-not-served',
  ],
  [
    'own-sign-in',
    'Users sign in at the EHR server itself',
    answering(
      () =>
        (call, { next }) =>
          SIGN_IN.includes(call.method) ? accepted(call, { token: 'a' }) : next(),
    ),
    'no-sign-in-of-its-own',
  ],
  [
    'params-as-text-ignored',
    'params that are no object are ignored',
    inBodies((text) => asRequest(text, (call) => (typeof call.params === 'object' ? call : { ...call, params: {} }))),
    'params-checked',
  ],
  [
    'params-as-list-ignored',
    'params that are a list are ignored',
    inCalls((call) => (Array.isArray(call.params) ? { ...call, params: {} } : call)),
    'params-checked',
  ],
  [
    'empty-list-refused',
    'An empty list as params is refused',
    answering(
      () =>
        (call, { next }) =>
          Array.isArray(call.params) ? refusal(call, 'invalid_params') : next(),
    ),
    'empty-params-taken',
  ],
  [
    'doubled-members-taken',
    'Of a member that stands twice the last counts',
    inBodies((text) => (isJson(text) ? JSON.stringify(JSON.parse(text)) : text)),
    'ambiguous-json-refused',
    'AdaCore/gnatcoll-core#3',
  ],
  [
    'doubled-member-stored',
    'Of two exchange tokens one is verified, and the other is stored',
    opensDoubled,
    'doubled-member-opens-nothing',
    'AdaCore/gnatcoll-core#3',
    'Flowfin/jellyfin-plugin-sso#1005',
  ],
  [
    'cred-before-method',
    'The shape of cred is looked at before the method',
    saysFirst((call) => call.method.startsWith('no.') && 'cred' in call, 'not_authorized'),
    'order-of-checks',
  ],
  [
    'params-before-cred',
    'The params are looked at before the shape of cred',
    saysFirst((call) => call.method === SAVE && authInfoOf(call).ttl === 0, 'invalid_params'),
    'order-of-checks',
  ],
  [
    'cred-before-params',
    'The cred is verified before the params are looked at',
    saysFirst((call) => call.method === SAVE && credOf(call).token === '0'.repeat(40), 'not_authorized'),
    'order-of-checks',
  ],
  [
    'null-ends-the-call',
    'null ends the call without a reply',
    answersBodies((text) => (text === 'null' ? '' : undefined)),
    'no-request-refused',
  ],
];

/** Replies by an internal error to some bodies. */
const failsAt = (isOdd: (text: string) => boolean): EhrChange =>
  answersBodies((text) => (isOdd(text) ? error(-32603, 'Internal error') : undefined));

const ODD: readonly DefectRow[] = [
  [
    'null-in-list-fails',
    'A list of null makes the server fail',
    failsAt((text) => text === '[null]'),
    'odd-bodies-answered',
    'uber-archive/multitransport-jsonrpc#64',
  ],
  [
    'params-null-fails',
    'params of null make the server fail',
    failsAt((text) => text.includes('"params":null')),
    'odd-bodies-answered',
    'hiero-ledger/hiero-json-rpc-relay#5742',
  ],
];

export const envelopeDefects: readonly EhrDefect[] = [...ROWS, ...ODD].map(fromRow);

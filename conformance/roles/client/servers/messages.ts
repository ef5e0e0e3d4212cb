/**
 * Looks at each message of a client once, in clear, before the journal masks it, and tells which rules of the
 * interface the message breaks.
 */
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import { authenticateFaults } from '../people/form-faults.ts';
import { callIn, EHR_METHODS, ENDINGS, isRemoval } from './calls.ts';
import { callText, type Known } from './handed.ts';
import { type Add, type Callee, type MessageFault, type MessageRule, shapeOf } from './message-fault.ts';

/** The methods that a client calls at the authorization server, with the members of their params. */
const AUTH_PARAMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['auth.request_otp', ['phone', 'email']],
  ['auth.confirm_otp', ['phone', 'email', 'code', 'ehr_user_sign']],
  ['auth.exchange_token', []],
  ['auth.report_link', ['user_sign']],
  ['auth.logout', []],
  ['auth.delete_user', []],
]);
/** Methods that need no cred. All others need the cred of a session. */
const WITHOUT_SESSION: readonly string[] = ['auth.request_otp', 'auth.confirm_otp', EHR_METHODS.authenticate];
/** The methods that a client may call at each server. */
const METHODS: Readonly<Record<Callee, ReadonlySet<string>>> = {
  ehr: new Set(Object.values(EHR_METHODS)),
  auth: new Set(AUTH_PARAMS.keys()),
};
/** Methods of the internal channel, which no client calls. */
const INTERNAL = new Set(['embedded_storage.save_auth_info', 'embedded_storage.save_exchange_token']);
/** Rules of the interface about a call to the EHR server. At the other server they are a decision. */
const OF_EHR_SERVER: ReadonlySet<MessageRule> = new Set<MessageRule>([
  ...(['post-json', 'envelope', 'id', 'params', 'method-text'] as const),
]);
/** Methods that need the cred of a session. */
const OF_SESSION = new Set(
  [...METHODS.ehr, ...METHODS.auth].filter((name) => !WITHOUT_SESSION.includes(name)),
);
/**
 * Methods that a report may name. Any other method is a text of the client, of which the form alone is shown.
 */
const OF_INTERFACE = new Set<string>([...Object.keys(ehrMethods), ...Object.keys(authMethods)]);

/**
 * Lists the rules that a message to a server breaks.
 * @param known what the kit gave to the client and saw typed so far
 * @param version the version segment of the EHR server's path
 */
export function faultsOf(
  to: Callee,
  { request }: RawExchange,
  known: Known,
  version: string,
): MessageFault[] {
  const faults: MessageFault[] = [];
  const call = callIn(request.body);
  const method = typeof call?.method === 'string' ? call.method : '';
  const add = (rule: MessageRule, isRight: boolean, what: string) => {
    const noted = to === 'auth' && OF_EHR_SERVER.has(rule) ? 'auth-call' : rule;
    if (!isRight) faults.push({ rule: noted, method: METHODS[to].has(method) ? method : 'a call', what });
  };
  httpFaults(to, request, { codes: known.codes, version }, add);
  add('post-json', call !== undefined, 'the body is not one JSON object');
  if (!call) return faults;
  const { id, params } = call;
  add('envelope', call.jsonrpc === '2.0', 'jsonrpc is not "2.0"');
  methodFaults(to, call.method, add);
  add('id', typeof id === 'string' || typeof id === 'number', 'the call has no id');
  add('id-again', !known.openIds.has(JSON.stringify(id)), 'another call with this id is not answered yet');
  const earlier = known.called.get(JSON.stringify(id));
  // A call that is repeated, as after a lost answer, may keep its id.
  add(
    'id-again',
    earlier === undefined || earlier === callText(call),
    'another call of the action had its id',
  );
  // Clients in use today send [] where there are no params, or leave the member out.
  const isNone = params === undefined || (Array.isArray(params) && params.length === 0);
  add('params', isObject(params) || isNone, 'params is no object');
  credFaults(method, call.cred, known, add);
  const given = isObject(params) ? params : {};
  if (to === 'auth') extraFaults(method, given, add);
  if (to === 'auth')
    add('ehr-words', !hasText(request, known.refusals), 'it has what the EHR server said of a form');
  if (method === 'auth.confirm_otp') {
    const isTyped = typeof given.code === 'string' && known.codes.has(given.code.trim());
    add('code-typed', isTyped, `code has the form ${shapeOf(given.code)}, and is not what was typed`);
    add('over', !known.over.has(given.code), 'the code has opened a session already');
  }
  if (method === EHR_METHODS.authenticate) authenticateFaults(given, known, add);
  const isEmpty = isNone || (isObject(params) && Object.keys(params).length === 0);
  if (isRemoval(method)) add('removal-params', isEmpty, 'params is not an empty object');
  signFaults(to, method, given, known, add);
  return faults;
}

/** Applies the rules of methods: a text, none of another party, and one that the kit knows. */
function methodFaults(to: Callee, method: unknown, add: Add): void {
  add('method-text', typeof method === 'string', 'the method is no text');
  if (typeof method !== 'string') return;
  const isMisplaced = INTERNAL.has(method) || (to === 'auth' && method === EHR_METHODS.authenticate);
  add('method', !isMisplaced, `the method ${method} is not for a client to call there`);
  const named = OF_INTERFACE.has(method) ? method : shapeOf(method);
  add('method-known', isMisplaced || METHODS[to].has(method), `the method ${named} is not known there`);
}

/** Applies the rules of HTTP: method, content type, path, and no code of a sign-in for the EHR server. */
function httpFaults(
  to: Callee,
  request: RawExchange['request'],
  { codes, version }: { codes: ReadonlySet<string>; version: string },
  add: Add,
): void {
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'none';
  add('post-json', request.method === 'POST', `the HTTP method is ${request.method}`);
  add('json-type', /^application\/json\b/i.test(type), `the content type is ${type}`);
  if (to === 'ehr') {
    // EHR servers take the path without the slash at its end, too.
    const isVersion = [`/${version}/`, `/${version}`].includes(request.path.replace(/\?.*$/, ''));
    add('path', isVersion, 'the path is not the version segment');
    add('code', !hasCode(request, codes), 'it has the code of the sign-in');
  }
}

/** Applies the rules of user_signs: where a client sends one, and whose it is. */
function signFaults(
  to: Callee,
  method: string,
  params: Record<string, unknown>,
  { signs, signsOf }: Known,
  add: Add,
): void {
  const sign = params.user_sign ?? params.ehr_user_sign ?? params.userSign;
  if (to === 'ehr') {
    const texts = new Set(Object.values(params));
    add('user-sign-to-ehr', ![...signs].some((each) => texts.has(each)), 'params has a user_sign');
    return;
  }
  if (sign === undefined || sign === null) {
    add('user-sign-left-out', method !== 'auth.report_link', 'it has no user_sign');
    return;
  }
  const rule = method === 'auth.report_link' ? 'user-sign' : 'user-sign-unknown';
  add(rule, signs.has(String(sign)), 'the signature is not one that the EHR server gave');
  if (method !== 'auth.confirm_otp' || !signs.has(String(sign))) return;
  const own = signsOf?.(String(params.phone ?? ''));
  add('user-sign-of-person', own !== undefined, 'the signature was given to another person');
  add('user-sign-of-person', !own?.former.has(String(sign)), 'the signature is of a link that is over');
}

/** Applies the rules of cred: none in authenticate, otherwise user and token of a session. */
function credFaults(
  method: string,
  cred: unknown,
  { session, otherSessions = [], endableSessions = [], over }: Known,
  add: Add,
): void {
  if (method === EHR_METHODS.authenticate) {
    // Clients in use today send null where there is no cred.
    add('no-cred', cred === undefined || cred === null, 'authenticate has a cred');
    return;
  }
  if (!OF_SESSION.has(method)) return;
  // A watched client may still have a session of another run, which it may end.
  if (isRemoval(method) && session === undefined && otherwiseRight(cred)) return;
  // The interface shows the cred of both removals alone.
  const rule = isRemoval(method) ? 'cred' : 'cred-elsewhere';
  if (!isObject(cred)) {
    add(rule, false, 'there is no cred');
    return;
  }
  const extra = Object.keys(cred).filter((name) => name !== 'user' && name !== 'token');
  add('extra-members', extra.length === 0, 'cred has other members than user and token');
  const { user, token } = cred;
  const others = ENDINGS.has(method) ? endableSessions : otherSessions;
  const meant = others.find((other) => other.token === token) ?? session;
  add('over', !over.has(token), 'the authorization server has ended the session of cred.token');
  add(rule, user === meant?.user, 'cred.user is not the user of the newest sign-in');
  add(rule, token === meant?.token, 'cred.token is not the token of the newest sign-in');
}

/** Whether a cred names a user and a token. */
const otherwiseRight = (cred: unknown): boolean =>
  isObject(cred) && typeof cred.user === 'string' && typeof cred.token === 'string';

/**
 * Applies the rule that params to the authorization server have the members of their method alone. Another
 * member may be patient data in a form that the kit cannot search for.
 */
function extraFaults(method: string, params: Record<string, unknown>, add: Add): void {
  const known = AUTH_PARAMS.get(method);
  if (!known) return;
  const extra = Object.keys(params).filter((name) => !known.includes(name));
  const what = `params has ${extra.length} more than ${known.join(', ') || 'none'}`;
  add('extra-members', extra.length === 0, what);
}

/** Whether one of the texts stands anywhere in a request, in clear or URL-encoded, and not inside a word. */
function hasText({ path, headers, body }: RawExchange['request'], texts: ReadonlySet<string>): boolean {
  const all = [path, body, ...headers.flat()].join('\n');
  const stands = (text: string) => {
    const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<!\\w)${literal}(?!\\w)`).test(all);
  };
  return [...texts].some((text) => stands(text) || stands(encodeURIComponent(text)));
}

/**
 * Whether a code of a sign-in stands anywhere in a request, as a whole number and not inside a longer one.
 */
function hasCode({ path, headers, body }: RawExchange['request'], codes: ReadonlySet<string>): boolean {
  const numbers = new Set([path, body, ...headers.flat()].join('\n').match(/\d+/g));
  return [...codes].some((code) => numbers.has(code));
}

/** Looks at each message of a client in clear, before the journal masks it, for rules that it breaks. */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { isNumber, writeJson } from '#protocol/wire/json.ts';
import { nameKey } from '#protocol/wire/matching.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import type { FormValues } from '../drivers/driver.ts';
import {
  type Add,
  type Callee,
  callIn,
  digitsOf,
  EHR_METHODS,
  isRemoval,
  type MessageFault,
  type MessageRule,
  shapeOf,
} from './calls.ts';
import type { Known } from './scenario-memory.ts';

/** The methods that a client may call at each server. Another one is a text of the client, which is not shown. */
const METHODS: Readonly<Record<Callee, ReadonlySet<string>>> = {
  ehr: new Set(Object.values(EHR_METHODS)),
  auth: new Set(
    ['request_otp', 'confirm_otp', 'exchange_token', 'report_link', 'logout', 'delete_user'].map(
      (name) => `auth.${name}`,
    ),
  ),
};
const BEFORE_SESSION: readonly string[] = ['auth.request_otp', 'auth.confirm_otp'];
const INTERNAL = new Set(['embedded_storage.save_auth_info', 'embedded_storage.save_exchange_token']);

/** Finds the rules that a message breaks. What is wrong is told without any value of a patient. */
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
    if (!isRight) faults.push({ rule, method: METHODS[to].has(method) ? method : 'a call', what });
  };
  if (to === 'ehr') add('code', !hasCode(request, known.codes), 'it has the code of the sign-in');
  else add('ehr-words', !hasText(request, known.refusals), 'it has what the EHR server said of a form');
  if (isBesideCalls(to, request, version)) return faults;
  if (to === 'ehr') httpFaults(request, version, add);
  if (!call) {
    if (to === 'ehr') add('post-json', false, 'the body is not one JSON object');
    return faults;
  }
  const { id, params } = call;
  // Clients in use today send [] where there are no params, or leave the member out.
  const isNone = params === undefined || (Array.isArray(params) && params.length === 0);
  const isMisplaced = INTERNAL.has(method) || (to === 'auth' && method === EHR_METHODS.authenticate);
  add('method', !isMisplaced, `the method ${method} is not for a client to call there`);
  const meant = Object.values(EHR_METHODS).find((name) => name.split('.')[1] === method.split('.')[1]);
  const isNamed = to === 'auth' || meant === undefined || meant === method;
  add('method', isNamed, `the EHR server has no such method, and has ${meant}`);
  // The interface gives the form of a call for the EHR server alone.
  if (to === 'ehr') {
    add('envelope', call.jsonrpc === '2.0', 'jsonrpc is not "2.0"');
    add('method-text', typeof call.method === 'string', 'the method is no text');
    add('id', typeof id === 'string' || isNumber(id), 'the call has no id');
    add('params', isObject(params) || isNone, 'params is no object');
    add('params-form', !Array.isArray(params) || !isNone, 'params is an empty list');
  }
  credFaults(method, call.cred, known, add);
  const given = membersOf(params);
  if (method === 'auth.confirm_otp') {
    const isTyped = typeof given.code === 'string' && known.codes.has(given.code.trim());
    add('code-typed', isTyped, `code has the form ${shapeOf(given.code)}, and is not what was typed`);
    add('over', !known.over.has(given.code), 'the code has opened a session already');
  }
  if (method === EHR_METHODS.authenticate) authenticateFaults(given, known, add);
  const isEmpty = isNone || (isObject(params) && Object.keys(params).length === 0);
  if (isRemoval(method)) add('removal-params', isEmpty, 'params is not an empty object');
  if (to === 'auth') signFaults(method, given, known, add);
  return faults;
}

function authenticateFaults(params: Record<string, unknown>, known: Known, add: Add): void {
  const { exchangeToken, patientProperties } = params;
  const { session } = known;
  // The session token belongs into no member of authenticate.
  const hasToken = session !== undefined && writeJson(params).includes(session.token);
  add('no-cred', !hasToken, 'authenticate has the session token among its params');
  add('authenticate-params', typeof exchangeToken === 'string', 'exchangeToken is no text');
  add('authenticate-params', isObject(patientProperties), 'patientProperties is no object');
  if (typeof exchangeToken === 'string') {
    const isGiven = known.exchangeTokens.has(exchangeToken);
    add('exchange-token', isGiven, 'the exchange token is not one that was given to this session');
  }
  if (!isObject(patientProperties)) return;
  propertyFaults(patientProperties, known.typed, add);
}

/** A value may be that of any form that was typed so far. A fault has the shape of the one typed last. */
function propertyFaults(properties: Record<string, unknown>, typed: readonly FormValues[], add: Add): void {
  const { name, surname, date, phone, gender } = properties;
  const isTyped = (fits: (form: FormValues) => boolean) => typed.some(fits);
  const isSent = (value: unknown) => value !== undefined && value !== null;
  const asTyped = (member: keyof FormValues) => `and ${shapeOf(typed.at(-1)?.[member])} was typed`;
  for (const [member, value] of Object.entries({ name, surname }) as ['name' | 'surname', unknown][]) {
    if (!isSent(value)) continue;
    const isRight = typeof value === 'string' && isTyped((form) => nameKey(form[member]) === nameKey(value));
    add('names', isRight, `${member} has the form ${shapeOf(value)}, ${asTyped(member)}`);
  }
  // Two rules: any date that EHR servers take, and the full form that is advised. One fault breaks one rule.
  const text = String(date);
  const isDate = DATE.test(text);
  const dateForm = `date has the form ${shapeOf(date)}, ${asTyped('date')}`;
  add('date', isDate || !isSent(date), dateForm);
  add('date-form', FULL_DATE.test(text) || !isDate, dateForm);
  const isDay = isTyped((form) => form.date === text.slice(0, 10));
  add('date', isDay || !isDate, 'date is another day than was typed');
  const isDigits = typeof phone === 'string' && /^\d+$/.test(phone);
  const phoneForm = `phone has the form ${shapeOf(phone)}, ${asTyped('phone')}`;
  add('phone', isDigits || !isSent(phone), phoneForm);
  const isPhone = isTyped((form) => digitsOf(form.phone) === digitsOf(String(phone)));
  add('phone', isPhone || !isSent(phone), `${phoneForm}: it is another number`);
  add('gender', Number.isInteger(gender) || !isSent(gender), `gender has the form ${shapeOf(gender)}`);
}

const FULL_DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;
/** The forms of a date that EHR servers take: without a fraction or a time, with T, with Z. */
const DATE = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d+)?Z?)?$/;

function httpFaults(request: RawExchange['request'], version: string, add: Add): void {
  add('post-json', request.method === 'POST', `the HTTP method is ${request.method}`);
  add('path', isVersionPath(request, version), 'the path is not the version segment');
}

/** EHR servers take the path without the slash at its end, too. */
const isVersionPath = ({ path }: RawExchange['request'], version: string): boolean =>
  [`/${version}/`, `/${version}`].includes(path.replace(/\?.*$/, ''));

/** Whether a request is no call, and goes to a path that has none, such as a beacon. Its values are sought. */
export function isBesideCalls(to: Callee, request: RawExchange['request'], version: string): boolean {
  const isPath = to === 'auth' ? /^\/(?:\?|$)/.test(request.path) : isVersionPath(request, version);
  return !isPath && !/"(?:jsonrpc|method)"\s*:/.test(request.body);
}

function signFaults(
  method: string,
  params: Record<string, unknown>,
  { signs, signsOf }: Known,
  add: Add,
): void {
  const sign = params.user_sign ?? params.ehr_user_sign ?? params.userSign;
  if (sign === undefined || sign === null) return;
  const rule = method === 'auth.report_link' ? 'user-sign' : 'user-sign-unknown';
  add(rule, signs.has(String(sign)), 'the signature is not one that the EHR server gave');
  if (method !== 'auth.confirm_otp' || !signs.has(String(sign))) return;
  const own = signsOf(String(params.phone ?? ''));
  add('user-sign-of-person', own !== undefined, 'the signature was given to another person');
  add('user-sign-of-person', !own?.former.has(String(sign)), 'the signature is of a link that is over');
}

function credFaults(
  method: string,
  cred: unknown,
  { session, endableSessions, over }: Known,
  add: Add,
): void {
  if (method === EHR_METHODS.authenticate) {
    // Clients in use today send null where there is no cred.
    add('no-cred', cred === undefined || cred === null, 'authenticate has a cred');
    return;
  }
  if (isObject(cred) && !BEFORE_SESSION.includes(method))
    add('over', !over.has(cred.token), 'the authorization server has ended the session of cred.token');
  // A watched client may still have a session of another run, which it may end.
  if (!isRemoval(method) || (session === undefined && otherwiseRight(cred))) return;
  add('cred', isObject(cred), 'there is no cred');
  if (!isObject(cred)) return;
  const { user, token } = cred;
  const meant = endableSessions.find((other) => other.token === token) ?? session;
  add('cred', user === meant?.user, 'cred.user is not the user of the newest sign-in');
  add('cred', token === meant?.token, 'cred.token is not the token of the newest sign-in');
}

const otherwiseRight = (cred: unknown): boolean =>
  isObject(cred) && typeof cred.user === 'string' && typeof cred.token === 'string';

/** Whether one of the texts stands anywhere in a request, in clear or URL-encoded, and not inside a word. */
function hasText({ path, headers, body }: RawExchange['request'], texts: ReadonlySet<string>): boolean {
  const all = [path, body, ...headers.flat()].join('\n');
  const stands = (text: string) => {
    const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<!\\w)${literal}(?!\\w)`).test(all);
  };
  return [...texts].some((text) => stands(text) || stands(encodeURIComponent(text)));
}

/** As a whole number, and not inside a longer one. */
function hasCode({ path, headers, body }: RawExchange['request'], codes: ReadonlySet<string>): boolean {
  const numbers = new Set([path, body, ...headers.flat()].join('\n').match(/\d+/g));
  return [...codes].some((code) => numbers.has(code));
}

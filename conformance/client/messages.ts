/** Looks at each message of a client in clear, once, and tells which rules of the interface it breaks. */
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { RawExchange } from '../journal/observe.ts';
import type { FormValues } from './driver.ts';
import type { Callee } from './troubles.ts';

/** The rules of a single message, each judged by a check of its own. */
export const messageRules = [
  'post-json',
  'path',
  'envelope',
  'id',
  'method',
  'params',
  'cred',
  'no-cred',
  'authenticate-params',
  'names',
  'date',
  'date-form',
  'phone',
  'gender',
  'removal-params',
  'exchange-token',
  'user-sign',
  'code',
  'code-typed',
  'extra-members',
] as const;
export type MessageRule = (typeof messageRules)[number];

/** The label of the kit's observation that a message breaks a rule. */
export const labelOf = (rule: MessageRule): string => `message ${rule}`;

/** A rule that a message breaks, and how, without any value of a patient. */
export type MessageFault = { rule: MessageRule; method: string; what: string };

/** What the kit has handed to the client, and what was typed into it. */
export type Known = {
  session: { user: string; token: string } | undefined;
  /** Sessions of earlier sign-ins that the client may use besides. */
  otherSessions?: readonly { user: string; token: string }[];
  exchangeTokens: ReadonlySet<string>;
  signs: ReadonlySet<string>;
  typed: readonly FormValues[];
  /** Codes that the person entered. */
  codes: ReadonlySet<string>;
  /** Ids of the calls of this link that are not answered yet. */
  openIds: ReadonlySet<string>;
};

export const EHR_METHODS = {
  read: 'patient.get_patient',
  authenticate: 'embedded_storage.authenticate',
  logOut: 'embedded_storage.remove_auth_info',
  disconnect: 'embedded_storage.remove_authentication',
} as const;
/** The methods that a client calls at the authorization server, with the members of their params. */
const AUTH_PARAMS: Readonly<Record<string, readonly string[]>> = {
  'auth.request_otp': ['phone', 'email'],
  'auth.confirm_otp': ['phone', 'email', 'code', 'ehr_user_sign'],
  'auth.exchange_token': [],
  'auth.report_link': ['user_sign'],
  'auth.logout': [],
  'auth.delete_user': [],
};
const WITHOUT_SESSION: readonly string[] = ['auth.request_otp', 'auth.confirm_otp', EHR_METHODS.authenticate];
const METHODS: Readonly<Record<Callee, ReadonlySet<string>>> = {
  ehr: new Set(Object.values(EHR_METHODS)),
  auth: new Set(Object.keys(AUTH_PARAMS)),
};
const OF_SESSION = new Set([...METHODS.ehr, ...METHODS.auth].filter((name) => !WITHOUT_SESSION.includes(name)));
/** Methods that may be named in a report, beside those of a client. */
const OF_INTERFACE = new Set<string>([...Object.keys(ehrMethods), ...Object.keys(authMethods)]);

/** Lists the rules that a message breaks. */
export function faultsOf(to: Callee, { request }: RawExchange, known: Known, version: string): MessageFault[] {
  const faults: MessageFault[] = [];
  const call = callIn(request.body);
  const method = typeof call?.method === 'string' ? call.method : '';
  const add = (rule: MessageRule, isRight: boolean, what: string) => {
    if (!isRight) faults.push({ rule, method: METHODS[to].has(method) ? method : 'a call', what });
  };
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'none';
  add('post-json', request.method === 'POST', `the HTTP method is ${request.method}`);
  add('post-json', /^application\/json\b/i.test(type), `the content type is ${type}`);
  add('post-json', call !== undefined, 'the body is not one JSON object');
  if (to === 'ehr') {
    // The slash at the end may be missing, as EHR servers take it.
    add('path', [`/${version}/`, `/${version}`].includes(request.path), 'the path is not the version segment');
    add('code', !hasCode(request, known.codes), 'it has the code of the sign-in');
  }
  if (!call) return faults;
  const { id, params } = call;
  add('envelope', call.jsonrpc === '2.0', 'jsonrpc is not "2.0"');
  const named = OF_INTERFACE.has(method) ? method : shapeOf(call.method);
  add('method', METHODS[to].has(method), `the method ${named} is not one that a client calls there`);
  add('id', typeof id === 'string' || typeof id === 'number', 'the call has no id');
  add('id', !known.openIds.has(JSON.stringify(id)), 'another call with this id is not answered yet');
  // Clients of the field send [] where there are no params, or leave the member out.
  const isNone = params === undefined || (Array.isArray(params) && params.length === 0);
  add('params', isObject(params) || isNone, 'params is no object');
  credFaults(method, call.cred, known, add);
  const given = isObject(params) ? params : {};
  if (to === 'auth') extraFaults(method, given, add);
  if (method === 'auth.confirm_otp') {
    const isTyped = typeof given.code === 'string' && known.codes.has(given.code.trim());
    add('code-typed', isTyped, `code has the form ${shapeOf(given.code)}, and is not what was typed`);
  }
  if (method === EHR_METHODS.authenticate) authenticateFaults(given, known, add);
  if (method === EHR_METHODS.logOut || method === EHR_METHODS.disconnect)
    add(
      'removal-params',
      isNone || (isObject(params) && Object.keys(params).length === 0),
      'params is not an empty object',
    );
  const sign = given.user_sign ?? given.ehr_user_sign;
  if (sign !== undefined && sign !== null)
    add('user-sign', known.signs.has(String(sign)), 'the signature is not one that the EHR server gave');
  else add('user-sign', method !== 'auth.report_link', 'it has no user_sign');
  return faults;
}

type Add = (rule: MessageRule, isRight: boolean, what: string) => void;

function credFaults(method: string, cred: unknown, { session, otherSessions = [] }: Known, add: Add): void {
  if (method === EHR_METHODS.authenticate) {
    // Clients of the field send null where there is no cred.
    add('no-cred', cred === undefined || cred === null, 'authenticate has a cred');
    return;
  }
  if (!OF_SESSION.has(method)) return;
  if (!isObject(cred)) {
    add('cred', false, 'there is no cred');
    return;
  }
  const extra = Object.keys(cred).filter((name) => name !== 'user' && name !== 'token');
  add('cred', extra.length === 0, 'cred has other members than user and token');
  const { user, token } = cred;
  const meant = otherSessions.find((other) => other.token === token) ?? session;
  add('cred', user === meant?.user, 'cred.user is not the user of the newest sign-in');
  add('cred', token === meant?.token, 'cred.token is not the token of the newest sign-in');
}

/** A member that no method has may be patient data in a form that nobody can search for. */
function extraFaults(method: string, params: Record<string, unknown>, add: Add): void {
  const known = AUTH_PARAMS[method];
  if (!known) return;
  const extra = Object.keys(params).filter((name) => !known.includes(name));
  add('extra-members', extra.length === 0, `params has ${extra.length} more than ${known.join(', ') || 'none'}`);
}

function authenticateFaults(params: Record<string, unknown>, known: Known, add: Add): void {
  const { exchangeToken, patientProperties, searchStrategy, medCardId } = params;
  // The field client sends an empty text where there is no card.
  const isSearch = ['PHONE', 'MEDCARD', '', null, undefined].includes(searchStrategy as string | null | undefined);
  add('authenticate-params', isSearch, `searchStrategy has the form ${shapeOf(searchStrategy)}`);
  add('authenticate-params', searchStrategy !== 'MEDCARD' || Boolean(medCardId), 'MEDCARD has no medCardId');
  add('authenticate-params', typeof exchangeToken === 'string', 'exchangeToken is no text');
  add('authenticate-params', isObject(patientProperties), 'patientProperties is no object');
  if (typeof exchangeToken === 'string')
    add(
      'exchange-token',
      known.exchangeTokens.has(exchangeToken),
      'the exchange token is not one that was given to this session',
    );
  if (!isObject(patientProperties)) return;
  propertyFaults(patientProperties, known.typed, add);
}

function propertyFaults(properties: Record<string, unknown>, typed: readonly FormValues[], add: Add): void {
  const { name, surname, date, phone, gender } = properties;
  const isTyped = (is: (form: FormValues) => boolean) => typed.some(is);
  for (const [member, value] of Object.entries({ name, surname }) as ['name' | 'surname', unknown][]) {
    const isRight = typeof value === 'string' && isTyped((form) => folded(form[member]) === folded(value));
    add('names', isRight, `${member} is not what was typed`);
  }
  const text = String(date);
  add('date', DATE.test(text), `date has the form ${shapeOf(date)}`);
  add('date-form', FULL_DATE.test(text) || !DATE.test(text), `date has the form ${shapeOf(date)}`);
  const isDay = isTyped((form) => form.date === text.slice(0, 10));
  add('date', isDay || !DATE.test(text), 'date is another day than was typed');
  const isDigits = typeof phone === 'string' && /^\d+$/.test(phone);
  add('phone', isDigits, `phone has the form ${shapeOf(phone)}`);
  const isPhone = isTyped((form) => digitsOf(form.phone) === digitsOf(String(phone)));
  add('phone', isPhone, 'phone is not the one typed');
  if (gender === undefined || gender === null) return;
  const isCode = Number.isInteger(gender) && Number(gender) >= 0 && Number(gender) <= UNKNOWN_GENDER;
  add('gender', isCode, `gender has the form ${shapeOf(gender)}`);
  const isChosen = isTyped((form) => String(form.gender ?? UNKNOWN_GENDER) === String(gender));
  add('gender', isChosen, 'gender is not the one typed');
}

/** As §2.5 shows it. */
const FULL_DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;
/** The forms that EHR servers take: without a fraction or a time, with T, with Z. */
const DATE = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d+)?Z?)?$/;
const UNKNOWN_GENDER = 3;

/** As EHR servers compare names: blanks, case, ё and the kind of Unicode composition do not count. */
const folded = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase().replaceAll('ё', 'е');

/** The digits without an extension; a leading 8 of 11 digits is a 7. */
const digitsOf = (phone: string) =>
  phone
    .replace(/(x|ext).*$/i, '')
    .replace(/\D/g, '')
    .replace(/^8(?=\d{10}$)/, '7');

/** Whether a code stands anywhere in a request, not as a part of a longer number. */
function hasCode({ path, headers, body }: RawExchange['request'], codes: ReadonlySet<string>): boolean {
  const numbers = new Set([path, body, ...headers.flat()].join('\n').match(/\d+/g));
  return [...codes].some((code) => numbers.has(code));
}

/** The call in a body; a batch of one is taken for its call. */
export function callIn(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const [only] = Array.isArray(value) && value.length === 1 ? value : [value];
    return isObject(only) ? only : undefined;
  } catch {
    // Not JSON: that is a finding of its own.
    return undefined;
  }
}

/** The form of a value: digits become 9, letters become a. */
function shapeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return `"${value.slice(0, 40).replace(/\d/g, '9').replace(/\p{L}/gu, 'a')}"`;
}

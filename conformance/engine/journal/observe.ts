/**
 * Finds the facts of each HTTP exchange, and of each one-time code, while the secrets are in clear. Afterwards
 * they are masked, and the checks judge by the facts.
 */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { DIGEST_SHAPE, digest } from '#protocol/wire/hashes.ts';
import { isNumber, tryJson, writeJson } from '#protocol/wire/json.ts';
import type { CodeFacts, Facts, RawExchange } from './entry.ts';
import { explainDigest, type NamedValue } from './secrets/found/digest-diagnosis.ts';
import { findPatientData, secretsInClear, tokensBesideBody } from './secrets/found/secrets-in-clear.ts';
import type { Knowledge } from './secrets/knowledge.ts';
import { learnByName } from './secrets/named-secrets.ts';

/** Returns the facts of an exchange, and learns its secrets. `now`: milliseconds since 1970. */
export function observe(raw: RawExchange, knowledge: Knowledge, now = 0): Facts {
  const sent = tryJson(raw.request.body)?.value;
  const call = onlyOne(sent) ?? sent;
  const answered = raw.response && tryJson(raw.response.body)?.value;
  // A batch with one call counts as that call. Its answer is a batch, too.
  const reply = call === sent ? answered : onlyOne(answered);
  const facts: Facts = {};
  learnByName(raw, knowledge.pseudonyms);
  if (isObject(call) && typeof call.method === 'string') {
    facts.call = factsOfCall(call, knowledge);
    if (raw.link === 'auth->ehr')
      Object.assign(facts, factsOfDigest(call, knowledge), factsOfTokens(call, knowledge, now));
  }
  if (isObject(reply)) facts.reply = factsOfReply(reply, knowledge);
  if (raw.link === 'client->ehr') Object.assign(facts, learnFromEhrReply(call, reply, knowledge));
  if (raw.link === 'auth->ehr') {
    facts.inClear = someOf(secretsInClear(raw, knowledge));
    facts.besideBody = someOf(tokensBesideBody(raw));
  }
  if (raw.link !== 'client->ehr') facts.patientData = someOf(findPatientData(raw, knowledge));
  return facts;
}

type JsonObject = Record<string, unknown>;

const someOf = (texts: string[]) => (texts.length > 0 ? texts : undefined);

/** The only item of an array with one item; undefined for any other value. */
function onlyOne(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
}

function factsOfCall(call: JsonObject, knowledge: Knowledge): NonNullable<Facts['call']> {
  const { pseudonyms } = knowledge;
  const params = membersOf(call.params);
  const authInfo = isObject(params.authInfo) ? params.authInfo : undefined;
  const text = (kind: Parameters<typeof pseudonyms.learn>[0], value: unknown) =>
    typeof value === 'string' && value !== '' ? pseudonyms.learn(kind, value) : undefined;
  const userSign = params.ehr_user_sign ?? params.user_sign ?? params.userSign;
  return {
    method: String(call.method),
    idType: 'id' in call ? typeOf(call.id) : 'absent',
    id: call.id === undefined || call.id === null ? undefined : writeJson(call.id).slice(0, 80),
    jsonrpc: typeof call.jsonrpc === 'string' ? call.jsonrpc : typeOf(call.jsonrpc),
    params: typesOf(call.params),
    authInfo: authInfo && typesOf(authInfo),
    cred: isObject(call.cred) ? typesOf(call.cred) : undefined,
    exchangeToken: text('exchange-token', params.exchangeToken),
    user: text('user', authInfo?.user),
    userIs: knowledge.sources.ofPhone(String(authInfo?.user ?? '')),
    token: text('session-token', authInfo?.token),
    ttl: minutesOf(authInfo, knowledge),
    userSign: typeof userSign === 'string' ? (pseudonyms.nameOf(userSign) ?? 'unknown') : undefined,
  };
}

/** The ttl of an authInfo (§2.3) in minutes, whatever its unit. */
function minutesOf(authInfo: unknown, { ttlsPerMinute }: Knowledge): number | undefined {
  const { ttl } = membersOf(authInfo);
  return typeof ttl === 'number' ? ttl / ttlsPerMinute : undefined;
}

function factsOfReply(reply: JsonObject, knowledge: Knowledge): NonNullable<Facts['reply']> {
  const error = isObject(reply.error) ? reply.error : undefined;
  const data = membersOf(error?.data);
  return {
    result: 'result' in reply && !error,
    code: typeof error?.code === 'number' ? error.code : undefined,
    reason: typeof data?.reason === 'string' ? data.reason : undefined,
    ttl: minutesOf(membersOf(reply.result).authInfo, knowledge),
  };
}

/** Finds out over which secret the digest in cred.token was computed, or which mistake explains it. */
function factsOfDigest(call: JsonObject, knowledge: Knowledge): Pick<Facts, 'digest'> {
  const { user, token } = membersOf(call.cred);
  if (typeof token !== 'string') return {};
  knowledge.pseudonyms.learn('digest', token);
  if (DIGEST_SHAPE.test(token.toLowerCase())) knowledge.digests.add(token);
  const { exchangeToken } = membersOf(call.params);
  const secrets: (NamedValue & { user?: string })[] = [
    ...(typeof exchangeToken === 'string' ? [{ name: 'the exchange token', value: exchangeToken }] : []),
    ...Array.from(knowledge.signs, ([value, user]) => ({ name: 'a user_sign', value, user })),
  ];
  const over = secrets.find(({ value }) => digest(knowledge.internalPassword, value) === token);
  // A run has hundreds of signatures, and a mistake is made with that of the user.
  const own = secrets.filter((each) => each.user === undefined || each.user === endUserOf(call));
  const tried = own.length > 0 ? own : secrets;
  const explained = over
    ? undefined
    : explainDigest(token, knowledge.internalPassword, tried, otherValues(call, knowledge));
  return {
    digest: {
      length: token.length,
      lowercaseHex: DIGEST_SHAPE.test(token),
      rightUser: user === knowledge.internalUser,
      isEndUser: user === endUserOf(call) || undefined,
      over: over && ownerOf(over, knowledge),
      explained,
    },
  };
}

function ownerOf({ value, user }: { value: string; user?: string }, { pseudonyms }: Knowledge) {
  if (user === undefined) return { kind: 'exchange-token' as const, owner: 'this exchange token' };
  const owner = pseudonyms.learn('user', user);
  return { kind: 'user-sign' as const, owner, sign: pseudonyms.learn('user-sign', value) };
}

/** Values over which a server may compute the digest by mistake: parts of the call, phones, other tokens. */
function otherValues(call: JsonObject, knowledge: Knowledge): NamedValue[] {
  const params = membersOf(call.params);
  const members = (object: unknown, prefix: string): NamedValue[] =>
    Object.entries(membersOf(object)).flatMap(([name, value]) =>
      typeof value === 'string' || isNumber(value)
        ? [{ name: `${prefix}${name}`, value: String(value) }]
        : [],
    );
  return [
    ...members(params.authInfo, 'authInfo.'),
    ...members(params, 'params.'),
    ...(Array.isArray(call.params)
      ? call.params.flatMap((value, index) => members({ [index]: value }, 'params.'))
      : []),
    ...members({ id: call.id, method: call.method }, ''),
    ...members({ user: membersOf(call.cred).user }, 'cred.'),
    ...(isObject(params.authInfo) ? [{ name: 'authInfo as JSON', value: writeJson(params.authInfo) }] : []),
    { name: 'params as JSON', value: writeJson(params) },
    ...[...knowledge.phones].map((value) => ({ name: 'a phone', value })),
    ...[...knowledge.owned].map(([value, { what }]) => ({ name: `${what} of another call`, value })),
  ];
}

function endUserOf({ params }: JsonObject): unknown {
  return membersOf(membersOf(params).authInfo).user ?? NO_USER;
}

/** Equals no cred.user of any call, not even an absent one. */
const NO_USER = Symbol('no user');

/** Describes the tokens of a call that no earlier call of the run had. */
function factsOfTokens(call: JsonObject, knowledge: Knowledge, now: number): Pick<Facts, 'fresh'> {
  const params = membersOf(call.params);
  const { user, token } = membersOf(params.authInfo);
  const fresh: NonNullable<Facts['fresh']> = {};
  for (const [kind, value] of [
    ['exchange-token', params.exchangeToken] as const,
    ['session-token', token] as const,
  ]) {
    if (typeof value !== 'string') continue;
    if (kind === 'exchange-token' && typeof user === 'string') knowledge.userOf.set(value, user);
    const name = knowledge.pseudonyms.learn(kind, value);
    if (!knowledge.tokens[kind].add(name, value)) continue;
    if (typeof user === 'string') knowledge.sources.learn(user, 'a user');
    const source =
      knowledge.sources.of(value) ?? knowledge.sources.ofPhoneAt(value, knowledge.lastPhones, now);
    knowledge.sources.learn(value, 'an earlier token');
    fresh[name] = { kind, length: value.length, source, bits: 0 };
  }
  return Object.keys(fresh).length > 0 ? { fresh } : {};
}

/**
 * Learns the signature in a reply of the EHR server to a client: it belongs to the user of the session or of
 * the exchange token. A removal that was not refused may have ended the link between user and patient.
 */
function learnFromEhrReply(call: unknown, reply: unknown, knowledge: Knowledge): Pick<Facts, 'link'> {
  if (!isObject(call)) return {};
  const { exchangeToken } = membersOf(call.params);
  const user =
    typeof exchangeToken === 'string' ? knowledge.userOf.get(exchangeToken) : membersOf(call.cred).user;
  if (typeof user !== 'string') return {};
  const of = knowledge.pseudonyms.learn('user', user);
  if (call.method === REMOVE_LINK) return isObject(membersOf(reply).error) ? {} : { link: { user: of } };
  const sign = membersOf(membersOf(reply).result).user_sign;
  if (typeof sign !== 'string') return {};
  knowledge.learnSign(sign, user);
  return { link: { user: of, sign: knowledge.pseudonyms.learn('user-sign', sign) } };
}

const REMOVE_LINK = 'embedded_storage.remove_authentication';

/** The types of the members. A value that is no object has its own type under the key ''. */
function typesOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return { '': typeOf(value) };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, typeOf(member)]));
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

type CodeContext = {
  phone: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The earlier codes of this run, newest first, to all phones. */
  before: readonly string[];
};

/**
 * Returns the facts of a code, by which a check can tell whether an attacker could guess the next one. They say
 * from what it was derived only if it has four digits or more: a shorter code equals a part of the phone or the
 * clock by chance.
 */
export function codeFacts(code: string, { phone, now, before }: CodeContext): CodeFacts {
  const digits = /^\d+$/.test(code);
  if (!digits) return { length: code.length, digits };
  const all = 10 ** code.length;
  const [last] = before;
  const step = last?.length === code.length ? (Number(code) - Number(last) + all) % all : undefined;
  const derived = code.length < 4 ? undefined : derivation(code, phone, now);
  const tenth = Math.floor((Number(code) * 10) / all);
  return { length: code.length, digits, step, tenth, derived };
}

/** The clock of the server may differ from the kit's clock by this many seconds. */
const CLOCK_RANGE_SECONDS = 3;

function derivation(code: string, phone: string, now: number): string | undefined {
  const number = phone.replace(/\D/g, '');
  if (number.endsWith(code) || number.startsWith(code)) return 'the phone';
  for (let offset = -CLOCK_RANGE_SECONDS; offset <= CLOCK_RANGE_SECONDS; offset++) {
    const seconds = Math.floor(now / 1_000) + offset;
    const time = new Date(seconds * 1_000).toISOString();
    const ofDay = time.slice(11, 19).replaceAll(':', '');
    if (String(seconds).endsWith(code) || ofDay.startsWith(code)) return 'the clock';
  }
  return undefined;
}

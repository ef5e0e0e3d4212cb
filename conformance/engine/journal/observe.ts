/** Looks at each exchange in clear, once, and records facts for the checks; then values are masked. */
import { DIGEST_SHAPE, digest } from '#protocol/wire/digest.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { Facts, Link } from './entry.ts';
import { explainDigest, type NamedValue } from './secrets/digest-diagnosis.ts';
import type { Knowledge } from './secrets/knowledge.ts';
import { learnByName } from './secrets/learn-by-name.ts';
import { findPatientData } from './secrets/patient-data.ts';
import { secretsInClear, tokensBesideBody } from './secrets/secrets-in-clear.ts';

/** An exchange as it crossed, in clear. */
export type RawExchange = {
  link: Link;
  request: { httpVersion: string; method: string; path: string; headers: [string, string][]; body: string };
  response?: { status: number; headers: [string, string][]; body: string } | undefined;
  /** Why it was refused as a request that is not part of the run. */
  stray?: string;
};

/** Returns the facts of an exchange, and learns the secrets in it. */
export function observe(raw: RawExchange, knowledge: Knowledge): Facts {
  const sent = parse(raw.request.body);
  const call = onlyOne(sent) ?? sent;
  const answered = raw.response && parse(raw.response.body);
  // A batch is answered by a batch, a single call is not.
  const reply = call === sent ? answered : onlyOne(answered);
  const facts: Facts = {};
  learnByName(raw, knowledge.pseudonyms);
  if (isObject(call) && typeof call.method === 'string') {
    facts.call = factsOfCall(call, knowledge);
    if (raw.link === 'auth->ehr') Object.assign(facts, factsOfDigest(call, knowledge), factsOfTokens(call, knowledge));
  }
  if (isObject(reply)) facts.reply = factsOfReply(reply);
  if (raw.link === 'client->ehr') Object.assign(facts, learnFromEhrReply(call, reply, knowledge));
  if (raw.link === 'auth->ehr') {
    const inClear = secretsInClear(raw, knowledge);
    if (inClear.length > 0) facts.inClear = inClear;
    const besideBody = tokensBesideBody(raw);
    if (besideBody.length > 0) facts.besideBody = besideBody;
  }
  if (raw.link !== 'client->ehr') {
    const patientData = findPatientData(raw, knowledge);
    if (patientData.length > 0) facts.patientData = patientData;
  }
  return facts;
}

type Json = Record<string, unknown>;

/** The only call of a batch of one. */
function onlyOne(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A body that is not JSON has no members; its text is in the journal.
    return undefined;
  }
}

function factsOfCall(call: Json, { pseudonyms }: Knowledge): NonNullable<Facts['call']> {
  const params = isObject(call.params) ? call.params : {};
  const authInfo = isObject(params.authInfo) ? params.authInfo : undefined;
  const text = (kind: Parameters<typeof pseudonyms.learn>[0], value: unknown) =>
    typeof value === 'string' && value !== '' ? pseudonyms.learn(kind, value) : undefined;
  const exchangeToken = text('exchange-token', params.exchangeToken);
  const user = text('user', authInfo?.user);
  const token = text('session-token', authInfo?.token);
  const userSign = params.ehr_user_sign ?? params.user_sign ?? params.userSign;
  return {
    method: String(call.method),
    idType: 'id' in call ? typeOf(call.id) : 'absent',
    ...(call.id !== undefined && call.id !== null && { id: JSON.stringify(call.id).slice(0, 80) }),
    jsonrpc: typeof call.jsonrpc === 'string' ? call.jsonrpc : typeOf(call.jsonrpc),
    params: typesOf(call.params),
    ...(authInfo && { authInfo: typesOf(authInfo) }),
    ...(isObject(call.cred) && { cred: typesOf(call.cred) }),
    ...(exchangeToken && { exchangeToken }),
    ...(user && { user }),
    ...(token && { token }),
    ...(typeof authInfo?.ttl === 'number' && { ttl: authInfo.ttl }),
    ...(typeof userSign === 'string' && { userSign: pseudonyms.nameOf(userSign) ?? 'unknown' }),
  };
}

function factsOfReply(reply: Json): NonNullable<Facts['reply']> {
  const error = isObject(reply.error) ? reply.error : undefined;
  const data = isObject(error?.data) ? error.data : undefined;
  return {
    result: 'result' in reply && !error,
    ...(typeof error?.code === 'number' && { code: error.code }),
    ...(typeof data?.reason === 'string' && { reason: data.reason }),
  };
}

function factsOfDigest(call: Json, knowledge: Knowledge): Pick<Facts, 'digest'> {
  const cred = isObject(call.cred) ? call.cred : {};
  const { user, token } = cred;
  if (typeof token !== 'string') return {};
  knowledge.pseudonyms.learn('digest', token);
  if (DIGEST_SHAPE.test(token.toLowerCase())) knowledge.digests.add(token);
  const exchangeToken =
    isObject(call.params) && typeof call.params.exchangeToken === 'string' ? call.params.exchangeToken : undefined;
  const secrets = [
    ...(exchangeToken === undefined
      ? []
      : [{ name: 'the exchange token', value: exchangeToken, kind: 'exchange-token' as const, owner: '' }]),
    ...[...knowledge.signs].map(([value, owner]) => ({
      name: 'a user_sign',
      value,
      kind: 'user-sign' as const,
      owner,
    })),
  ];
  const over = secrets.find(({ value }) => digest(knowledge.internalPassword, value) === token);
  const explained = over
    ? undefined
    : explainDigest(token, knowledge.internalPassword, secrets, otherValues(call, knowledge));
  return {
    digest: {
      length: token.length,
      lowercaseHex: DIGEST_SHAPE.test(token),
      rightUser: user === knowledge.internalUser,
      ...(user === endUserOf(call) && { isEndUser: true as const }),
      ...(over && {
        over: {
          kind: over.kind,
          owner:
            over.kind === 'exchange-token' ? 'this exchange token' : knowledge.pseudonyms.learn('user', over.owner),
          ...(over.kind === 'user-sign' && { sign: knowledge.pseudonyms.learn('user-sign', over.value) }),
        },
      }),
      ...(explained !== undefined && { explained }),
    },
  };
}

/** Values that a digest may be computed over by mistake: of the call itself, or held by the server. */
function otherValues(call: Json, knowledge: Knowledge): NamedValue[] {
  const params = isObject(call.params) ? call.params : {};
  const members = (object: unknown, prefix: string): NamedValue[] =>
    Object.entries(isObject(object) ? object : {}).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number'
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
    ...members({ user: isObject(call.cred) ? call.cred.user : undefined }, 'cred.'),
    ...(isObject(params.authInfo) ? [{ name: 'authInfo as JSON', value: JSON.stringify(params.authInfo) }] : []),
    { name: 'params as JSON', value: JSON.stringify(params) },
    ...[...knowledge.phones].map((value) => ({ name: 'a phone', value })),
    ...[...knowledge.owned].map(([value, { what }]) => ({ name: `${what} of another call`, value })),
  ];
}

function endUserOf({ params }: Json): unknown {
  const info = isObject(params) && isObject(params.authInfo) ? params.authInfo : {};
  return info.user ?? NO_USER;
}

/** Differs from the user of every call. */
const NO_USER = Symbol('no user');

function factsOfTokens(call: Json, knowledge: Knowledge): Pick<Facts, 'fresh'> {
  const params = isObject(call.params) ? call.params : {};
  const authInfo = isObject(params.authInfo) ? params.authInfo : {};
  const fresh: NonNullable<Facts['fresh']> = {};
  for (const [kind, value] of [
    ['exchange-token', params.exchangeToken],
    ['session-token', authInfo.token],
  ] as const) {
    if (typeof value !== 'string') continue;
    if (kind === 'exchange-token' && typeof authInfo.user === 'string') knowledge.userOf.set(value, authInfo.user);
    const name = knowledge.pseudonyms.learn(kind, value);
    if (!knowledge.tokens[kind].add(name, value)) continue;
    if (typeof authInfo.user === 'string') knowledge.sources.learn(authInfo.user, 'a user');
    const source = knowledge.sources.of(value);
    knowledge.sources.learn(value, 'an earlier token');
    fresh[name] = { kind, length: value.length, ...(source !== undefined && { source }) };
  }
  return Object.keys(fresh).length > 0 ? { fresh } : {};
}

/**
 * Learns the signature given to a client as that of the session's or exchange token's user. A removal that
 * was not refused may have ended the link.
 */
function learnFromEhrReply(call: unknown, reply: unknown, knowledge: Knowledge): Pick<Facts, 'link'> {
  if (!isObject(call)) return {};
  const exchangeToken = isObject(call.params) ? call.params.exchangeToken : undefined;
  const user =
    typeof exchangeToken === 'string'
      ? knowledge.userOf.get(exchangeToken)
      : isObject(call.cred)
        ? call.cred.user
        : undefined;
  if (typeof user !== 'string') return {};
  const of = knowledge.pseudonyms.learn('user', user);
  if (call.method === REMOVE_LINK) return isObject(reply) && isObject(reply.error) ? {} : { link: { user: of } };
  const sign = isObject(reply) && isObject(reply.result) ? reply.result.user_sign : undefined;
  if (typeof sign !== 'string') return {};
  knowledge.learnSign(sign, user);
  return { link: { user: of, sign: knowledge.pseudonyms.learn('user-sign', sign) } };
}

const REMOVE_LINK = 'embedded_storage.remove_authentication';

function typesOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return { '': typeOf(value) };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, typeOf(member)]));
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

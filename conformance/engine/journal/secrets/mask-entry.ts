/**
 * Makes an entry of the journal ready to be shown or written. Adds the facts that need later messages, replaces
 * secrets by pseudonyms, and removes patient data.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson, writeJson } from '#protocol/wire/json.ts';
import type { Entry, ExchangeEntry, Facts, StepResult } from '../entry.ts';
import { idsInTrace, TRACE_HEADER, traceIdOf } from '../headers.ts';
import { type AskingStep, secretsToClient } from './found/secrets-to-client.ts';
import type { Knowledge } from './knowledge.ts';
import type { Pseudonyms } from './pseudonyms.ts';

export function maskEntry(entry: Entry, pseudonyms: Pseudonyms): Entry {
  const mask = (text: string) => pseudonyms.mask(text);
  switch (entry.kind) {
    case 'exchange':
      return maskExchange(entry, pseudonyms);
    case 'outcome':
      return { ...entry, result: maskResult(entry.result, pseudonyms) };
    case 'note':
      return { ...entry, text: mask(entry.text) };
    case 'server':
      return { ...entry, output: entry.output?.map(mask) };
    case 'scenario':
      return entry.stopped
        ? { ...entry, stopped: { ...entry.stopped, because: mask(entry.stopped.because) } }
        : entry;
    default:
      return entry;
  }
}

type Mask = (text: string) => string;

function maskExchange(entry: ExchangeEntry, pseudonyms: Pseudonyms): ExchangeEntry {
  const mask = (text: string) => pseudonyms.mask(text);
  const masked = { ...maskMessage(entry.request, entry.link, mask), path: mask(entry.request.path) };
  const headers = masked.headers.map(([name, value], index): [string, string] => {
    const [, sent = ''] = entry.request.headers[index] ?? [];
    return [name, name.toLowerCase() === TRACE_HEADER && isHarmlessTrace(sent, pseudonyms) ? sent : value];
  });
  const request = { ...masked, headers };
  return {
    ...entry,
    request,
    response: entry.response && maskMessage(entry.response, entry.link, mask),
    trace: traceIdOf(request),
    facts: maskFacts(entry.facts, mask),
  };
}

/** Whether a trace context is well-formed, and none of its ids is a secret that the kit knows. */
function isHarmlessTrace(value: string, pseudonyms: Pseudonyms): boolean {
  const ids = idsInTrace(value);
  return ids.length > 0 && ids.every((id) => /^‹opaque |^$/.test(pseudonyms.nameOf(id) ?? ''));
}

function maskMessage<M extends { headers: [string, string][]; body: string }>(
  message: M,
  link: ExchangeEntry['link'],
  mask: Mask,
): M {
  const headers = message.headers.map(([name, value]): [string, string] => [
    mask(name),
    maskHeader(name, value, mask),
  ]);
  const body = link === 'client->ehr' ? withoutPatient(message.body) : message.body;
  return { ...message, headers, body: maskBody(body, mask) };
}

function maskHeader(name: string, value: string, mask: Mask): string {
  if (COOKIES.test(name)) return maskCookies(value, mask);
  return SECRET_HEADERS.test(name) ? maskWhole(value, mask) : mask(value);
}

/** A pseudonym in place of a number, or of a part of an escape, breaks JSON: then each value is masked alone. */
function maskBody(body: string, mask: Mask): string {
  const masked = mask(body);
  if (masked === body || !tryJson(body) || tryJson(masked)) return masked;
  return body.replace(JSON_VALUE, (written) => {
    const text = written.startsWith('"') ? String(JSON.parse(written)) : written;
    const hidden = mask(text);
    return hidden === text ? written : JSON.stringify(hidden);
  });
}

/** A text or a number of a JSON text. */
const JSON_VALUE = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*/g;

/** Headers whose whole value is removed unless it is a known secret. */
const SECRET_HEADERS = /authorization|cookie|api-?key|token|secret|password/i;

const COOKIES = /^(?:set-)?cookie$/i;
const COOKIE_ATTRIBUTE = /^\s*(?:HttpOnly|Secure|SameSite=(?:Lax|Strict|None)|Path=\/|Max-Age=-?\d+)\s*$/i;

/** Keeps the names of cookies, what a browser does with them, and known secrets as pseudonyms. */
function maskCookies(value: string, mask: Mask): string {
  const parts = value.split(';').map((part) => {
    if (COOKIE_ATTRIBUTE.test(part)) return part;
    const [name = '', ...rest] = part.split('=');
    return rest.length === 0 ? maskWhole(part, mask) : `${mask(name)}=${maskWhole(rest.join('='), mask)}`;
  });
  return parts.join(';');
}

/** Keeps only the scheme ("Bearer") and the pseudonym of a known secret. Removes all else, and what poses as one. */
function maskWhole(value: string, mask: Mask): string {
  const masked = value.includes('‹') ? '' : mask(value);
  return /^([A-Za-z]+ )?‹[a-z-]+ \d+›$/.test(masked) ? masked : `‹removed, ${value.length} characters›`;
}

function maskFacts(facts: Facts, mask: Mask): Facts {
  const { call, reply, inClear, besideBody, patientData, toClient } = facts;
  return {
    ...facts,
    call: call && {
      ...call,
      method: METHOD.test(call.method) ? call.method : mask(call.method),
      jsonrpc: call.jsonrpc === '2.0' ? '2.0' : mask(call.jsonrpc),
      id: call.id && mask(call.id),
      params: maskNames(call.params, mask),
      authInfo: call.authInfo && maskNames(call.authInfo, mask),
      cred: call.cred && maskNames(call.cred, mask),
    },
    reply: reply && { ...reply, reason: reply.reason && mask(reply.reason) },
    inClear: inClear?.map(mask),
    besideBody: besideBody?.map(mask),
    patientData: patientData?.map(mask),
    toClient: toClient?.map(mask),
  };
}

/** Method names of the interface. They look like random words, but are never secrets. */
const METHOD =
  /^(embedded_storage\.(save_auth_info|save_exchange_token|authenticate|remove_auth_info|remove_authentication)|patient\.get_patient|auth\.[a-z_]{1,20})$/;
/** Member names of the interface, which stay. Other names could be secrets, and are masked. */
const MEMBERS = new Set([
  '',
  ...'user token ttl created authInfo exchangeToken patientProperties'.split(' '),
]);

function maskNames(types: Record<string, string>, mask: Mask): Record<string, string> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [MEMBERS.has(name) ? name : mask(name), type]),
  );
}

function maskResult(result: StepResult, pseudonyms: Pseudonyms): StepResult {
  const mask = (text: string) => pseudonyms.mask(text);
  switch (result.kind) {
    case 'done':
      return {
        kind: 'done',
        values: Object.fromEntries(
          Object.entries(result.values).map(([name, value]) => {
            // A lifetime is a number that checks compare and no secret, but it might equal a code.
            if (name === 'ttl' && /^\d+(\.\d+)?$/.test(value)) return [name, value];
            return [name, pseudonyms.nameOf(value) ?? mask(value)];
          }),
        ),
      };
    case 'refused': {
      const { code, reason } = result;
      return { ...result, code: code && mask(code), reason: reason && mask(reason) };
    }
    case 'failed':
      return { ...result, detail: mask(result.detail) };
    default:
      return result;
  }
}

/** Removes patient data from a message between client and EHR server. The names of its members stay. */
function withoutPatient(body: string): string {
  const json = tryJson(body);
  // A body that is no JSON is removed whole: all of it could be patient data.
  if (!json) return body === '' ? body : `‹${body.length} characters that are not JSON›`;
  const { value } = json;
  return writeJson(Array.isArray(value) ? value.map(envelopeOnly) : envelopeOnly(value));
}

/** Members of a JSON-RPC message that cannot contain patient data. */
const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'cred', 'error']);
/** Members of params and result that are no patient data. They are secrets, which get pseudonyms. */
const KEPT = new Set(['exchangeToken', 'user_sign', 'userSign']);
const REMOVED = '‹patient data›';

function envelopeOnly(message: unknown): unknown {
  if (!isObject(message)) return REMOVED;
  return Object.fromEntries(
    Object.entries(message).map(([name, member]) => {
      if (ENVELOPE.has(name)) return [name, member];
      if (member === null || (Array.isArray(member) && member.length === 0)) return [name, member];
      if (!isObject(member)) return [name, REMOVED];
      const inner = Object.entries(member).map(([key, value]) => [key, kept(key, value)] as const);
      return [name, Object.fromEntries(inner)];
    }),
  );
}

function kept(name: string, value: unknown): unknown {
  if (KEPT.has(name) && typeof value === 'string') return value;
  return isObject(value) ? Object.fromEntries(Object.keys(value).map((inner) => [inner, REMOVED])) : REMOVED;
}

/**
 * Adds facts that need later messages. The kit may learn a secret after the answer that leaked it, and only
 * several tokens show how many bits of them are random.
 */
export function withLaterFacts(entry: Entry, knowledge: Knowledge, asking: AskingStep | undefined): Entry {
  if (entry.kind !== 'exchange') return entry;
  const { fresh } = entry.facts;
  if (fresh) return { ...entry, facts: { ...entry.facts, fresh: withBits(fresh, knowledge) } };
  if (entry.link !== 'client->auth' || !entry.response) return entry;
  const toClient = secretsToClient(entry, knowledge, asking);
  return toClient.length === 0 ? entry : { ...entry, facts: { ...entry.facts, toClient } };
}

type FreshTokens = NonNullable<Facts['fresh']>;

function withBits(fresh: FreshTokens, { tokens }: Knowledge): FreshTokens {
  const counted = Object.entries(fresh).map(([name, token]) => {
    const bits = token.source === undefined ? tokens[token.kind].bitsOf(name) : 0;
    return [name, { ...token, bits }];
  });
  return Object.fromEntries(counted);
}

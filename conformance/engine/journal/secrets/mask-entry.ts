/** Masks an entry before it is kept: it reveals no secret and no patient data. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Entry, ExchangeEntry, Facts, StepResult } from '../entry.ts';
import type { Pseudonyms } from './pseudonyms.ts';

export function maskEntry(entry: Entry, pseudonyms: Pseudonyms): Entry {
  const mask = (text: string) => pseudonyms.mask(text);
  switch (entry.kind) {
    case 'exchange':
      return {
        ...entry,
        request: { ...maskMessage(entry.request, entry.link, mask), path: mask(entry.request.path) },
        response: entry.response && maskMessage(entry.response, entry.link, mask),
        facts: maskFacts(entry.facts, mask),
      };
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

function maskMessage<M extends { headers: [string, string][]; body: string }>(
  message: M,
  link: ExchangeEntry['link'],
  mask: Mask,
): M {
  const headers = message.headers.map(([name, value]): [string, string] => [
    mask(name),
    SECRET_HEADERS.test(name) ? maskWhole(value, mask) : mask(value),
  ]);
  return {
    ...message,
    headers,
    body: mask(link === 'client->ehr' ? withoutPatient(message.body) : message.body),
  };
}

const SECRET_HEADERS = /authorization|cookie|api-?key|token|secret|password/i;

/** Keeps only a scheme and the pseudonym of a known secret. */
function maskWhole(value: string, mask: Mask): string {
  const masked = mask(value);
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

/** Method names of the interface: never taken for secrets. */
const METHOD =
  /^(embedded_storage\.(save_auth_info|save_exchange_token|authenticate|remove_auth_info|remove_authentication)|patient\.get_patient|auth\.[a-z_]{1,20})$/;
const MEMBERS = new Set([
  '',
  'user',
  'token',
  'ttl',
  'created',
  'authInfo',
  'exchangeToken',
  'patientProperties',
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
            // A lifetime is a number that checks compare, not a secret.
            if (name === 'ttl' && /^\d+(\.\d+)?$/.test(value)) return [name, value];
            return [name, pseudonyms.nameOf(value) ?? mask(value)];
          }),
        ),
      };
    case 'refused':
      return {
        ...result,
        code: result.code && mask(result.code),
        reason: result.reason && mask(result.reason),
      };
    case 'failed':
      return { ...result, detail: mask(result.detail) };
    default:
      return result;
  }
}

/** Patient data is for the client and the EHR server only: the journal keeps the names of its members. */
function withoutPatient(body: string): string {
  const json = tryJson(body);
  // A body that is no JSON could be patient data as a whole.
  if (!json) return body === '' ? body : `‹${body.length} characters that are not JSON›`;
  const { value } = json;
  return JSON.stringify(Array.isArray(value) ? value.map(envelopeOnly) : envelopeOnly(value));
}

const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'cred', 'error']);
/** Members of params and result that are not patient data; masked by their value. */
const KEPT = new Set(['exchangeToken', 'user_sign', 'userSign']);
const REMOVED = '‹patient data›';

function envelopeOnly(message: unknown): unknown {
  if (!isObject(message)) return REMOVED;
  return Object.fromEntries(
    Object.entries(message).map(([name, member]) => {
      if (ENVELOPE.has(name)) return [name, member];
      if (member === null || (Array.isArray(member) && member.length === 0)) return [name, member];
      if (!isObject(member)) return [name, REMOVED];
      return [
        name,
        Object.fromEntries(Object.entries(member).map(([inner, value]) => [inner, kept(inner, value)])),
      ];
    }),
  );
}

function kept(name: string, value: unknown): unknown {
  if (KEPT.has(name) && typeof value === 'string') return value;
  return isObject(value) ? Object.fromEntries(Object.keys(value).map((inner) => [inner, REMOVED])) : REMOVED;
}

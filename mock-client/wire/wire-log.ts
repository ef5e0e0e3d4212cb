/** The messages on the wire for the panel that shows them. Only values known to be harmless are recorded. */

import { isObject } from '#protocol/wire/envelope.ts';
import { type Failure, isTrouble, type ServerName } from '../calls.ts';
import type { Exchange } from '../rpc.ts';

export type WireEntry = {
  id: number;
  server: ServerName;
  method: string;
  /** `refused`: a server said no, as it may. `failed`: a server is in trouble. */
  state: 'pending' | 'ok' | 'refused' | 'failed';
  /** Why it brought no result. */
  failure: Failure | undefined;
  /** The time at which it was sent, and its duration, in milliseconds. */
  at: number;
  duration: number | undefined;
  request: unknown;
  reply: unknown;
  /** The names of the patient properties that were sent to the server. */
  patientFields: string[];
};

export type WireLog = {
  entries(): readonly WireEntry[];
  observe(exchange: Exchange): void;
  /** Calls `wake` after each change. The returned function unsubscribes. */
  subscribe(wake: () => void): () => void;
};

/** Maximum number of entries. Older ones are dropped. */
export const MAX_ENTRIES = 200;

export function createWireLog(): WireLog {
  const listeners = new Set<() => void>();
  let entries: readonly WireEntry[] = [];
  return {
    entries: () => entries,
    observe(exchange) {
      entries =
        exchange.phase === 'sent'
          ? [...entries, sent(exchange)].slice(-MAX_ENTRIES)
          : settle(entries, exchange);
      for (const wake of listeners) wake();
    },
    subscribe(wake) {
      listeners.add(wake);
      return () => void listeners.delete(wake);
    },
  };
}

/** Returns the fields of a patient that `server` was sent, over all entries, each once. */
export function patientFieldsSentTo(server: ServerName, entries: readonly WireEntry[]): string[] {
  return [
    ...new Set(entries.filter((entry) => entry.server === server).flatMap((entry) => entry.patientFields)),
  ];
}

function sent({ id, server, method, request, at }: Extract<Exchange, { phase: 'sent' }>): WireEntry {
  const masked = { request: mask(request), patientFields: patientFields(request) };
  const open = { state: 'pending', failure: undefined, duration: undefined, reply: undefined } as const;
  return { id, server, method, at, ...masked, ...open };
}

function settle(
  entries: readonly WireEntry[],
  settled: Extract<Exchange, { phase: 'settled' }>,
): WireEntry[] {
  const { id, at, reply, outcome } = settled;
  const failure = outcome.ok ? undefined : outcome.failure;
  const state = failure ? (isTrouble(failure) ? 'failed' : 'refused') : 'ok';
  const ended = { state, failure, reply: reply === undefined ? undefined : mask(reply) } as const;
  return entries.map((entry) => (entry.id === id ? { ...entry, ...ended, duration: at - entry.at } : entry));
}

/** Replaces a value that is not shown. */
export const MASK = '••••';

/** Members whose values reveal nothing about anybody: envelope, error, and counts of the method tables. */
const SHOWN_MEMBERS = new Set([
  ...['jsonrpc', 'id', 'method', 'message', 'reason', 'errors'],
  ...['ttl', 'linked', 'digits', 'expiresIn', 'resendAfter', 'searchStrategy'],
]);

/** Members with long random values: the last characters show whether two are equal. */
const TAILED_MEMBERS = new Set(['token', 'exchangeToken', 'user_sign', 'userSign', 'ehr_user_sign']);

/** Members whose whole content is masked: everything about a patient. */
const PATIENT_MEMBERS = new Set(['patient', 'patientProperties']);

/** Minimum length of a secret whose last characters are shown: the tail would give a shorter one away. */
const MIN_TAILED_CHARS = 16;
const TAIL_CHARS = 4;

/** A copy that may be shown: secrets as `••••abcd`, patient data and unknown values as `••••`. */
export function mask(message: unknown): unknown {
  return maskMember('', message, 'envelope');
}

/** Returns the names of the patient properties in a message, such as `name` and `date`. */
export function patientFields(message: unknown): string[] {
  if (Array.isArray(message)) return message.flatMap(patientFields);
  if (!isObject(message)) return [];
  return Object.entries(message).flatMap(([name, value]) => {
    if (PATIENT_MEMBERS.has(name) && isObject(value))
      return Object.keys(value).filter((field) => field !== 'searchStrategy');
    return name === 'medCardId' ? [name] : patientFields(value);
  });
}

type MaskedPart = 'envelope' | 'error' | 'patient' | 'other';

function maskMember(name: string, value: unknown, place: MaskedPart): unknown {
  if (Array.isArray(value)) return value.map((item) => maskMember(name, item, place));
  if (isObject(value)) {
    const inside = placeOf(name, place);
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, maskMember(member, inner, inside)]),
    );
  }
  if (isShown(name, place)) return value;
  if (
    place !== 'patient' &&
    TAILED_MEMBERS.has(name) &&
    typeof value === 'string' &&
    value.length >= MIN_TAILED_CHARS
  ) {
    return MASK + value.slice(-TAIL_CHARS);
  }
  return MASK;
}

function placeOf(name: string, place: MaskedPart): MaskedPart {
  if (place === 'patient' || PATIENT_MEMBERS.has(name)) return 'patient';
  if (name === '') return 'envelope';
  // The members of an error, and of the EHR's error inside it. There, `code` is a number; elsewhere it is a
  // secret.
  if (name === 'error' || place === 'error') return 'error';
  return 'other';
}

function isShown(name: string, place: MaskedPart): boolean {
  if (place === 'patient') return name === 'searchStrategy';
  return SHOWN_MEMBERS.has(name) || (place === 'error' && name === 'code');
}

/** The messages on the wire, masked when they are recorded, for the panel that shows them. */
import type { Failure, ServerName } from '../calls.ts';
import type { Exchange } from '../rpc.ts';
import { mask, patientFields } from './mask.ts';

export type WireEntry = {
  id: number;
  server: ServerName;
  method: string;
  state: 'pending' | 'ok' | 'refused' | 'failed';
  /** In words: `ok`, a reason with its code, or the failure. Empty while pending. */
  verdict: string;
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
        exchange.phase === 'sent' ? [...entries, sent(exchange)].slice(-MAX_ENTRIES) : settle(entries, exchange);
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
  return [...new Set(entries.filter((entry) => entry.server === server).flatMap((entry) => entry.patientFields))];
}

function sent({ id, server, method, request, at }: Extract<Exchange, { phase: 'sent' }>): WireEntry {
  return {
    id,
    server,
    method,
    state: 'pending',
    verdict: '',
    at,
    duration: undefined,
    request: mask(request),
    reply: undefined,
    patientFields: patientFields(request),
  };
}

function settle(entries: readonly WireEntry[], settled: Extract<Exchange, { phase: 'settled' }>): WireEntry[] {
  const { outcome } = settled;
  const end: Pick<WireEntry, 'state' | 'verdict'> = outcome.ok
    ? { state: 'ok', verdict: 'ok' }
    : { state: outcome.failure.kind === 'refused' ? 'refused' : 'failed', verdict: verdictOf(outcome.failure) };
  return entries.map((entry) =>
    entry.id === settled.id
      ? {
          ...entry,
          ...end,
          duration: settled.at - entry.at,
          reply: settled.reply === undefined ? undefined : mask(settled.reply),
        }
      : entry,
  );
}

function verdictOf(failure: Failure): string {
  switch (failure.kind) {
    case 'refused':
      return `${failure.reason ?? 'refused'} (${failure.code})`;
    case 'unreachable':
      return 'not reached';
    case 'timeout':
      return 'no answer in time';
    case 'nonsense':
      return 'not a valid reply';
    case 'http':
      return `HTTP ${failure.status}`;
  }
}

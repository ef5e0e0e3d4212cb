/** The messages on the wire, masked when they are recorded, for the panel that shows them. */
import { type Failure, isTrouble, type ServerName } from '../calls.ts';
import type { Exchange } from '../rpc.ts';
import { mask, patientFields } from './mask.ts';

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

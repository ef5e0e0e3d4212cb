/** The faults that wait for calls to the EHR server. */
import type { IncomingMessage } from 'node:http';
import { callsIn, type Fault, type SentCall } from './faults.ts';

export type Armed = {
  /** The JSON-RPC method of the affected calls; any unless given. */
  method?: string | undefined;
  fault: Fault;
  /** How many calls are affected; 1 unless given. */
  times?: number;
  /** Selects the affected calls; all unless given. */
  of?: (call: SentCall) => boolean;
  /** Called at each affected call. */
  onMet?: () => void;
};

/** An armed fault with the requests that it holds. */
export type MetFault = Armed & { times: number; held: Set<IncomingMessage> };

export class ArmedFaults {
  readonly #armed: MetFault[] = [];

  /** Injects a fault into the next matching calls; returns a function that removes it. */
  arm(armed: Armed): () => void {
    const entry: MetFault = { times: 1, ...armed, held: new Set() };
    this.#armed.push(entry);
    return () => {
      if (this.#armed.includes(entry)) this.#armed.splice(this.#armed.indexOf(entry), 1);
      // Ends calls that this fault left hanging.
      for (const incoming of entry.held) incoming.socket.destroy();
    };
  }

  /** Takes the fault for the calls in a request body, if any. */
  take(body: string): MetFault | undefined {
    if (this.#armed.length === 0) return undefined;
    const calls = callsIn(body);
    const met = this.#armed.find(
      ({ method, times, of = () => true }) =>
        times > 0 && calls.some((call) => (method === undefined || call.method === method) && of(call)),
    );
    if (met) {
      met.times--;
      met.onMet?.();
    }
    return met;
  }
}

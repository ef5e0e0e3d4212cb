/** Keeps the faults that the recording proxy is to inject into the next calls to the EHR server. */
import { callsIn, type Fault, type SentCall } from './faults.ts';

/** A fault, and the calls into which it is injected. */
export type Armed = {
  /** The JSON-RPC method of the affected calls; every method unless given. */
  method?: string | undefined;
  fault: Fault;
  times?: number;
  /** Whether a call is affected; every call unless given. */
  of?: (call: SentCall) => boolean;
  onMet?: () => void;
};

/**
 * An armed fault that a call has met. `times` is how many more calls it affects, `held` the connections of
 * the calls that it leaves without an answer for now.
 */
export type MetFault = Armed & { times: number; held: Set<{ destroy(): void }> };

export class ArmedFaults {
  readonly #armed: MetFault[] = [];

  /** Injects a fault into the next matching calls. Returns a function that removes the fault. */
  arm(armed: Armed): () => void {
    const entry: MetFault = { times: 1, ...armed, held: new Set() };
    this.#armed.push(entry);
    return () => {
      if (this.#armed.includes(entry)) this.#armed.splice(this.#armed.indexOf(entry), 1);
      // A call that this fault left without an answer would hang for ever.
      for (const connection of entry.held) connection.destroy();
    };
  }

  /**
   * Returns the first fault that one of the calls in a request body meets, and counts the call. `undefined`
   * when none meets one.
   */
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

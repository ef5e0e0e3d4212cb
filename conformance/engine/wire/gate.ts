/**
 * A gate lets several requests reach a server at the same moment, to find races. It holds back the last byte
 * of each request until all requests are there.
 */
import type { ClientRequest } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';

/** The gate opens after this time (ms) in any case: a request that never comes must not block the others. */
const GATE_TIMEOUT_MS = 5_000;

export class Gate {
  readonly #steps: ReadonlySet<number>;
  readonly #waiting: (() => void)[] = [];
  readonly #cancel: () => void;
  readonly #onOpen: () => void;
  #isOpen = false;

  /**
   * @param steps `seq` of the steps whose requests the gate holds, one request for each step
   * @param onOpen called when the gate opens
   */
  constructor(steps: readonly number[], clock: Clock, onOpen: () => void) {
    this.#steps = new Set(steps);
    this.#onOpen = onOpen;
    this.#cancel = clock.after(GATE_TIMEOUT_MS, () => this.#open());
  }

  isFor(step: number): boolean {
    return !this.#isOpen && this.#steps.has(step);
  }

  /**
   * Sends a request except its last byte. A request without a body waits as a whole, on an open connection.
   */
  hold(outgoing: ClientRequest, body: Buffer): void {
    outgoing.on('socket', (socket) => {
      const ready = () => {
        if (body.length > 0) outgoing.write(body.subarray(0, -1));
        this.#waiting.push(() => outgoing.end(body.subarray(-1)));
        if (this.#waiting.length >= this.#steps.size) this.#open();
      };
      // Over TLS the handshake must be complete, too, or the requests would arrive one after another.
      if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', ready);
      else ready();
    });
    // A request that failed will never wait, so the gate would stay closed.
    outgoing.on('error', () => this.#open());
    // A request gets its socket only when its head is to be sent.
    if (body.length > 0) outgoing.flushHeaders();
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#cancel();
    this.#onOpen();
    for (const send of this.#waiting.splice(0)) send();
  }
}

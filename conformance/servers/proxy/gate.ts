/** Requests that reach a server at the same moment: each waits with its last byte until all of them have come so far. */
import type { ClientRequest } from 'node:http';
import type { Clock } from '#protocol/clock.ts';

/** A gate opens by itself after so long, in milliseconds: a request that never came must not hold up the others. */
const GATE_TIMEOUT_MS = 5_000;

export class Gate {
  readonly #steps: ReadonlySet<number>;
  readonly #waiting: (() => void)[] = [];
  readonly #cancel: () => void;
  readonly #onOpen: () => void;
  #isOpen = false;

  /** @param steps `seq` of the steps whose requests it is for, one request each */
  constructor(steps: readonly number[], clock: Clock, onOpen: () => void) {
    this.#steps = new Set(steps);
    this.#onOpen = onOpen;
    this.#cancel = clock.after(GATE_TIMEOUT_MS, () => this.#open());
  }

  isFor(step: number): boolean {
    return !this.#isOpen && this.#steps.has(step);
  }

  /** Sends a request but for its last byte; one without a body waits whole, on its open connection. */
  pass(outgoing: ClientRequest, body: Buffer): void {
    outgoing.on('socket', (socket) => {
      const ready = () => {
        if (body.length > 0) outgoing.write(body.subarray(0, -1));
        this.#waiting.push(() => outgoing.end(body.subarray(-1)));
        if (this.#waiting.length >= this.#steps.size) this.#open();
      };
      // Over TLS the handshake must be over as well, or the requests would come one after another.
      if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', ready);
      else ready();
    });
    outgoing.on('error', () => this.#open());
    // A request that waits for its socket asks for one only when its head is to be sent.
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

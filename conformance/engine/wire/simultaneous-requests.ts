/**
 * Lets several requests reach a server at the same moment, to find races: holds back the last byte of each
 * until all have come.
 */
import type { ClientRequest } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';

/** After this time (ms) the requests go on in any case: one that never comes must not block the others. */
const MAX_WAIT_MS = 5_000;

export class SimultaneousRequests {
  readonly #steps: ReadonlySet<number>;
  readonly #sendLastBytes: (() => void)[] = [];
  readonly #cancelTimeout: () => void;
  readonly #onRelease: () => void;
  #isReleased = false;

  /** @param steps `seq` of the steps whose requests are held, one request for each step */
  constructor(steps: readonly number[], clock: Clock, onRelease: () => void) {
    this.#steps = new Set(steps);
    this.#onRelease = onRelease;
    this.#cancelTimeout = clock.after(MAX_WAIT_MS, () => this.#release());
  }

  holds(step: number): boolean {
    return !this.#isReleased && this.#steps.has(step);
  }

  /** Sends a request except its last byte. One without a body waits as a whole, on an open connection. */
  hold(outgoing: ClientRequest, body: Buffer): void {
    outgoing.on('socket', (socket) => {
      const onConnected = () => {
        if (body.length > 0) outgoing.write(body.subarray(0, -1));
        this.#sendLastBytes.push(() => outgoing.end(body.subarray(-1)));
        if (this.#isReleased || this.#sendLastBytes.length >= this.#steps.size) this.#release();
      };
      // Over TLS the handshake must be complete, too, or the requests would arrive one after another.
      if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected);
      else onConnected();
    });
    // The others would wait in vain for a request that failed.
    outgoing.on('error', () => this.#release());
    // A request gets its socket only when its head is to be sent.
    if (body.length > 0) outgoing.flushHeaders();
  }

  #release(): void {
    this.#isReleased = true;
    this.#cancelTimeout();
    this.#onRelease();
    for (const sendLastByte of this.#sendLastBytes.splice(0)) sendLastByte();
  }
}

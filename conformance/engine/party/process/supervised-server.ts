/** Watches the server under test during a run: reports when the server dies, and restarts it if possible. */
import { type Clock, pause } from '#protocol/time/clock.ts';
import type { ServerEntry } from '../../journal/entry.ts';
import type { Ending } from './child.ts';
import type { ServerProcess } from './server-process.ts';

export type SupervisedParts = {
  clock: Clock;
  isListening: () => Promise<boolean>;
  /** Starts the process of the server; undefined: the user started the server. */
  start?: (() => Promise<ServerProcess>) | undefined;
  /** Restarts a server that runs in the kit's own process; undefined: the server has its own. */
  restart?: (() => Promise<void>) | undefined;
  /** Called when the server died, started again or was given up. */
  onEvent: (event: Omit<ServerEntry, 'kind' | 'seq' | 'at'>) => void;
  signal: AbortSignal;
};

/** Limits the restarts after a death. A server that dies more often is not restarted any more. */
const MAX_RESTARTS = 20;

/** Limit the wait (ms) for the exit of a process whose connections broke, and then for its last output. */
const EXIT_WAIT_MS = 2_000;
const OUTPUT_WAIT_MS = 500;

/** Another program may restart the server: at this interval (ms) the kit looks so often if it listens. */
const LOOK_INTERVAL_MS = 500;
const MAX_LOOKS = 10;

/** The server under test during a run, with its process if the kit started it. */
export class SupervisedServer {
  readonly #parts: SupervisedParts;
  #process: ServerProcess | undefined;
  #pendingCheck: Promise<void> | undefined;
  #isCheckQueued = false;
  #restarts = 0;
  #isAbsenceExpected = false;
  #isGone = false;

  constructor(parts: SupervisedParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const started = await this.#parts.start?.();
    if (!started) return;
    this.#process = started;
    void started.gone.then(() => {
      this.#enqueueCheck(async () => {
        if (this.#process === started && !this.#isAbsenceExpected) await this.#handleDeath();
      });
    });
  }

  /** Call it when a connection to the server broke. Checks whether the server still listens. */
  onConnectionBroken(): void {
    if (this.#isCheckQueued) return;
    this.#isCheckQueued = true;
    this.#enqueueCheck(async () => {
      this.#isCheckQueued = false;
      if (!this.#isAbsenceExpected && !this.#isGone && !(await this.#parts.isListening()))
        await this.#handleDeath();
    });
  }

  /** Waits for all checks. Resolves to whether the server can still be reached. */
  async settled(): Promise<boolean> {
    while (this.#pendingCheck !== undefined) await this.#pendingCheck;
    return !this.#isGone;
  }

  get canRestart(): boolean {
    return this.#process !== undefined || this.#parts.restart !== undefined;
  }

  restart(how?: Ending): Promise<void> {
    return this.whileRestarting(() => this.#startAgain(how));
  }

  /** Runs `act` and waits until the server listens again. Its absence meanwhile does not count as a death. */
  async whileRestarting<T>(act: () => Promise<T>): Promise<T> {
    this.#isAbsenceExpected = true;
    try {
      const result = await act();
      await this.#waitUntilListening();
      return result;
    } finally {
      this.#isAbsenceExpected = false;
    }
  }

  async stop(): Promise<void> {
    this.#isAbsenceExpected = true;
    this.#isGone = true;
    await this.#process?.stop();
  }

  #enqueueCheck(look: () => Promise<void>): void {
    // One check after another: the check before may have restarted the server.
    const own = (this.#pendingCheck ?? Promise.resolve()).then(look).finally(() => {
      if (this.#pendingCheck === own) this.#pendingCheck = undefined;
    });
    this.#pendingCheck = own;
  }

  async #handleDeath(): Promise<void> {
    const { onEvent, start, restart, signal } = this.#parts;
    if (signal.aborted) return;
    const isBack = await this.#isBackByItself();
    if (signal.aborted) return;
    if (isBack) {
      onEvent({ event: 'died', ended: 'was restarted from outside', outside: true });
      onEvent({ event: 'started' });
      return;
    }
    if (!start && !restart) {
      onEvent({ event: 'died', ended: 'closed its port' });
      this.#giveUp('nothing listens at its address any more');
      return;
    }
    onEvent({ event: 'died', ...(await this.#howItEnded()) });
    if (++this.#restarts > MAX_RESTARTS) return this.#giveUp(`it was started again ${MAX_RESTARTS} times`);
    try {
      await this.#startAgain();
      onEvent({ event: 'started' });
    } catch (error) {
      if (!signal.aborted) this.#giveUp(`it did not start again: ${(error as Error).message}`);
    }
  }

  /** Waits for another program to start the server again. A watcher that the kit started lives on meanwhile. */
  async #isBackByItself(): Promise<boolean> {
    const { start, restart, clock, signal } = this.#parts;
    const child = this.#process;
    if (child) await Promise.race([child.gone, pause(clock, EXIT_WAIT_MS, signal)]);
    const isLeftToKit = restart || (start && (!child || child.ended() !== undefined));
    return !isLeftToKit && this.#waitUntilListening();
  }

  /** Reports that the server cannot be reached any more. No scenario is played after this event. */
  #giveUp(ended: string): void {
    this.#isGone = true;
    this.#parts.onEvent({ event: 'unreachable', ended });
  }

  async #howItEnded(): Promise<{ ended: string; output?: string[] }> {
    const child = this.#process;
    const { clock, signal } = this.#parts;
    if (!child) return { ended: 'closed its port' };
    await Promise.race([child.gone, pause(clock, EXIT_WAIT_MS, signal)]);
    const ended = child.ended() ?? 'closed its port while its process went on';
    await Promise.race([child.closed, pause(clock, OUTPUT_WAIT_MS, signal)]);
    return { ended, output: child.output().slice(-MAX_OUTPUT_LINES) };
  }

  async #startAgain(how?: Ending): Promise<void> {
    const old = this.#process;
    this.#process = undefined;
    await old?.stop(how);
    if (this.#parts.start) await this.open();
    else await this.#parts.restart?.();
  }

  async #waitUntilListening(): Promise<boolean> {
    const { clock, signal, isListening } = this.#parts;
    for (let look = 1; look <= MAX_LOOKS && !signal.aborted; look++) {
      if (await isListening()) return true;
      await pause(clock, LOOK_INTERVAL_MS, signal);
    }
    return false;
  }
}

/** How many last lines a report shows: the reason of an end often stands before a long stack trace. */
const MAX_OUTPUT_LINES = 30;

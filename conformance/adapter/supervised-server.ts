/** The server under test while the run goes on: that it dies is noticed and told once, and it is started again where the kit can do so. */
import type { Clock } from '#protocol/clock.ts';
import type { ServerEntry } from '../journal/entry.ts';
import { pause } from './pause.ts';
import type { ServerProcess } from './server-process.ts';

export type SupervisedParts = {
  clock: Clock;
  /** Whether anything listens at the server's address. */
  isListening: () => Promise<boolean>;
  /** Starts its process; undefined where the kit does not. */
  start?: (() => Promise<ServerProcess>) | undefined;
  /** Stops and starts a server that runs in the kit's own process. */
  restart?: (() => Promise<void>) | undefined;
  onEvent: (event: Omit<ServerEntry, 'kind' | 'seq' | 'at'>) => void;
  /** Ends the run. */
  signal: AbortSignal;
};

/** It is started again so many times: a server that dies more often is left alone. */
const MAX_STARTS = 20;

/** The end of a process is told a moment after its connections break, its last lines another moment later; in milliseconds. */
const END_TOLD_MS = 2_000;
const LAST_LINES_MS = 500;

/** Somebody else may be starting it again: it is looked for so often, so many times. */
const LOOK_INTERVAL_MS = 500;
const MAX_LOOKS = 10;

export class SupervisedServer {
  readonly #parts: SupervisedParts;
  #process: ServerProcess | undefined;
  #inDoubt: Promise<void> | undefined;
  #isSuspected = false;
  #starts = 0;
  #isExpected = false;
  #isGone = false;

  constructor(parts: SupervisedParts) {
    this.#parts = parts;
  }

  /** Starts the process, where the kit does so. */
  async open(): Promise<void> {
    const started = await this.#parts.start?.();
    if (!started) return;
    this.#process = started;
    void started.gone.then(() => {
      this.#doubt(async () => {
        if (this.#process === started && !this.#isExpected) await this.#lost();
      });
    });
  }

  /** A connection to it broke: it is looked for. */
  suspect(): void {
    if (this.#isSuspected) return;
    this.#isSuspected = true;
    this.#doubt(async () => {
      this.#isSuspected = false;
      if (!this.#isExpected && !this.#isGone && !(await this.#parts.isListening())) await this.#lost();
    });
  }

  /** Resolves once it is known whether the server is up; it may have been started again meanwhile. */
  async settled(): Promise<boolean> {
    while (this.#inDoubt !== undefined) await this.#inDoubt;
    return !this.#isGone;
  }

  /** Whether {@link restart} can do anything. */
  get canRestart(): boolean {
    return this.#process !== undefined || this.#parts.restart !== undefined;
  }

  /** Stops it and starts it again, on purpose. */
  restart(): Promise<void> {
    return this.expecting(() => this.#again());
  }

  /** That it goes away while `act` is done, and a moment later, is no death. */
  async expecting<T>(act: () => Promise<T>): Promise<T> {
    this.#isExpected = true;
    try {
      const result = await act();
      await this.#comesBack();
      return result;
    } finally {
      this.#isExpected = false;
    }
  }

  async stop(): Promise<void> {
    this.#isExpected = true;
    this.#isGone = true;
    await this.#process?.stop();
  }

  #doubt(look: () => Promise<void>): void {
    // One after the other: what is looked for next may be back by then.
    const own = (this.#inDoubt ?? Promise.resolve()).then(look).finally(() => {
      if (this.#inDoubt === own) this.#inDoubt = undefined;
    });
    this.#inDoubt = own;
  }

  async #lost(): Promise<void> {
    const { onEvent, start, restart, signal } = this.#parts;
    if (signal.aborted) return;
    if (!start && !restart) {
      const isBack = await this.#comesBack();
      if (signal.aborted) return;
      onEvent({ event: 'died', ended: 'closed its port' });
      if (isBack) onEvent({ event: 'started' });
      else this.#giveUp('nothing listens at its address any more');
      return;
    }
    onEvent({ event: 'died', ...(await this.#howItEnded()) });
    if (++this.#starts > MAX_STARTS) return this.#giveUp(`it was started again ${MAX_STARTS} times`);
    try {
      await this.#again();
      onEvent({ event: 'started' });
    } catch (error) {
      if (!signal.aborted) this.#giveUp(`it did not start again: ${(error as Error).message}`);
    }
  }

  /** The one event that no scenario is played after. */
  #giveUp(ended: string): void {
    this.#isGone = true;
    this.#parts.onEvent({ event: 'unreachable', ended });
  }

  async #howItEnded(): Promise<{ ended: string; output?: readonly string[] }> {
    const child = this.#process;
    const { clock, signal } = this.#parts;
    if (!child) return { ended: 'closed its port' };
    await Promise.race([child.gone, pause(clock, END_TOLD_MS, signal)]);
    const ended = child.ended() ?? 'closed its port while its process went on';
    await Promise.race([child.closed, pause(clock, LAST_LINES_MS, signal)]);
    return { ended, output: child.output().slice(-SHOWN_LINES) };
  }

  async #again(): Promise<void> {
    const old = this.#process;
    this.#process = undefined;
    await old?.stop();
    if (this.#parts.start) await this.open();
    else await this.#parts.restart?.();
  }

  async #comesBack(): Promise<boolean> {
    const { clock, signal, isListening } = this.#parts;
    for (let look = 1; look <= MAX_LOOKS && !signal.aborted; look++) {
      if (await isListening()) return true;
      await pause(clock, LOOK_INTERVAL_MS, signal);
    }
    return false;
  }
}

/** The cause of an end stands in the last lines, often before a stack trace. */
const SHOWN_LINES = 30;

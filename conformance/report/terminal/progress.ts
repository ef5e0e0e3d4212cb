/** Progress during a run: one changing line on a terminal, plain lines anywhere else. */
import type { Entry, ExchangeEntry, ScenarioEntry } from '../../journal/entry.ts';
import { count, duration, exchangeLine, harmless, notPlayed } from '../words.ts';
import { cut, type Paint, type Screen, widthOf } from './terminal.ts';

export type ProgressOptions = {
  screen: Screen;
  paint: Paint;
  /** The number of scenarios to be played, if known. */
  total?: number | undefined;
  /** A watched session: every message gets its line. */
  watch?: boolean | undefined;
};

const CLEAR_LINE = '\r\u001b[2K';

export type Progress = {
  /** Takes every entry of the journal, masked, as soon as it is complete. */
  entry(entry: Entry): void;
  /** Writes a separate line above the changing one. */
  line(text: string): void;
  /** Removes the changing line, before the report. */
  end(): void;
};

export function progressOn(options: ProgressOptions): Progress {
  const lines = new ChangingLine(options);
  /** Of the scenarios that are under way: several are, side by side. */
  const running = new Map<string, Running>();

  const onScenario = (entry: ScenarioEntry) => {
    if (entry.phase === 'begin') {
      running.set(entry.scenario, { messages: 0, begunAt: entry.at });
      lines.begin(entry.scenario);
      return;
    }
    const { messages, begunAt } = running.get(entry.scenario) ?? { messages: 0, begunAt: entry.at };
    running.delete(entry.scenario);
    const took = `${count(messages, 'message')}, ${duration(entry.at - begunAt)}`;
    lines.line(endOf(entry, took, options.paint));
  };

  return {
    line: (text) => lines.line(text),
    end: () => lines.clear(),
    entry(entry) {
      switch (entry.kind) {
        case 'scenario':
          return onScenario(entry);
        case 'step':
          return lines.status(`${entry.scenario} · ${entry.label}`);
        case 'note':
          return lines.line(harmless(entry.text));
        case 'exchange':
          countMessage(running, entry);
          if (options.watch) lines.line(harmless(exchangeLine(entry)));
          return;
        case 'server':
          return lines.line(`The server under test ${entry.ended ?? entry.event}.`);
        case 'outcome':
        case 'observation':
        case 'code':
        case 'silence':
          return;
      }
    },
  };
}

/** The lines of a run. The last one changes, if the screen is a terminal. */
class ChangingLine {
  readonly #options: ProgressOptions;
  readonly #live: boolean;
  #shown = false;
  #number = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#live = options.screen.isTTY === true;
  }

  clear(): void {
    if (this.#shown) this.#options.screen.write(CLEAR_LINE);
    this.#shown = false;
  }

  line(text: string): void {
    this.clear();
    this.#options.screen.write(`${text}\n`);
  }

  /** Announce the next scenario. */
  begin(scenario: string): void {
    this.#number++;
    const { total } = this.#options;
    if (this.#live) this.status(scenario);
    else this.line(`begin  ${scenario}${total === undefined ? '' : ` (${this.#number} of ${total})`}`);
  }

  /** Show what is under way; does nothing unless the screen is a terminal. */
  status(text: string): void {
    if (!this.#live) return;
    const { screen, paint } = this.#options;
    const line = cut(`${this.#place()} ${harmless(text).replaceAll('\n', ' ')}`, widthOf(screen) - 1);
    screen.write(`${CLEAR_LINE}${paint('dim', line)}`);
    this.#shown = true;
  }

  /** How many scenarios have begun. */
  #place(): string {
    const { total } = this.#options;
    if (total === undefined) return `[${this.#number}]`;
    return `[${String(this.#number).padStart(String(total).length)}/${total}]`;
  }
}

type Running = { messages: number; begunAt: number };

/** A call of the server under test names no scenario; while one is alone, it is that one's. */
function countMessage(running: ReadonlyMap<string, Running>, entry: ExchangeEntry): void {
  for (const [scenario, own] of running) {
    if (entry.scenario === scenario || (entry.scenario === undefined && running.size === 1)) own.messages++;
  }
}

function endOf({ scenario, stopped, absent, notPlayable }: ScenarioEntry, took: string, paint: Paint): string {
  if (notPlayable !== undefined) return `${scenario} not played: ${notPlayable}`;
  if (absent) return `${scenario} ${notPlayed(absent)}`;
  if (!stopped) return `${paint('green', 'played')} ${scenario}  ${paint('dim', took)}`;
  return `${paint('yellow', 'stopped')} ${scenario}  ${paint('dim', took)}\n       ${harmless(stopped.because)}`;
}

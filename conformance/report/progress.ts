/** Progress during a run: one changing line on a terminal, plain lines anywhere else. */
import type { Entry, ScenarioEntry } from '../journal/entry.ts';
import { cut, type Paint, type Screen, widthOf } from './terminal.ts';
import { count, duration, exchangeLine, harmless, notPlayed } from './words.ts';

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

export function progressOn({ screen, paint, total, watch = false }: ProgressOptions): Progress {
  const live = screen.isTTY === true;
  let shown = false;
  let number = 0;
  /** Of the scenarios that are under way: several are, side by side. */
  const running = new Map<string, { messages: number; begunAt: number }>();

  const clear = () => {
    if (shown) screen.write(CLEAR_LINE);
    shown = false;
  };
  const line = (text: string) => {
    clear();
    screen.write(`${text}\n`);
  };
  const status = (text: string) => {
    if (!live) return;
    const place = total === undefined ? `[${number}]` : `[${String(number).padStart(String(total).length)}/${total}]`;
    screen.write(
      `${CLEAR_LINE}${paint('dim', cut(`${place} ${harmless(text).replaceAll('\n', ' ')}`, widthOf(screen) - 1))}`,
    );
    shown = true;
  };

  const onScenario = (entry: ScenarioEntry) => {
    if (entry.phase === 'begin') {
      number++;
      running.set(entry.scenario, { messages: 0, begunAt: entry.at });
      if (live) status(entry.scenario);
      else line(`begin  ${entry.scenario}`);
      return;
    }
    const { messages, begunAt } = running.get(entry.scenario) ?? { messages: 0, begunAt: entry.at };
    running.delete(entry.scenario);
    const took = `${count(messages, 'message')}, ${duration(entry.at - begunAt)}`;
    line(endOf(entry, took, paint));
  };

  return {
    line,
    end: clear,
    entry(entry) {
      switch (entry.kind) {
        case 'scenario':
          return onScenario(entry);
        case 'step':
          return status(`${entry.scenario} · ${entry.label}`);
        case 'note':
          return line(harmless(entry.text));
        case 'exchange':
          // A call of the server under test names no scenario; while one is alone, it is that one's.
          for (const [scenario, own] of running)
            if (entry.scenario === scenario || (entry.scenario === undefined && running.size === 1)) own.messages++;
          if (watch) line(harmless(exchangeLine(entry)));
          return;
        case 'server':
          return line(`The server under test ${entry.ended ?? entry.event}.`);
        case 'outcome':
        case 'observation':
        case 'code':
        case 'silence':
          return;
      }
    },
  };
}

function endOf({ scenario, stopped, absent }: ScenarioEntry, took: string, paint: Paint): string {
  if (absent) return `${scenario} ${notPlayed(absent)}`;
  if (!stopped) return `${paint('green', 'played')} ${scenario}  ${paint('dim', took)}`;
  return `${paint('yellow', 'stopped')} ${scenario}  ${paint('dim', took)}\n       ${harmless(stopped.because)}`;
}

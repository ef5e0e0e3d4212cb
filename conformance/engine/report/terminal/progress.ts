/** Shows the progress of a run: one changing line on a terminal, a single line in a build log. */
import type { Entry, EntryOf } from '../../journal/entry.ts';
import { count, harmless, inOneLine } from '../words.ts';
import { cut, type Paint, type Screen, widthOf } from './terminal.ts';

/** The terminal or build log of a run, and what is known of the run beforehand. */
export type ProgressOptions = {
  screen: Screen;
  paint: Paint;
  /** The number of scenarios to be played, if known. */
  total?: number | undefined;
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

/** Limits the remarks of the kit that are shown during a run. The report has all of them. */
const MAX_REMARKS = 10;

type ShownEntry = EntryOf<'scenario' | 'step' | 'note' | 'server'>;

const SHOWN: ReadonlySet<Entry['kind']> = new Set<ShownEntry['kind']>(['scenario', 'step', 'note', 'server']);

/** Whether an entry says anything of the progress. To mask the others too takes a tenth of a run. */
export const isShown = (entry: Entry): entry is ShownEntry => SHOWN.has(entry.kind);

/** Creates the progress display of one run on a screen. */
export function progressOn(options: ProgressOptions): Progress {
  const lines = new ChangingLine(options);
  const remarks = new Set<string>();
  const remark = (text: string) => {
    // Remarks that differ in numbers alone, such as in how long the kit waits, are shown once.
    const known = text.replace(/\d+/g, '#');
    if (remarks.has(known) || remarks.size >= MAX_REMARKS) return;
    remarks.add(known);
    lines.line(text);
  };
  return {
    line: (text) => lines.line(text),
    end: () => lines.clear(),
    entry(entry) {
      if (!isShown(entry)) return;
      switch (entry.kind) {
        case 'scenario':
          if (entry.phase === 'begin') lines.begin(entry.scenario);
          return;
        case 'step':
          return lines.status(`${entry.scenario} · ${entry.label}`);
        case 'note':
          return remark(harmless(entry.text));
        case 'server':
          return remark(`The server under test ${entry.ended ?? entry.event}.`);
      }
    },
  };
}

class ChangingLine {
  readonly #options: ProgressOptions;
  readonly #live: boolean;
  /** Whether the changing line is on the screen now. */
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

  begin(scenario: string): void {
    this.#number++;
    const { total } = this.#options;
    if (this.#live) this.status(scenario);
    else if (this.#number === 1)
      this.line(
        `Playing ${total === undefined ? 'the scenarios' : count(total, 'scenario')}: the report comes at the end.`,
      );
  }

  /** Shows what is being done now. Does nothing unless the screen is a terminal. */
  status(text: string): void {
    if (!this.#live) return;
    const { screen, paint } = this.#options;
    const line = cut(`${this.#place()}${inOneLine(text)}`, widthOf(screen) - 1);
    screen.write(`${CLEAR_LINE}${paint('dim', line)}`);
    this.#shown = true;
  }

  #place(): string {
    const { total } = this.#options;
    if (this.#number === 0) return '';
    if (total === undefined) return `[${this.#number}] `;
    return `[${String(this.#number).padStart(String(total).length)}/${total}] `;
  }
}

/** Shows the progress of a run: one changing line on a terminal, a line each half minute in a build log. */
import { harmless, inOneLine } from '../../harmless.ts';
import type { Entry, EntryOf } from '../../journal/entry.ts';
import { count, duration } from '../words.ts';
import { cut, type Paint, type Screen, widthOf } from './terminal.ts';

/** The terminal or build log of a run, and what is known of the run beforehand. */
export type ProgressOptions = {
  screen: Screen;
  paint: Paint;
  /** The number of scenarios to be played, if known. */
  total?: number | undefined;
};

type ShownEntry = EntryOf<'scenario' | 'step' | 'note' | 'server'>;

/** A build log without a line for longer looks as if it stood still. */
const TOLD_EACH_MS = 30_000;

const SHOWN: ReadonlySet<Entry['kind']> = new Set<ShownEntry['kind']>(['scenario', 'step', 'note', 'server']);

/** Moves to the start of the line, and erases it. */
const CLEAR_LINE = '\r\u001b[2K';

/** Limits the remarks of the kit that are shown during a run. The report has all of them. */
const MAX_REMARKS = 10;

/** Whether the progress shows an entry. The others need not be masked for it: that takes a tenth of a run. */
export const isShown = (entry: Entry): entry is ShownEntry => SHOWN.has(entry.kind);

/** The line that changes on a terminal, and the lines above it. In a build log no line changes. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #isTerminal: boolean;
  /** Scenarios that have begun, each once, however often it is played; and those that have not ended. */
  readonly #begun = new Set<string>();
  readonly #underWay = new Set<string>();
  readonly #remarks = new Set<string>();
  #isOnScreen = false;
  #toldAt: number | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#isTerminal = options.screen.isTTY === true;
  }

  /** Takes every entry of the journal, masked, as soon as it is complete. */
  entry(entry: Entry): void {
    if (!isShown(entry)) return;
    this.#tellWhatIsLeft(entry.at);
    if (entry.kind === 'step') this.#status(`${entry.scenario} · ${entry.label}`);
    else if (entry.kind === 'note') this.#remark(inOneLine(entry.text));
    else if (entry.kind === 'server')
      this.#remark(inOneLine(`The server under test ${entry.ended ?? entry.event}.`));
    else if (entry.phase === 'begin') this.#begin(entry.scenario);
    else this.#underWay.delete(entry.scenario);
  }

  /** Writes a separate line above the changing one. */
  line(text: string): void {
    this.end();
    this.#options.screen.write(`${harmless(text)}\n`);
  }

  /** Removes the changing line, before the report. */
  end(): void {
    if (this.#isOnScreen) this.#options.screen.write(CLEAR_LINE);
    this.#isOnScreen = false;
  }

  #begin(scenario: string): void {
    const isFirst = this.#begun.size === 0;
    this.#begun.add(scenario);
    this.#underWay.add(scenario);
    const { total } = this.#options;
    const scenarios = total === undefined ? 'the scenarios' : count(total, 'scenario');
    if (this.#isTerminal) this.#status(scenario);
    else if (isFirst) this.line(`Playing ${scenarios}: the report comes at the end.`);
  }

  #remark(text: string): void {
    // Remarks that differ in numbers alone, such as in how long the kit waits, are shown once.
    const pattern = text.replace(/\d+/g, '#');
    if (this.#remarks.has(pattern) || this.#remarks.size >= MAX_REMARKS) return;
    this.#remarks.add(pattern);
    this.line(text);
  }

  /** Says in a build log, each half minute, what is played and what is left. */
  #tellWhatIsLeft(at: number): void {
    this.#toldAt ??= at;
    if (this.#isTerminal || at - this.#toldAt < TOLD_EACH_MS || this.#underWay.size === 0) return;
    this.#toldAt = at;
    const { total } = this.#options;
    const left = total === undefined ? '' : `; ${total - this.#begun.size} of ${total} scenarios are left`;
    this.line(`${duration(at)}: playing ${[...this.#underWay].join(', ')}${left}.`);
  }

  /** Shows what is being done now. Does nothing unless the screen is a terminal. */
  #status(text: string): void {
    if (!this.#isTerminal) return;
    const { screen, paint } = this.#options;
    const line = cut(`${this.#counts()}${inOneLine(text)}`, widthOf(screen) - 1);
    screen.write(`${CLEAR_LINE}${paint('dim', line)}`);
    this.#isOnScreen = true;
  }

  #counts(): string {
    const { total } = this.#options;
    const begun = this.#begun.size;
    if (begun === 0) return '';
    return total === undefined
      ? `[${begun}] `
      : `[${String(begun).padStart(String(total).length)}/${total}] `;
  }
}

/** Writes the journal while a run goes on: gives every entry its place in the order, and hands out what is recorded so far, masked. */
import type { Clock } from '#protocol/clock.ts';
import type {
  Entry,
  ExchangeEntry,
  Facts,
  NoteEntry,
  OutcomeEntry,
  ScenarioEntry,
  StepEntry,
  StepResult,
} from './entry.ts';
import type { Knowledge } from './knowledge.ts';
import { maskEntry } from './mask-entry.ts';
import { observe, type RawExchange } from './observe.ts';

/** An exchange that has begun and holds its place. */
export type OpenExchange = {
  /** Records how it ended; only the first call counts. */
  end(raw: RawExchange, more?: Pick<ExchangeEntry, 'fault' | 'broke'>): void;
};

type Unplaced<T> = T extends Entry ? Omit<T, 'seq' | 'at'> : never;

export class Recorder {
  readonly knowledge: Knowledge;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #entries: Entry[] = [];
  readonly #open = new Set<Open>();
  readonly #listeners = new Set<(entry: Entry) => void>();
  #lastSeq = 0;
  #scenario: string | undefined;

  constructor(clock: Clock, knowledge: Knowledge) {
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.knowledge = knowledge;
  }

  /** Is told every entry when it is complete, in clear: mask it before showing. Returns how to hear no more. */
  onEntry(listener: (entry: Entry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  beginScenario(scenario: string): void {
    this.#scenario = scenario;
    this.#add({ kind: 'scenario', scenario, phase: 'begin' });
  }

  endScenario(scenario: string, how: Pick<ScenarioEntry, 'stopped' | 'absent'> = {}): void {
    this.#add({ kind: 'scenario', scenario, phase: 'end', ...how });
    this.#scenario = undefined;
  }

  /** @returns the seq of the step, for its outcome */
  step(step: Omit<StepEntry, 'kind' | 'seq' | 'at' | 'scenario'>): number {
    return this.#add({ kind: 'step', scenario: this.#scenario ?? '', ...step });
  }

  outcome(step: number, result: StepResult, took: number): void {
    this.#add({ kind: 'outcome', scenario: this.#scenario ?? '', step, result, took });
  }

  note(text: string): void {
    this.#add({ kind: 'note', scenario: this.#scenario, text });
  }

  /** Begins an exchange, which takes its place in the order now; `raw` may be filled in until it ends. */
  exchange(link: RawExchange['link'], raw: RawExchange = { link, request: nothing() }): OpenExchange {
    const place = { seq: ++this.#lastSeq, at: this.#now(), scenario: this.#scenario, link };
    const open: Open = { place, raw, facts: undefined };
    this.#open.add(open);
    return {
      end: (ended, more = {}) => {
        if (!this.#open.delete(open)) return;
        const entry = this.#entryOf({ ...open, raw: ended }, more);
        this.#entries.push(entry);
        for (const listener of this.#listeners) listener(entry);
      },
    };
  }

  /**
   * Everything so far, in order, with secrets and patient data masked. An exchange that is still under way stands there
   * as it is, broken by time-out: nobody saw it end.
   */
  entries(): Entry[] {
    const unfinished = [...this.#open].map((open) => {
      const entry = this.#entryOf(open, { broke: 'timeout' });
      // What is seen for the first time is seen once: it must not be lost for the entry that is to come.
      open.facts = entry.facts;
      return entry;
    });
    return [...this.#entries, ...unfinished].sort((a, b) => a.seq - b.seq).map((entry) => this.mask(entry));
  }

  /** An entry without secrets, as it may be shown and kept. */
  mask(entry: Entry): Entry {
    return maskEntry(entry, this.knowledge.pseudonyms);
  }

  #entryOf({ place, raw, facts }: Open, more: Pick<ExchangeEntry, 'fault' | 'broke'>): ExchangeEntry {
    const { request, response } = raw;
    return {
      kind: 'exchange',
      ...place,
      endedAt: this.#now(),
      request,
      ...(response && { response }),
      ...more,
      facts: { ...observe(raw, this.knowledge), ...(facts?.fresh && { fresh: facts.fresh }) },
    };
  }

  #now(): number {
    return this.#clock.now() - this.#startedAt;
  }

  #add(entry: Unplaced<Entry>): number {
    const placed = { ...entry, seq: ++this.#lastSeq, at: this.#now() } as
      | Exclude<Entry, ExchangeEntry>
      | (ScenarioEntry | StepEntry | OutcomeEntry | NoteEntry);
    this.#entries.push(placed);
    for (const listener of this.#listeners) listener(placed);
    return placed.seq;
  }
}

type Open = {
  readonly place: Pick<ExchangeEntry, 'seq' | 'at' | 'scenario' | 'link'>;
  readonly raw: RawExchange;
  /** What was observed when the journal was asked for while the exchange was under way. */
  facts: Facts | undefined;
};

function nothing(): RawExchange['request'] {
  return { httpVersion: '', method: '', path: '', headers: [], body: '' };
}

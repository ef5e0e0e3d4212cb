/** Records the journal of a run: gives each entry its number and time, and returns the entries masked. */
import type { Clock } from '#protocol/time/clock.ts';
import type {
  CodeFacts,
  Entry,
  ExchangeEntry,
  Expects,
  Facts,
  FaultName,
  Label,
  ObservationEntry,
  RawExchange,
  ScenarioEntry,
  ServerEntry,
  StepEntry,
  StepResult,
} from './entry.ts';
import { type Limits, Newest } from './newest.ts';
import { codeFacts, observe } from './observe.ts';
import type { Knowledge } from './secrets/knowledge.ts';
import { maskEntry, withLaterFacts } from './secrets/mask-entry.ts';

type Ending = Pick<ExchangeEntry, 'response' | 'fault' | 'broke'>;

/** An HTTP exchange that has begun. It has its `seq` already. */
export type OpenExchange = {
  /** Tells that the request is complete and goes on to the server. */
  leave(fault?: FaultName): void;
  /** Records how the exchange ended; only the first call of this function counts. */
  end(ending?: Ending): void;
};

type OpenStep = Pick<StepEntry, 'seq' | 'scenario' | 'user' | 'step' | 'defect'>;

/** Which entries a recorder keeps; all unless given. Listeners get every entry, also one that is not kept. */
type Keeping = { limits?: Limits; isKept?: (entry: Entry) => boolean };

type Unplaced<T> = T extends Entry ? Omit<T, 'seq' | 'at'> : never;

/** The journal of one run while it is being written. Times are in milliseconds since the run began. */
export class Recorder {
  readonly knowledge: Knowledge;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #isKept: (entry: Entry) => boolean;
  readonly #entries: Newest<Entry>;
  readonly #open = new Set<UnendedExchange>();
  readonly #steps = new Map<number, OpenStep>();
  readonly #listeners = new Set<(entry: Entry) => void>();
  readonly #leaveListeners = new Set<(entry: ExchangeEntry) => void>();
  /** The result of {@link entries}, until there is a new entry. */
  #masked: Entry[] | undefined;
  #lastSeq = 0;
  #isStopped = false;

  constructor(clock: Clock, knowledge: Knowledge, { limits, isKept = () => true }: Keeping = {}) {
    this.#clock = clock;
    this.#isKept = isKept;
    this.#entries = new Newest(limits);
    this.#startedAt = clock.now();
    this.knowledge = knowledge;
  }

  /** Calls `listener` with each complete entry, in clear: mask it before you show it. Returns how to stop. */
  onEntry(listener: (entry: Entry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls `listener` with each request that leaves, in clear, before its entry is complete. */
  onLeave(listener: (entry: ExchangeEntry) => void): void {
    this.#leaveListeners.add(listener);
  }

  beginScenario(scenario: string, { alone = false } = {}): void {
    this.#add({ kind: 'scenario', scenario, phase: 'begin', alone: alone || undefined });
  }

  endScenario(scenario: string, how: Pick<ScenarioEntry, 'stopped' | 'absent' | 'notPlayable'> = {}): void {
    this.#add({ kind: 'scenario', scenario, phase: 'end', ...how });
  }

  /** Records that a step begins. A `code` that came to a phone gets its pseudonym; another is left out. */
  step({
    code: typed,
    expects = [],
    ...step
  }: Omit<StepEntry, 'kind' | 'seq' | 'at' | 'phone' | 'expects'> & {
    expects?: readonly Expects[] | undefined;
  }): OpenStep {
    const nameOf = (secret = '') => this.knowledge.pseudonyms.nameOf(secret);
    const [phone, code] = [nameOf(this.knowledge.phoneOf(step)), nameOf(typed)];
    const said = expects.length > 0 ? { expects: [...expects] } : {};
    const open = { ...step, seq: this.#add({ kind: 'step', ...step, ...said, phone, code }) };
    this.#steps.set(open.seq, open);
    return open;
  }

  outcome({ seq, scenario }: OpenStep, result: StepResult, took: number): void {
    this.#add({ kind: 'outcome', scenario, step: seq, result, took });
  }

  note(text: string, scenario?: string): void {
    this.#add({ kind: 'note', scenario, text });
  }

  observation({ scenario, label }: Label, values: ObservationEntry['values']): void {
    this.#add({ kind: 'observation', scenario, label, values });
  }

  code({ scenario, user, phone }: { scenario: string; user: string; phone: string }, code: string): void {
    const facts: CodeFacts = {
      ...codeFacts(code, { phone, now: this.#clock.now(), before: this.knowledge.lastCodes }),
      again: this.knowledge.isUnused(code, phone) || undefined,
    };
    const known = this.knowledge.learnCode(code, phone);
    this.#add({ kind: 'code', scenario, user, code: known, facts });
  }

  silence(took: number): void {
    this.#add({ kind: 'silence', took });
  }

  server(event: Omit<ServerEntry, 'kind' | 'seq' | 'at'>): void {
    this.#add({ kind: 'server', ...event });
  }

  /** Removes all entries so far. Exchanges in progress are recorded when they end. */
  clear(): void {
    this.#entries.clear();
    this.#masked = undefined;
  }

  /** Ends the journal. Exchanges in progress break only because the run ends, so they are not recorded. */
  stop(): void {
    this.#isStopped = true;
    if (this.#open.size > 0) this.#masked = undefined;
    this.#open.clear();
  }

  /**
   * Begins an exchange, and gives it its `seq` now. The caller may fill in `raw` until the exchange ends.
   * @param step `seq` of the step in which the kit sends the request
   */
  exchange(raw: RawExchange, step?: number): OpenExchange {
    const owner = this.#steps.get(step ?? NO_STEP);
    const own = { scenario: owner?.scenario, step: owner?.seq };
    const place = { seq: ++this.#lastSeq, at: this.#now(), ...own, link: raw.link };
    const open: UnendedExchange = { place, raw, facts: undefined };
    if (!this.#isStopped) this.#open.add(open);
    return {
      leave: (fault) => {
        if (this.#leaveListeners.size === 0 || !this.#open.has(open)) return;
        const entry = this.#unfinishedEntryOf(open, { fault });
        for (const listener of this.#leaveListeners) listener(entry);
      },
      end: (ending = {}) => {
        if (this.#open.delete(open)) this.#keep(this.#entryOf(open, ending));
      },
    };
  }

  /**
   * Returns all entries so far, in order, with secrets and patient data masked. An exchange that is still
   * under way is included as if it were broken by timeout.
   */
  entries(): readonly Entry[] {
    if (this.#masked && this.#open.size === 0) return this.#masked;
    const all = [...this.#entries.items, ...this.#unfinished()].sort((a, b) => a.seq - b.seq);
    this.#masked = all.map((entry) => this.mask(entry));
    return this.#masked;
  }

  /** Whether the journal has such an entry. `isWanted` gets the entries in clear. */
  has(isWanted: (entry: Entry) => boolean): boolean {
    return this.#entries.items.some(isWanted);
  }

  /** The calls that wait for their answer now, masked, as if they were broken by timeout. */
  callsUnderWay(): Entry[] {
    return this.#unfinished()
      .filter(({ facts }) => facts.call !== undefined)
      .map((entry) => this.mask(entry));
  }

  #unfinished(): ExchangeEntry[] {
    return [...this.#open].map((open) => this.#unfinishedEntryOf(open, { broke: 'timeout' }));
  }

  #unfinishedEntryOf(open: UnendedExchange, ending: Ending): ExchangeEntry {
    const entry = this.#entryOf(open, ending);
    // A token is new only when it is first observed: keep these facts for the entry at the end.
    open.facts = entry.facts;
    return entry;
  }

  /** Returns an entry without secrets, which may be shown and kept. */
  mask(entry: Entry): Entry {
    const asking = entry.kind === 'exchange' ? this.#steps.get(entry.step ?? NO_STEP) : undefined;
    return maskEntry(withLaterFacts(entry, this.knowledge, asking), this.knowledge.pseudonyms);
  }

  #entryOf({ place, raw, facts }: UnendedExchange, ending: Ending): ExchangeEntry {
    const { request, response = ending.response, stray } = raw;
    const observed = observe({ ...raw, response }, this.knowledge, this.#clock.now());
    const known = { ...observed, fresh: facts?.fresh ?? observed.fresh, stray };
    return { kind: 'exchange', ...place, endedAt: this.#now(), request, ...ending, response, facts: known };
  }

  #now(): number {
    return this.#clock.now() - this.#startedAt;
  }

  #add(entry: Unplaced<Entry>): number {
    const placed = { ...entry, seq: ++this.#lastSeq, at: this.#now() } as Entry;
    this.#keep(placed);
    return placed.seq;
  }

  #keep(entry: Entry): void {
    if (this.#isStopped) return;
    if (this.#isKept(entry)) {
      this.#masked = undefined;
      this.#entries.set(entry.seq, entry);
    }
    for (const listener of this.#listeners) listener(entry);
  }
}

type UnendedExchange = {
  readonly place: Pick<ExchangeEntry, 'seq' | 'at' | 'scenario' | 'step' | 'link'>;
  readonly raw: RawExchange;
  /** The facts from when the journal was requested during the exchange; undefined: it was not. */
  facts: Facts | undefined;
};

/** Steps are numbered from 1. */
const NO_STEP = 0;

/** Writes the journal while a run goes on: gives every entry its place in the order, and hands out what is recorded so far, masked. */
import type { Clock } from '#protocol/clock.ts';
import { isObject } from '#protocol/envelope.ts';
import type { Entry, ExchangeEntry, NoteEntry, OutcomeEntry, ScenarioEntry, StepEntry, StepResult } from './entry.ts';
import type { Knowledge } from './knowledge.ts';
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
  readonly #listeners = new Set<(entry: Entry) => void>();
  #lastSeq = 0;
  #scenario: string | undefined;

  constructor(clock: Clock, knowledge: Knowledge) {
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.knowledge = knowledge;
  }

  /** Is told every entry when it is complete, in clear; mask before showing. */
  onEntry(listener: (entry: Entry) => void): void {
    this.#listeners.add(listener);
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

  exchange(link: RawExchange['link']): OpenExchange {
    const seq = ++this.#lastSeq;
    const at = this.#now();
    const scenario = this.#scenario;
    let ended = false;
    return {
      end: (raw, more = {}) => {
        if (ended) return;
        ended = true;
        const { request, response } = raw;
        const facts = observe(raw, this.knowledge);
        const entry: ExchangeEntry = {
          kind: 'exchange',
          seq,
          at,
          endedAt: this.#now(),
          scenario,
          link,
          request,
          ...(response && { response }),
          ...more,
          facts,
        };
        this.#entries.push(entry);
        for (const listener of this.#listeners) listener(entry);
      },
    };
  }

  /** Everything so far, in order, with secrets and patient data masked. */
  entries(): Entry[] {
    return [...this.#entries].sort((a, b) => a.seq - b.seq).map((entry) => this.mask(entry));
  }

  mask(entry: Entry): Entry {
    const { pseudonyms } = this.knowledge;
    switch (entry.kind) {
      case 'exchange':
        return {
          ...entry,
          request: { ...this.#maskMessage(entry.request, entry.link), path: pseudonyms.mask(entry.request.path) },
          ...(entry.response && { response: this.#maskMessage(entry.response, entry.link) }),
        };
      case 'outcome':
        return { ...entry, result: this.#maskResult(entry.result) };
      case 'note':
        return { ...entry, text: pseudonyms.mask(entry.text) };
      default:
        return entry;
    }
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

  #maskMessage<M extends { headers: [string, string][]; body: string }>(message: M, link: RawExchange['link']): M {
    const { pseudonyms } = this.knowledge;
    const headers = message.headers.map(([name, value]): [string, string] => [
      name,
      SECRET_HEADERS.has(name.toLowerCase()) ? maskAll(value) : pseudonyms.mask(value),
    ]);
    const body = link === 'client->ehr' ? withoutPatient(message.body) : message.body;
    return { ...message, headers, body: pseudonyms.mask(body) };
  }

  #maskResult(result: StepResult): StepResult {
    const { pseudonyms } = this.knowledge;
    if (result.kind === 'done') {
      return {
        kind: 'done',
        values: Object.fromEntries(
          Object.entries(result.values).map(([name, value]) => [name, pseudonyms.mask(value)]),
        ),
      };
    }
    return result.kind === 'failed' ? { ...result, detail: pseudonyms.mask(result.detail) } : result;
  }
}

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

function maskAll(value: string): string {
  return `‹removed, ${value.length} characters›`;
}

/** Patient data is for the client and the EHR server: the journal keeps the names of its members and nothing else. */
function withoutPatient(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Not JSON, so nothing that can be told apart: the whole text could be patient data.
    return body === '' ? body : `‹${body.length} characters that are not JSON›`;
  }
  return JSON.stringify(value, (name, member: unknown) =>
    PATIENT_MEMBERS.has(name) && isObject(member) ? emptied(member) : member,
  );
}

const PATIENT_MEMBERS = new Set(['patient', 'patientProperties']);

function emptied(object: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.keys(object).map((name) => [name, '‹patient data›']));
}

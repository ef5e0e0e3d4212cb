/**
 * For tests of the reports: writes an invented journal in the form in which a run records one. Its clock
 * moves by a few milliseconds at each entry.
 */
import type {
  Entry,
  ExchangeEntry,
  Link,
  ScenarioEntry,
  StepEntry,
  StepResult,
} from '../../journal/entry.ts';

/** A message and its answer. Without `reply` there was no answer. A `body` is written as JSON. */
export type FakeExchange = {
  body?: unknown;
  reply?: unknown;
  status?: number | undefined;
  path?: string;
  /** Milliseconds until the answer. */
  took?: number | undefined;
  /** Adds the calls that the called party makes before it answers. */
  inner?: (() => void) | undefined;
} & Partial<Pick<ExchangeEntry, 'facts' | 'fault' | 'broke'>>;

/** A journal that grows by the calls of its methods. */
export class FakeJournal {
  readonly entries: Entry[] = [];
  #seq = 0;
  #at = 0;
  #scenario = '';

  /** Adds a scenario and what `play` adds. With `end: false` the run was broken off in it. */
  scenario(
    scenario: string,
    play: () => void,
    { end = true, ...how }: Pick<ScenarioEntry, 'stopped' | 'absent'> & { end?: boolean } = {},
  ): void {
    this.#scenario = scenario;
    this.entries.push({ kind: 'scenario', scenario, phase: 'begin', ...this.#now(3) });
    play();
    if (end) this.entries.push({ kind: 'scenario', scenario, phase: 'end', ...how, ...this.#now(2) });
  }

  /** Adds a step, what `during` adds, and the result of the step. Returns the `seq` of everything. */
  step(
    step: Pick<StepEntry, 'user' | 'step' | 'label' | 'defect'>,
    result: StepResult,
    during?: () => void,
  ): number[] {
    const { seq: first, at } = this.unended(step);
    during?.();
    const end = this.#now(0);
    const about = { kind: 'outcome', scenario: this.#scenario, step: first, took: end.at - at } as const;
    this.entries.push({ ...about, result, ...end });
    return Array.from({ length: this.#seq - first + 1 }, (_, index) => first + index);
  }

  note(text: string): void {
    this.entries.push({ kind: 'note', scenario: this.#scenario, text, ...this.#now(1) });
  }

  unended(step: Pick<StepEntry, 'user' | 'step' | 'label' | 'defect'>): { seq: number; at: number } {
    const begin = this.#now(4);
    this.entries.push({ kind: 'step', scenario: this.#scenario, ...step, ...begin });
    return begin;
  }

  exchange(
    link: Link,
    { body, reply, status = 200, path = '/', facts = {}, fault, broke, took = 4, inner }: FakeExchange,
  ): number {
    const { seq, at } = this.#now(1);
    // An exchange stands where it began, before the exchanges that began and ended within it.
    const place = this.entries.length;
    inner?.();
    this.#at += took;
    const request = { httpVersion: '1.1', method: 'POST', path, headers: HEADERS[link], body: textOf(body) };
    const response = reply === undefined ? undefined : { status, headers: REPLY, body: textOf(reply) };
    const about = { seq, at, endedAt: this.#at, scenario: this.#scenario || undefined, link };
    this.entries.splice(place, 0, { kind: 'exchange', ...about, request, response, fault, broke, facts });
    return seq;
  }

  /** The next `seq`, and the time after a pause in milliseconds. */
  #now(pause: number): { seq: number; at: number } {
    this.#at += pause;
    return { seq: ++this.#seq, at: this.#at };
  }
}

const HEADERS: Readonly<Record<Link, [string, string][]>> = {
  'client->auth': Object.entries({ host: '127.0.0.1:4200', 'user-agent': 'embedded-ehr-conformance/0.1.0' }),
  'client->ehr': Object.entries({ host: '127.0.0.1:4101', 'content-type': 'application/json' }),
  'auth->ehr': Object.entries({ host: '127.0.0.1:4102', 'User-Agent': 'acme-auth/7.2 (okhttp 4.12)' }),
  'auth->sms': Object.entries({ host: '127.0.0.1:4103', authorization: '‹removed, 44 characters›' }),
};
const REPLY = Object.entries({ 'content-type': 'application/json' });

const textOf = (body: unknown) => (body === undefined ? '' : JSON.stringify(body));

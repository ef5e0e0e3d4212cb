/** For tests: writes journals as the recorder would, with a regular clock of its own. */
import type {
  Entry,
  ExchangeEntry,
  Link,
  ScenarioEntry,
  StepEntry,
  StepResult,
} from '../../journal/entry.ts';

export type FakeExchange = {
  body?: unknown;
  reply?: unknown;
  status?: number | undefined;
  path?: string;
  /** Milliseconds until the answer. */
  took?: number;
  /** Makes the calls of the called party before its answer. */
  inner?: (() => void) | undefined;
} & Partial<Pick<ExchangeEntry, 'facts' | 'fault' | 'broke'>>;

export class FakeJournal {
  readonly entries: Entry[] = [];
  #seq = 0;
  #at = 0;
  #scenario = '';

  /** Plays a scenario; without `end` it was aborted. */
  scenario(
    name: string,
    play: () => void,
    { stopped, absent, end = true }: Pick<ScenarioEntry, 'stopped' | 'absent'> & { end?: boolean } = {},
  ): void {
    this.#scenario = name;
    this.#add({ kind: 'scenario', scenario: name, phase: 'begin', ...this.#now(3) });
    play();
    if (end) this.#add({ kind: 'scenario', scenario: name, phase: 'end', stopped, absent, ...this.#now(2) });
  }

  /** Adds a step, what crosses during it, and its result. Returns the seqs of all of it. */
  step(
    step: Pick<StepEntry, 'user' | 'step' | 'label' | 'defect'>,
    result: StepResult,
    during?: () => void,
  ): number[] {
    const first = this.#seq + 1;
    const begin = this.#now(4);
    this.#add({ kind: 'step', scenario: this.#scenario, ...step, ...begin });
    during?.();
    const end = this.#now(0);
    this.#add({
      kind: 'outcome',
      scenario: this.#scenario,
      step: begin.seq,
      result,
      took: end.at - begin.at,
      ...end,
    });
    return Array.from({ length: this.#seq - first + 1 }, (_, index) => first + index);
  }

  note(text: string): void {
    this.#add({ kind: 'note', scenario: this.#scenario, text, ...this.#now(1) });
  }

  /** Begins a step that never ends. */
  unended(step: Pick<StepEntry, 'user' | 'step' | 'label'>): void {
    this.#add({ kind: 'step', scenario: this.#scenario, ...step, ...this.#now(4) });
  }

  exchange(
    link: Link,
    { body, reply, status = 200, path = '/', facts = {}, fault, broke, took = 4, inner }: FakeExchange,
  ): number {
    const { seq, at } = this.#now(1);
    // The exchange holds its place while others begin and end.
    const place = this.entries.length;
    inner?.();
    this.#at += took;
    const response = { status, headers: REPLY_HEADERS, body: textOf(reply) };
    this.entries.splice(place, 0, {
      kind: 'exchange',
      seq,
      at,
      endedAt: this.#at,
      scenario: this.#scenario === '' ? undefined : this.#scenario,
      link,
      request: { httpVersion: '1.1', method: 'POST', path, headers: HEADERS[link], body: textOf(body) },
      response: reply === undefined ? undefined : response,
      ...{ fault, broke, facts },
    });
    return seq;
  }

  #now(pause: number): { seq: number; at: number } {
    this.#at += pause;
    return { seq: ++this.#seq, at: this.#at };
  }

  #add(entry: Entry): void {
    this.entries.push(entry);
  }
}

const HEADERS: Readonly<Record<Link, [string, string][]>> = {
  'client->auth': Object.entries({ host: '127.0.0.1:4200', 'user-agent': 'embedded-ehr-conformance/0.1.0' }),
  'client->ehr': Object.entries({ host: '127.0.0.1:4101', 'content-type': 'application/json' }),
  'auth->ehr': Object.entries({ host: '127.0.0.1:4102', 'User-Agent': 'acme-auth/7.2 (okhttp 4.12)' }),
  'auth->sms': Object.entries({ host: '127.0.0.1:4103', authorization: '‹removed, 44 characters›' }),
};

const REPLY_HEADERS = Object.entries({
  'content-type': 'application/json',
  date: 'Thu, 15 Jan 2026 09:00:04 GMT',
});

function textOf(body: unknown): string {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}

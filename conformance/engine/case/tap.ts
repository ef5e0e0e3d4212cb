/**
 * Collects a run in clear, in memory alone: a case that stands alone needs the values that a report masks.
 */
import type { Entry } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { HttpRequest } from '../party/requests/build-request.ts';

/** A request of the kit that no client sends, such as one that moves the clock of the party. */
export type HelperRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** A request by its endpoint, which may be followed by a blank and a path, and its whole body. */
export type SentWhole = { to: string; body: string };

/** Stands in the place of an address where a party was restarted. */
export const RESTART = 'restart:';

/** The note that the SMS gateway fails for the next message to a phone, with the phone and how it fails. */
export const GATEWAY_FAILS = 'the gateway fails';

/** What the kit did between two actions of a person, such as a trouble of a server. */
export type Note = { after: number; scenario: string; what: string; args: readonly unknown[] };

/** The actions of one step that the kit did as a person, and what the party then showed, whole. */
export type Acted = {
  readonly actions: unknown[];
  readonly answers: unknown[];
  /** What a person does not see, by name: such as the log. */
  readonly hidden: Map<string, string>;
};

/** What a tap has collected, in the order in which it began. */
export type Tapped = {
  readonly entries: readonly Entry[];
  /** `after`: the `seq` of the last entry that had begun. */
  readonly helpers: readonly { after: number; request: HelperRequest }[];
  /** The one-time codes that came: the `seq` of the entry, the code, and the phone to which it came. */
  readonly codes: readonly { seq: number; code: string; phone: string }[];
  /** The phone of a step, by the `seq` of the step. */
  readonly phones: ReadonlyMap<number, string>;
  /** What was sent, by the `seq` of the step, where the journal does not keep it all. */
  readonly sent: ReadonlyMap<number, SentWhole>;
  readonly internal: { user: string; password: string };
  readonly notes: readonly Note[];
  /** By the `seq` of the step. */
  readonly acted: ReadonlyMap<number, Acted>;
};

/** Listens to one run. The run calls it as soon as it is open. */
export class Tap {
  readonly #entries: Entry[] = [];
  readonly #helpers: { after: number; request: HelperRequest }[] = [];
  readonly #codes: { seq: number; code: string; phone: string }[] = [];
  readonly #phones = new Map<number, string>();
  readonly #sent = new Map<number, SentWhole>();
  readonly #notes: Note[] = [];
  readonly #acted = new Map<number, Acted>();
  #internal = { user: '', password: '' };
  #last = 0;

  open(recorder: Recorder): void {
    const { knowledge } = recorder;
    this.#internal = { user: knowledge.internalUser, password: knowledge.internalPassword };
    recorder.onEntry((entry) => {
      this.#entries.push(entry);
      this.#last = Math.max(this.#last, entry.seq);
      if (entry.kind !== 'code' && entry.kind !== 'step') return;
      const phone = knowledge.phoneOf(entry) ?? '';
      if (entry.kind === 'step') this.#phones.set(entry.seq, phone);
      else this.#codes.push({ seq: entry.seq, code: knowledge.lastCodes[0] ?? '', phone });
    });
  }

  /** Notes a request of the kit that is in no journal. */
  helper(request: HelperRequest): void {
    this.#helpers.push({ after: this.#last, request });
  }

  /** Notes what a step sends. */
  sent(step: number, whole: SentWhole): void {
    this.#sent.set(step, whole);
  }

  /** Notes that the party was restarted. */
  restarted(): void {
    this.helper({ method: 'POST', url: RESTART, headers: [], body: undefined });
  }

  note(scenario: string, what: string, args: readonly unknown[]): void {
    this.#notes.push({ after: this.#last, scenario, what, args });
  }

  /** Notes one action of a step. */
  acted(step: number, action: unknown): void {
    this.#actedIn(step).actions.push(action);
  }

  /** Notes what the party showed after an action of a step. */
  answered(step: number, answer: unknown): void {
    this.#actedIn(step).answers.push(answer);
  }

  /** Notes what nobody sees after a step. */
  hidden(step: number, name: string, text: string): void {
    this.#actedIn(step).hidden.set(name, text);
  }

  #actedIn(step: number): Acted {
    const acted = this.#acted.get(step) ?? { actions: [], answers: [], hidden: new Map() };
    this.#acted.set(step, acted);
    return acted;
  }

  get tapped(): Tapped {
    const entries = [...this.#entries].sort((a, b) => a.seq - b.seq);
    const [helpers, codes, phones] = [this.#helpers, this.#codes, this.#phones];
    const [notes, acted] = [this.#notes, this.#acted];
    return { entries, helpers, codes, phones, sent: this.#sent, internal: this.#internal, notes, acted };
  }
}

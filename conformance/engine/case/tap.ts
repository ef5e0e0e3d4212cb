/**
 * Collects a run in clear, in memory alone: a case that stands alone needs the values that a report masks.
 */
import type { Entry } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { HttpRequest } from '../party/requests/build-request.ts';

/** A request of the kit that no client sends, such as one that moves the clock of the party. */
export type HelperRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** What a tap has collected, in the order in which it began. */
export type Tapped = {
  readonly entries: readonly Entry[];
  /** `after`: the `seq` of the last entry that had begun. */
  readonly helpers: readonly { after: number; request: HelperRequest }[];
  /** The one-time codes that came: the `seq` of the entry, the code, and the phone to which it came. */
  readonly codes: readonly { seq: number; code: string; phone: string }[];
  /** The phone of a step, by the `seq` of the step. */
  readonly phones: ReadonlyMap<number, string>;
  /** Where a request was sent, by the `seq` of the step, where the journal keeps the path alone. */
  readonly urls: ReadonlyMap<number, string>;
  readonly internal: { user: string; password: string };
};

/** Listens to one run. The run calls it as soon as it is open. */
export class Tap {
  readonly #entries: Entry[] = [];
  readonly #helpers: { after: number; request: HelperRequest }[] = [];
  readonly #codes: { seq: number; code: string; phone: string }[] = [];
  readonly #phones = new Map<number, string>();
  readonly #urls = new Map<number, string>();
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

  /** Notes where the request of this step is sent. */
  sent(step: number, url: string): void {
    this.#urls.set(step, url);
  }

  get tapped(): Tapped {
    const entries = [...this.#entries].sort((a, b) => a.seq - b.seq);
    const [helpers, codes, phones] = [this.#helpers, this.#codes, this.#phones];
    return { entries, helpers, codes, phones, urls: this.#urls, internal: this.#internal };
  }
}

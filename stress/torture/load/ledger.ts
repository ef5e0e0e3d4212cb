/** The client's ledger: an entry is made before a call is sent and closed when its end is known. */
import type { Clock } from '#protocol/clock.ts';
import type { Call, History, Intent, Outcome } from '../check/history.ts';
import { type Cast, USERS } from './cast.ts';

export type Totals = { sent: number; acknowledged: number; refused: number; unknown: number; unsent: number };

/** A call that never left the client leaves no entry. */
export type Ended = Outcome | { kind: 'unsent' };

export class Ledger {
  readonly totals: Totals = { sent: 0, acknowledged: 0, refused: 0, unknown: 0, unsent: 0 };
  readonly groups: { cast: Cast; history: History }[] = [];
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #waiting: { at: number; wake: () => void }[] = [];
  #order = 0;
  #ids = 0;

  /** `onEnd` is called after each call. */
  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Calls that reached a server. */
  get done(): number {
    const { acknowledged, refused, unknown } = this.totals;
    return acknowledged + refused + unknown;
  }

  /** Settles when so many calls are done. */
  reached(at: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push({ at, wake });
      this.#wakeDue();
    });
  }

  open(cast: Cast): History {
    const history: History = { group: cast.group, users: USERS, calls: [] };
    this.groups.push({ cast, history });
    return history;
  }

  /** Enters a call, has it sent, and enters how it ended. */
  async enter(history: History, intent: Intent, process: string, send: (id: number) => Promise<Ended>): Promise<Call> {
    const call: Call = {
      ...intent,
      id: ++this.#ids,
      process,
      invoked: ++this.#order,
      returned: Number.POSITIVE_INFINITY,
      sentAt: this.#clock.now(),
      answeredAt: Number.POSITIVE_INFINITY,
      outcome: { kind: 'unknown', why: 'under way' },
    };
    history.calls.push(call);
    this.totals.sent++;
    const ended = await send(call.id);
    call.answeredAt = this.#clock.now();
    if (ended.kind === 'unsent') {
      history.calls.splice(history.calls.indexOf(call), 1);
      this.totals.unsent++;
      return call;
    }
    call.outcome = ended;
    if (ended.kind !== 'unknown') call.returned = ++this.#order;
    this.totals[ended.kind === 'ok' ? 'acknowledged' : ended.kind]++;
    this.#onEnd();
    this.#wakeDue();
    return call;
  }

  #wakeDue(): void {
    const due = this.#waiting.filter(({ at }) => this.done >= at);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((other) => !due.includes(other));
    for (const { wake } of due) wake();
  }
}

/** The client's ledger: records each call before it is sent, and its outcome when that is known. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Call, History, Intent, Outcome } from '../check/history.ts';
import { type Cast, USER_COUNT } from './cast.ts';

export type Totals = { sent: number; acknowledged: number; refused: number; unknown: number; unsent: number };

/** A call that never left the client is removed from the ledger. */
export type Ended = Outcome | { kind: 'unsent' };

export class Ledger {
  readonly totals: Totals = { sent: 0, acknowledged: 0, refused: 0, unknown: 0, unsent: 0 };
  readonly groups: { cast: Cast; history: History }[] = [];
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #waiting: { at: number; wake: () => void }[] = [];
  #order = 0;
  #ids = 0;

  /** @param onEnd called after each call */
  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Number of calls that reached a server. */
  get done(): number {
    const { acknowledged, refused, unknown } = this.totals;
    return acknowledged + refused + unknown;
  }

  /** Settles when this many calls are done. */
  reached(at: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push({ at, wake });
      this.#wakeDue();
    });
  }

  open(cast: Cast): History {
    const history: History = { group: cast.group, users: USER_COUNT, calls: [] };
    this.groups.push({ cast, history });
    return history;
  }

  /** Records a call, sends it, and records its outcome. */
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

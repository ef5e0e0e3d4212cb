/** The client's ledger: records each call before it is sent, and its outcome when that is known. */
import type { Clock } from '#protocol/time/clock.ts';
import type { CallOutcome, GroupHistory, LedgerCall } from '../check/history.ts';
import type { Cast } from './cast.ts';

export type Totals = { acknowledged: number; refused: number; unknown: number; unsent: number };

/** A call that never left the client is removed from the ledger. */
export type CallEnd = CallOutcome | { kind: 'unsent' };

export class CallLedger {
  readonly totals: Totals = { acknowledged: 0, refused: 0, unknown: 0, unsent: 0 };
  readonly groups: { cast: Cast; history: GroupHistory }[] = [];
  readonly #clock: Clock;
  #waiting: { at: number; wake: () => void }[] = [];
  #order = 0;
  #ids = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
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

  open(cast: Cast): GroupHistory {
    const history: GroupHistory = { group: cast.group, calls: [] };
    this.groups.push({ cast, history });
    return history;
  }

  /** Records a call, sends it, and records its outcome. */
  async enter(
    history: GroupHistory,
    { step, sign, process }: Pick<LedgerCall, 'step' | 'sign' | 'process'>,
    send: (id: number) => Promise<CallEnd>,
  ): Promise<LedgerCall> {
    const call: LedgerCall = {
      step,
      sign,
      process,
      id: ++this.#ids,
      invoked: ++this.#order,
      returned: Number.POSITIVE_INFINITY,
      sentAt: this.#clock.now(),
      answeredAt: Number.POSITIVE_INFINITY,
      outcome: { kind: 'unknown', why: 'under way' },
    };
    history.calls.push(call);
    const ended = await send(call.id);
    call.answeredAt = this.#clock.now();
    this.totals[ended.kind === 'ok' ? 'acknowledged' : ended.kind]++;
    if (ended.kind === 'unsent') {
      history.calls.splice(history.calls.indexOf(call), 1);
      return call;
    }
    call.outcome = ended;
    if (ended.kind !== 'unknown') call.returned = ++this.#order;
    this.#wakeDue();
    return call;
  }

  #wakeDue(): void {
    const due = this.#waiting.filter(({ at }) => this.done >= at);
    this.#waiting = this.#waiting.filter((other) => !due.includes(other));
    for (const { wake } of due) wake();
  }
}

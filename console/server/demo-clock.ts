/** The demo's clock: moves the clocks of both servers with the console's own, and knows the skew of each. */
import type { MovableClock } from '#protocol/time/clock.ts';
import type { ClockState, MoveClock, PartyName, Skews, StateTable } from '../api.ts';
import type { ControlPort } from './control-port.ts';
import { NotPossible } from './refused.ts';

type Server = 'auth' | 'ehr';
type Ends = Pick<ClockState, 'tokenEndsAt' | 'sessionEndsAt'>;

/** A smaller difference counts as none, since reading a clock takes time. */
const MIN_DIFFERENCE_MS = 400;
/** The control port moves a clock by at most this much at once. */
const MAX_MOVE_MS = 366 * 86_400_000;
const SECOND_MS = 1_000;

const NO_SKEW: Skews = { client: 0, auth: 0, ehr: 0 };

export class DemoClock {
  readonly #clock: MovableClock;
  readonly #machine: { now(): number };
  readonly #ports: Readonly<Record<Server, ControlPort>>;
  #skewMs: Skews = NO_SKEW;
  #ends: Ends = { tokenEndsAt: null, sessionEndsAt: null };
  /** The last reading or move under way: one at a time, for a reading amid a move would see half of it. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** How far it was moved by hand since the last reset. */
  movedMs = 0;

  /**
   * @param clock the console's own, which the journal reads
   * @param machine the clock that nobody moves
   */
  constructor(clock: MovableClock, machine: { now(): number }, ports: Readonly<Record<Server, ControlPort>>) {
    this.#clock = clock;
    this.#machine = machine;
    this.#ports = ports;
  }

  get skewMs(): Skews {
    return this.#skewMs;
  }

  now(): number {
    return this.#clock.now();
  }

  state(): ClockState {
    const offsetMs = this.#clock.now() - this.#machine.now();
    return { now: this.now(), offsetMs, skewMs: this.#skewMs, ...this.#ends };
  }

  /** How far the client in the page is ahead of the machine's clock, in milliseconds. */
  clientAheadMs(): number {
    return this.state().offsetMs + this.#skewMs.client;
  }

  /** Learns the next ends from the tables. */
  setEnds(tables: readonly StateTable[]): void {
    const nextOf = (name: StateTable['table']) => {
      const rows = tables.find(({ party, table }) => party === 'ehr' && table === name)?.rows ?? [];
      const ends = rows.flatMap(({ endsAt }) =>
        endsAt !== undefined && endsAt > this.now() ? [endsAt] : [],
      );
      return ends.length === 0 ? null : Math.min(...ends);
    };
    this.#ends = { tokenEndsAt: nextOf('exchangeTokens'), sessionEndsAt: nextOf('sessions') };
  }

  /**
   * Adopts moves made elsewhere, such as by `npm run clock`: of both servers as a move of the demo's clock,
   * of one as its skew. Returns whether there was one.
   */
  follow(): Promise<boolean> {
    return this.#inTurn(() => this.#follow());
  }

  /**
   * Makes the move that the page asks for.
   * @throws NotPossible when there is nothing to move to
   */
  move(move: MoveClock): Promise<void> {
    return this.#inTurn(async () => {
      if ('party' in move) return this.#setSkew(move.party, move.skewMs);
      const ms = 'advanceMs' in move ? move.advanceMs : this.#wayTo(move.to);
      await this.#advance(ms);
      this.movedMs += ms;
    });
  }

  /** Moves all clocks by this time, as a step of a scenario does: `movedMs` does not count it. */
  advance(ms: number): Promise<void> {
    return this.#inTurn(() => this.#advance(ms));
  }

  /** Sets all clocks right. */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#follow();
      for (const party of ['client', 'auth', 'ehr'] as const) await this.#setSkew(party, 0);
      await this.#advance(this.#wayTo('now'));
      this.movedMs = 0;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#underWay.then(work);
    this.#underWay = done.catch(() => undefined);
    return done;
  }

  async #follow(): Promise<boolean> {
    const [auth, ehr] = await Promise.all([this.#aheadOf('auth'), this.#aheadOf('ehr')]);
    const byAuth = auth - this.#skewMs.auth;
    const byEhr = ehr - this.#skewMs.ehr;
    const hasAuthMoved = Math.abs(byAuth) >= MIN_DIFFERENCE_MS;
    const hasEhrMoved = Math.abs(byEhr) >= MIN_DIFFERENCE_MS;
    if (hasAuthMoved && hasEhrMoved && Math.abs(byAuth - byEhr) < MIN_DIFFERENCE_MS) {
      this.#clock.advance(Math.round((byAuth + byEhr) / 2));
      return true;
    }
    if (hasAuthMoved) this.#skewMs = { ...this.#skewMs, auth: rounded(auth) };
    if (hasEhrMoved) this.#skewMs = { ...this.#skewMs, ehr: rounded(ehr) };
    return hasAuthMoved || hasEhrMoved;
  }

  async #advance(ms: number): Promise<void> {
    await Promise.all([this.#advanceServer('auth', ms), this.#advanceServer('ehr', ms)]);
    this.#clock.advance(ms);
  }

  async #setSkew(party: PartyName, skewMs: number): Promise<void> {
    // The client in the page reads its skew from the state of the clock.
    if (party !== 'client') await this.#advanceServer(party, skewMs - this.#skewMs[party]);
    this.#skewMs = { ...this.#skewMs, [party]: skewMs };
  }

  async #advanceServer(server: Server, ms: number): Promise<void> {
    for (let left = ms; left !== 0; ) {
      const advance = Math.max(-MAX_MOVE_MS, Math.min(MAX_MOVE_MS, left));
      await this.#ports[server].post('/clock', { advance });
      left -= advance;
    }
  }

  #wayTo(place: Extract<MoveClock, { to: string }>['to']): number {
    if (place === 'now') return this.#machine.now() - this.#clock.now();
    const isToken = place !== 'afterSessionEnd';
    const end = isToken ? this.#ends.tokenEndsAt : this.#ends.sessionEndsAt;
    if (end === null || end <= this.now()) {
      const what = isToken ? 'exchange token' : 'session';
      throw new NotPossible(`The EHR server holds no ${what} that is still valid. Please make one first.`);
    }
    return end + (place === 'beforeTokenEnd' ? -SECOND_MS : SECOND_MS) - this.now();
  }

  /**
   * How far a server is ahead. The clock went on while it was read, so two bounds are known: it is the known
   * skew where that lies between them, or else the nearer bound.
   */
  async #aheadOf(server: Server): Promise<number> {
    const before = this.now();
    const { now } = await this.#ports[server].get<{ now: number }>('/clock');
    const [least, most] = [now - this.now(), now - before];
    return Math.min(most, Math.max(least, this.#skewMs[server]));
  }
}

function rounded(ms: number): number {
  return Math.abs(ms) < MIN_DIFFERENCE_MS ? 0 : Math.round(ms / 100) * 100;
}

/** The clock of the authorization server, and the pauses that it makes between two codes to a phone. */
import { pause } from '#protocol/time/clock.ts';
import type { Parties } from '../parties/open.ts';

export class AuthClock {
  readonly #parties: Parties;
  readonly #codesAt = new Map<string, number>();
  #aheadMs = 0;

  constructor(parties: Parties) {
    this.#parties = parties;
  }

  async advance(ms: number): Promise<void> {
    this.#aheadMs += ms;
    await this.#parties.auth.advance?.(ms);
  }

  /** Lets the pause pass that the authorization server makes between two codes to a phone. */
  async untilCodeIsDue(phone: string): Promise<void> {
    const { auth, clock, signal } = this.#parties;
    const at = this.#codesAt.get(phone);
    const waitMs = at === undefined ? 0 : at + auth.resendAfterSeconds * 1_000 - this.#now();
    if (waitMs > 0) await (auth.advance ? this.advance(waitMs) : pause(clock, waitMs, signal));
  }

  codeWasSent(phone: string): void {
    this.#codesAt.set(phone, this.#now());
  }

  #now(): number {
    return this.#parties.clock.now() + this.#aheadMs;
  }
}

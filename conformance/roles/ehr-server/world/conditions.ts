/** What a scenario may require of the set-up, and how it lets time pass. */
import type { KnownPerson } from '../settings.ts';
import { Calls } from './calls.ts';
import type { Lifetime } from './pace.ts';

/** Thrown where a scenario cannot be played: the file does not offer what the scenario needs. */
export class NotPlayable extends Error {}

/** Failed matches with one phone in a run: the 20 of an hour (decision 37), less six as a reserve. */
const MAX_FAILURES_OF_PHONE = 14;

export class Conditions<L extends string = string> extends Calls<L> {
  needs(isSo: boolean, otherwise: string): void {
    if (!isSo) throw new NotPlayable(otherwise);
  }

  needsInternalEndpoint(): void {
    this.needs(this.settings.internalUrl !== undefined, 'one endpoint serves both channels');
  }

  needsAttempts(person: KnownPerson, count: number): void {
    const { canAdvance, patients } = this.parts;
    this.needs(
      canAdvance || patients.failuresOf(person) + count <= MAX_FAILURES_OF_PHONE,
      'it needs more failed matches than an hour allows; name more patients, or move the clock',
    );
  }

  /** Lets time pass for the server. @throws NotPlayable where nothing moves its clock and nobody waits */
  async advance(minutes: number, seconds = 0): Promise<void> {
    await this.#pass((minutes * 60 + seconds) * 1_000);
  }

  /** Lets time pass until shortly before a lifetime ends. @throws as {@link advance} */
  async advanceBefore(lifetime: Lifetime): Promise<void> {
    const ms = this.parts.pace.untilBefore(lifetime);
    if (ms > 0) await this.#pass(ms);
  }

  /** Lets time pass until shortly after a lifetime has ended. @throws as {@link advance} */
  async advanceAfter(lifetime: Lifetime): Promise<void> {
    await this.#pass(Math.max(0, this.parts.pace.untilAfter(lifetime)));
  }

  #pass(ms: number): Promise<void> {
    return this.parts.advance(ms);
  }
}

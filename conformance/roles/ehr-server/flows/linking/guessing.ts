/**
 * Checks that nobody can guess the properties of a patient: an EHR server counts failed matches for each user
 * and each phone, because anybody can get new exchange tokens (decision 37).
 */

import { check, done, type EhrCheck, refused } from '../../check.ts';
import type { AuthInfo } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';

/** Failed matches that an hour allows. */
const PER_HOUR = 20;
/** Failed matches that one exchange token allows. */
const PER_TOKEN = 5;
/** After so many minutes the failed matches of before no longer count. */
const WINDOW_MINUTES = 61;

/** The session of an exchange token, and what makes the wrong properties of each attempt with it. */
type Guess = { session: AuthInfo; properties: () => Record<string, unknown> };

/**
 * Plays as many failed matches as an hour allows. `next` is asked for each exchange token, of five matches
 * each.
 */
async function exhaust<L extends string>(
  world: EhrWorld<L | 'a failed match'>,
  next: () => Guess,
): Promise<void> {
  const otherwise = 'the clock of the server cannot be moved, and what is spent here lasts an hour';
  world.needs(world.parts.canWait, otherwise);
  const person = await world.patient();
  for (let token = 0; token < PER_HOUR / PER_TOKEN; token++) {
    const { session, properties } = next();
    const pending = await world.pending({ person, session });
    for (let attempt = 0; attempt < PER_TOKEN; attempt++)
      await world.authenticate('a failed match', pending, { properties: properties() });
  }
}

export const guessingChecks: readonly EhrCheck[] = [
  check({
    id: 'guesses-of-user-limited',
    title: 'After 20 failed matches of one user within an hour authenticate is refused for the user',
    requirements: ['D37-counted-per-user', 'DE-too-many-failed-matches'],
    waitsMinutes: WINDOW_MINUTES,
    expect: {
      'a failed match': refused('patient_not_matched'),
      'right, but too late': refused('too_many_failed_matches'),
      'another user meanwhile': done,
      'an hour later': done,
    },
    async play(world) {
      const { user } = world.session();
      const properties = () => world.strangersProperties();
      await exhaust(world, () => ({ session: world.session(user), properties }));
      const late = await world.signIn('right, but too late', { session: world.session(user) });
      await world.signIn('another user meanwhile');
      await world.advance(WINDOW_MINUTES);
      await world.signIn('an hour later', { person: late.person, session: world.session(user) });
    },
    advice: 'Count failed matches per user too: exchange tokens are free, so the limit of each stops nobody.',
  }),
  check({
    id: 'guesses-of-phone-limited',
    title: 'After 20 failed matches with one phone within an hour authenticate is refused for the phone',
    requirements: ['D37-counted-per-phone', 'DE-too-many-failed-matches'],
    waitsMinutes: WINDOW_MINUTES,
    expect: {
      'a failed match': refused('patient_not_matched'),
      'right, but too late': refused('too_many_failed_matches'),
      'an hour later': done,
    },
    async play(world) {
      const target = await world.patient();
      const { phone } = target;
      // With and without a plus in turn: a server must count both as one phone.
      let tries = 0;
      const spelt = () => (++tries % 2 === 0 ? phone : `+${phone.replace(/^\+/, '')}`);
      const properties = () => ({ ...world.strangersProperties(), phone: spelt() });
      await exhaust(world, () => ({ session: world.session(), properties }));
      await world.signIn('right, but too late', { person: target });
      await world.advance(WINDOW_MINUTES);
      await world.signIn('an hour later', { person: target });
    },
    advice: 'Count failed matches per phone too: many users could try the same patient.',
  }),
];

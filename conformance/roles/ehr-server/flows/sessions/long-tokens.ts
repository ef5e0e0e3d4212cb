/**
 * Checks that an EHR server keeps long tokens whole: two that differ in their last letter alone are
 * different. A server may refuse long tokens.
 */
import { randomToken } from '#protocol/time/random.ts';
import { check, done, type EhrCheck, ends, refused } from '../../check.ts';
import type { EhrWorld } from '../../world/world.ts';

/** One more than the columns and keys of usual databases hold. */
const LENGTHS = [65, 129, 257] as const;

/** Two random tokens of this length that differ in their last letter. */
function twins(world: EhrWorld, length: number): readonly [string, string] {
  const stem = randomToken(world.parts.random, length).slice(0, length - 1);
  return [`${stem}A`, `${stem}B`];
}

/** Requires that the server took one of the lengths. */
const needsTaken = (world: EhrWorld, taken: number) =>
  world.needs(taken > 0, `the server takes no tokens of ${LENGTHS[0]} characters`);

export const longTokenChecks: readonly EhrCheck[] = [
  check({
    id: 'long-sessions-kept-apart',
    title: 'Long session tokens that differ in their last letter alone are different sessions',
    requirements: ['3-save-opens', '1-pair-per-session', '4.4-not-authenticated'],
    expect: {
      'read with another last letter': refused('not_authorized'),
      'log out with another last letter': ends,
      'disconnect with another last letter': ends,
      'read the first': done,
      'save one of another last letter': done,
      'read the second': done,
      'log out the second': done,
      'read the first afterwards': done,
    },
    further: ['save a long token'],
    async play(world) {
      const [first, second] = [await world.linked(), await world.linked()];
      let taken = 0;
      for (const length of LENGTHS) {
        const [token, twin] = twins(world, length);
        const one = { ...world.session(first.session.user), token };
        const { result } = await world.saveAuthInfo('save a long token', one, first.userSign);
        if (result.kind !== 'done') continue;
        taken++;
        const near = { ...one, token: twin };
        await world.getPatient('read with another last letter', near);
        await world.removeAuthInfo('log out with another last letter', near);
        await world.removeAuthentication('disconnect with another last letter', near);
        await world.getPatient('read the first', one);
        const other = { ...near, user: second.session.user };
        await world.saveAuthInfo('save one of another last letter', other, second.userSign);
        await world.getPatient('read the second', other);
        await world.removeAuthInfo('log out the second', other);
        await world.getPatient('read the first afterwards', one);
      }
      needsTaken(world, taken);
    },
    advice: 'Store the whole token or a hash of all of it, and refuse one that is too long.',
  }),
  check({
    id: 'long-exchange-tokens-kept-apart',
    title: 'Long exchange tokens that differ in their last letter alone are different ones',
    requirements: ['7-exchange-token-unknown', '4.2-binds-auth-info', '3-exchange-token-remembered'],
    expect: {
      'use one of another last letter': refused('exchange_token_unknown'),
      'save one of another last letter': done,
      'use the second': done,
      'read the second': done,
      'use the first': done,
      'read the first': done,
    },
    further: ['save a long exchange token'],
    async play(world) {
      let taken = 0;
      for (const length of LENGTHS) {
        const [token, twin] = twins(world, length);
        const [person, another] = [await world.patient(), await world.patient()];
        const first = { person, session: world.sessionFor(person), exchangeToken: token };
        const second = { person: another, session: world.sessionFor(another), exchangeToken: twin };
        const { result } = await world.saveExchangeToken('save a long exchange token', token, first.session);
        if (result.kind === 'done') {
          taken++;
          await world.authenticate('use one of another last letter', { ...first, exchangeToken: twin });
          await world.saveExchangeToken('save one of another last letter', twin, second.session);
          await world.authenticate('use the second', second);
          await world.getPatient('read the second', second.session);
          await world.authenticate('use the first', first);
          await world.getPatient('read the first', first.session);
        }
        await world.release();
      }
      needsTaken(world, taken);
    },
    advice: 'Store the whole exchange token or a hash of all of it, and refuse one that is too long.',
  }),
];

/**
 * Lets a stranger guess at the codes of two phones, and checks that the owners can sign in later: a server
 * that locks a phone for good lets anybody lock anybody out.
 */
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { User } from '../../people/driver.ts';
import { check, flow } from '../flow.ts';
import { unclear } from '../step-values.ts';
import { HALF_LIFE_WAIT_MS, otherCode, TRY_COUNT } from './guesses.ts';

/**
 * The owners. The stranger guesses at Max's code once, and at Nele's once more while her phone may be locked,
 * which must not prolong the lock.
 */
const NAMES = ['Max', 'Nele'] as const;

// Labels of steps. `play` makes those of guesses and sign-ins from the names.
const GUESS = "a stranger's guess at the code of Max";
const MAX = 'Max signs in after the life of a code';
const NELE = 'Nele signs in after the life of a code';
const DRIP = 'one more wrong code, while the phone may be locked';

const LOCK_ADVICE =
  'Let wrong tries spoil the code they are tried against, not the phone: a code that is sent again begins with no wrong tries.';

export const lockedPhone = flow({
  id: 'locked-phone',
  title:
    'A stranger tries many wrong codes for a phone, once or again and again, and its owner signs in later',
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  // Longer lifetimes than 62 s are not waited for: half of one must fit into HALF_LIFE_WAIT_MS with 2 s.
  waits: ({ resend, codeLifetime }) => (codeLifetime > 62 ? 0 : Math.max(resend, codeLifetime) + 2),
  async play(driver) {
    const people: Record<(typeof NAMES)[number], User> = {
      Max: await driver.user('Max'),
      Nele: await driver.user('Nele'),
    };
    // The code of the last name, Nele.
    let neles = '';
    for (const name of NAMES) {
      const code = await driver.code(people[name], `a code for ${name}`);
      const guesses = Array.from({ length: TRY_COUNT }, (_, index) => ({
        user: driver.otherDevice(people[name], `stranger ${index + 1} at the phone of ${name}`),
        step: 'confirmOtp' as const,
        label: `a stranger's guess at the code of ${name}`,
        options: { defect: 'a guess', code: otherCode(code, index + 1) },
      }));
      await driver.atOnce(guesses);
      neles = code;
    }
    const lifetime = driver.codeLifetimeMs;
    const half = { longestWaitMs: HALF_LIFE_WAIT_MS };
    if (!(await driver.advanceTime(lifetime / 2, half))) return;
    await driver.perform(driver.otherDevice(people.Nele, 'the stranger again'), 'confirmOtp', DRIP, {
      defect: 'a guess',
      code: otherCode(neles, TRY_COUNT + 1),
    });
    // Waits until the guessed codes have expired and the pause between two codes, which began when they were
    // sent, is over. A longer wait would let even a lock end that is too long.
    const rest = Math.max(lifetime / 2 + 1_000, driver.resendPauseMs() - lifetime / 2);
    if (!(await driver.advanceTime(rest, { ...half, slackMs: driver.resendSlackMs() }))) return;
    await driver.together(
      NAMES.map((name) => () => driver.trySignIn(people[name], `${name} signs in after the life of a code`)),
    );
  },
  checks: [
    check({
      id: 'phone-not-locked-for-good',
      title: "A stranger's wrong codes keep a phone's owner out no longer than a code lives",
      requirements: ['K-lock-ends'],
      judge(steps, journal) {
        const guesses = steps.all(GUESS);
        const code = steps.find(`${MAX}: request a code`);
        const isStopped = journal.ending('locked-phone')?.stopped !== undefined;
        if (!steps.find(MAX) && isStopped && code?.result.kind === 'refused')
          return {
            expected: 'the owner is sent a code, after the life of the one that was guessed at',
            actual: describe(code.result),
            shownBy: [code],
            timeSensitive: true,
          };
        const owner = steps.of(MAX);
        if (owner.result.kind === 'done') return undefined;
        return {
          expected:
            'the owner signs in with a code of their own, after the life of the one that was guessed at',
          actual: `after ${guesses.length} wrong codes of a stranger: ${describe(owner.result)}`,
          shownBy: [...guesses.slice(0, 1), owner],
          timeSensitive: true,
        };
      },
      advice: LOCK_ADVICE,
    }),
    check({
      id: 'lock-not-prolonged',
      title: 'A further wrong code does not prolong the lock of a phone',
      requirements: ['K-lock-ends'],
      judge(steps) {
        const [once, again] = [steps.of(MAX), steps.of(NELE)];
        const shownBy = [once, ...steps.all(DRIP), again];
        if (once.result.kind !== 'done')
          return unclear(
            `without the further wrong code the phone is locked as well (${describe(once.result)})`,
            ...shownBy,
          );
        if (again.result.kind === 'done') return undefined;
        return {
          expected: 'the owner signs in, as the other one did whose phone was tried only at the beginning',
          actual: describe(again.result),
          shownBy,
          timeSensitive: true,
        };
      },
      advice: LOCK_ADVICE,
    }),
  ],
});

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { fault, unclear, wasTold } from '../step-values.ts';

/** Bytes of signatures of 66, 130 and 258 characters: just above the usual lengths of columns and fields. */
const SIZES = [49, 97, 193] as const;
type Size = (typeof SIZES)[number];

const charsOf = (bytes: Size) => Math.ceil((bytes * 4) / 3);

const report = (bytes: Size) => `report with ${charsOf(bytes)} characters` as const;
const comeBack = (bytes: Size) => `return with ${charsOf(bytes)} characters` as const;

function digestedWhole(steps: Steps, bytes: Size): Judgement {
  const played = [report(bytes), comeBack(bytes)].flatMap((label) => steps.all(label));
  const saves = played.flatMap((step) => sentTo(step, SAVE_AUTH_INFO));
  const wrong = saves.find(({ facts }) => facts.digest?.over?.kind !== 'user-sign');
  if (wrong)
    return {
      ...fault(
        `the digest over the internal password and all ${charsOf(bytes)} characters of the user_sign`,
        wrong.facts.digest?.explained ?? 'the digest is over another text',
        ...played,
        wrong,
      ),
      explains: ['user-sign-digest'],
    };
  if (saves.length > 0) return { right: saves };
  if (!played.some(wasTold))
    return unclear('the long signature was not refused, and no session was saved', ...played);
  return { notApplicable: `the server takes no signature of ${charsOf(bytes)} characters` };
}

export const longSigns = flow({
  id: 'long-signs',
  title: 'The EHR server gives signatures of 66, 130 and 258 characters, and their users return',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  codes: 2 * SIZES.length,
  async play(driver) {
    await driver.forEach(SIZES, (bytes) => `long sign ${charsOf(bytes)}`, linkAndReturn(driver));
  },
  checks: {
    'long-sign-digested': {
      title: 'A long user_sign is digested as a whole',
      requirements: ['5.1-digest'],
      judge(steps) {
        const judged = SIZES.map((bytes) => digestedWhole(steps, bytes));
        const by = (member: string) => judged.find((each) => each && member in each);
        return by('expected') ?? by('unclear') ?? by('right') ?? by('notApplicable');
      },
      advice:
        'Keep the user_sign as a text without a limit, digest all of it, and refuse one that is too long: never cut it.',
    },
  },
});

const linkAndReturn = (driver: Driver) => async (user: User, bytes: Size) => {
  const defect = 'the user_sign is long';
  driver.giveLongSign(user, bytes);
  await driver.signIn(user, `sign in before ${charsOf(bytes)} characters`);
  await driver.linkUnreported(user, `link with ${charsOf(bytes)} characters`);
  const reports = driver.adapter.has('reportLink');
  if (reports) await driver.perform(user, 'reportLink', report(bytes), { defect });
  if (!(await driver.time.passResendPause())) return;
  const { userSign = '' } = user;
  await driver.trySignIn(user, comeBack(bytes), reports ? { defect } : { defect, userSign });
};

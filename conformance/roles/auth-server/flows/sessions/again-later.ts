import type { Expectation } from '../../../../engine/check/flow.ts';
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import type { User } from '../../people/driver.ts';
import { confirm, opensNoSession } from '../codes/guesses.ts';
import { controlDone, END_WHERE_VERIFIED, endedRefused } from '../ending.ts';
import { check, flow } from '../flow.ts';

/** How much time (ms) passes at the end: enough for a server that removes old rows now and then. */
const HOUR_MS = 3_600_000;

const FIRST = 'the first code confirms';
const SECOND = 'the second code confirms';
const LOGOUT = 'the first session logs out';
const USED = [
  'the used code, after another one was requested',
  'the used code, after another sign-in',
  'the used code, an hour later',
] as const;
const ENDED = ['the ended session, after another sign-in', 'the ended session, an hour later'] as const;

const CODE_DEFECT = 'the code was used already';
const SESSION_DEFECT = 'the session was logged out';

/** Judges whether all tries were refused. Those after an hour may be missing: it may not have passed. */
function allRefused(steps: Steps, labels: readonly [string, ...string[]], { judge }: Expectation): Judgement {
  const judged = labels.map((label) => judge(label, steps.all(label)));
  const wrong = judged.find(isFault) ?? judged.find((each) => each !== undefined);
  if (wrong) return wrong;
  // Ends the judgement if not even the first try was played.
  steps.of(labels[0]);
  return controlDone(steps.of(SECOND));
}

export const againLater = flow({
  id: 'again-later',
  title: 'A used code and an ended session are tried again after other requests and after an hour',
  needs: ['requestOtp', 'confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const yara = await driver.user('Yara');
    const first = await driver.code(yara, 'Yara requests a first code');
    await confirm(driver, yara, FIRST, first);
    const ended: User = { ...yara };
    const isEnded =
      driver.adapter.has('logout') && (await driver.perform(ended, 'logout', LOGOUT)).kind === 'done';
    const tryUsed = (label: (typeof USED)[number]) =>
      confirm(driver, driver.otherDevice(yara, 'a stranger with the used code'), label, first, CODE_DEFECT);
    const tryEnded = async (label: (typeof ENDED)[number]) => {
      if (isEnded) await driver.perform({ ...ended }, 'exchangeToken', label, { defect: SESSION_DEFECT });
    };
    if (!(await driver.passResendPause())) return;
    const second = await driver.code(yara, 'Yara requests a second code');
    await tryUsed(USED[0]);
    await confirm(driver, yara, SECOND, second);
    await tryUsed(USED[1]);
    await tryEnded(ENDED[0]);
    if (!(await driver.advanceTime(HOUR_MS))) return;
    await tryUsed(USED[2]);
    await tryEnded(ENDED[1]);
  },
  checks: [
    check({
      id: 'used-code-stays-used',
      title: 'A code that was used opens no session later either',
      requirements: ['K-code-once'],
      judge: (steps) => allRefused(steps, USED, opensNoSession),
      advice:
        'Remove a code when it is used; a request for another code brings none of the earlier ones back.',
    }),
    check({
      id: 'ended-session-stays-ended',
      title: 'A session that was logged out opens nothing later either',
      requirements: ['K-session-ends'],
      judge(steps) {
        const loggedOut = steps.find(LOGOUT);
        return (loggedOut && controlDone(loggedOut)) ?? allRefused(steps, ENDED, endedRefused);
      },
      advice: END_WHERE_VERIFIED,
    }),
  ],
});

/** What holds before a restart of the server holds after it: links, logouts, deletions, used codes. */
import type { FlowChecks } from '../../../../engine/check/flow.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow, refused } from '../flow.ts';
import { savedWithTtl } from '../sessions/session-time.ts';
import { KEEP_ADVICE, notKept } from '../signed-in.ts';
import { isDone, part, unclear, yielded } from '../step-values.ts';

const NOT_RESTARTED =
  'the adapter names no way to start the server again with what it keeps: a step restart, or server.start without keeps: memory';

const KEEP_ENDS =
  'Write the end to disk before the client is answered, and read back at the start nothing that has ended.';

// Labels of steps.
const JON_FIRST = 'Jon signs in first';
const KAY_FIRST = 'Kay signs in first';
const JON_BEFORE = 'Jon asks for an exchange token before the restart';
const JON_AFTER = 'Jon asks for an exchange token after the restart';
const KAY_AFTER = 'Kay asks for an exchange token after the restart';
const JON_RETURNS = 'Jon returns without a signature';
const KAY_RETURNS = 'Kay returns with her signature';
const NAN_AGAIN = 'Nan signs in again after the restart';

/** The ttl (minutes) that the client was told; NaN where it was told none. */
function toldMinutes(steps: Steps, label: string): number {
  const played = steps.find(label);
  return played && isDone(played) ? Number(yielded(played, 'ttl')) : Number.NaN;
}

function endsNoLater(steps: Steps): Judgement {
  const after = steps.of(JON_AFTER);
  steps.of(KAY_FIRST);
  const before = steps.find(JON_BEFORE);
  if (!before)
    return {
      notApplicable:
        'the clock cannot be moved, or no ttl is told: a session cannot be told from a renewed one',
    };
  const shownBy = [before, after];
  if (after.result.kind === 'refused' && isDone(before)) return undefined;
  const kay = steps.find(KAY_AFTER);
  // The minutes left as sent to the EHR server: Jon's before and after the restart, and Kay's after it.
  const [was, is, kays] = [before, after, kay].map((played) => played && savedWithTtl(played)?.ttl);
  if (was === undefined || is === undefined)
    return unclear('no call carried the ttl of the session before the restart and after it', ...shownBy);
  // One minute of tolerance: the server may round up or down.
  if (was + 1 >= toldMinutes(steps, JON_FIRST))
    return {
      notApplicable: 'the ttl that is sent does not count down, so a renewed end cannot be seen by it',
    };
  if (is <= was + 1) return undefined;
  // A restart may set the moved clock back: then Kay has more time left than she was given.
  if (kays === undefined || kays > toldMinutes(steps, KAY_FIRST))
    return unclear('the clock that was moved did not outlive the restart', ...shownBy);
  return {
    expected: `at most ${was} minutes are left of the session, as before the restart`,
    actual: `${is} minutes are left: the restart has renewed it`,
    shownBy,
  };
}

const endedOverRestart: FlowChecks = {
  'logout-kept-over-restart': {
    title: 'A session that was logged out stays so when the server is started again',
    requirements: ['K-ended-over-restart'],
    leftOut: NOT_RESTARTED,
    advice: KEEP_ENDS,
  },
  'deletion-kept-over-restart': {
    title: 'A user who was deleted stays so when the server is started again',
    requirements: ['K-ended-over-restart'],
    leftOut: NOT_RESTARTED,
    labels: 1,
    judge(steps) {
      const newSignIn = steps.find(NAN_AGAIN);
      if (!newSignIn || sentTo(newSignIn, SAVE_AUTH_INFO).length === 0) return undefined;
      return {
        expected: 'a sign-in without save_auth_info',
        actual: 'save_auth_info was sent with a user_sign from before the deletion',
        shownBy: [newSignIn],
      };
    },
    advice: KEEP_ENDS,
  },
  'used-code-kept-over-restart': {
    title: 'A code that was used opens no session when the server is started again',
    requirements: ['K-ended-over-restart'],
    leftOut: NOT_RESTARTED,
    advice: KEEP_ENDS,
  },
  'session-end-kept-over-restart': {
    title: 'A session ends no later when the server is started again',
    requirements: ['K-ended-over-restart', 'K-session-expires'],
    leftOut: NOT_RESTARTED,
    judge: endsNoLater,
    advice: 'Store the end of each session when it is opened, and read it back as it is.',
  },
};

export const keptOverRestart = flow({
  id: 'kept-over-restart',
  title:
    'The server is stopped and started again between a link, a logout, a deletion, and what comes after them',
  when: 'last',
  people: 3,
  codes: 6,
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    if (!driver.canRestart) return;
    const [jon, kay] = [await driver.user('Jon'), await driver.user('Kay')];
    await driver.signIn(jon, JON_FIRST);
    await driver.link(jon, 'Jon links');
    await makeOlder(driver, jon);
    const ended = await logOutAndDelete(driver, jon);
    const code = await driver.code(kay, part(KAY_FIRST, 'request a code'));
    await driver.mustSucceed(kay, 'confirmOtp', KAY_FIRST, { code });
    await driver.link(kay, 'Kay links');
    if (!(await driver.time.passResendPause())) return;
    if (!(await driver.restartServer())) return;
    driver.observe('the server is started again', { restarted: true });
    await driver.perform({ ...jon }, 'exchangeToken', JON_AFTER);
    await driver.perform({ ...kay }, 'exchangeToken', KAY_AFTER);
    const usedCode = 'the code that Kay has used is tried again after the restart';
    await driver.perform(driver.otherDevice(kay, "Kay's other device"), 'confirmOtp', usedCode, {
      defect: 'the code was used before the restart',
      code,
      expects: [refused('the used code is refused', { check: 'used-code-kept-over-restart' })],
    });
    await tryEnded(driver, ended);
    await driver.trySignIn(jon, JON_RETURNS);
    await driver.trySignIn(kay, KAY_RETURNS, { userSign: kay.userSign as string });
  },
  checks: {
    'link-kept-over-restart': {
      title: 'A user who linked before the server was started again is saved when they return',
      requirements: ['K-link-kept'],
      leftOut: NOT_RESTARTED,
      judge: (steps, journal) => notKept(steps, journal, JON_RETURNS),
      advice: KEEP_ADVICE,
    },
    'linked-users-admitted-after-restart': {
      title: 'Users who linked before the server was started again can sign in',
      requirements: ['K-not-locked-out'],
      leftOut: NOT_RESTARTED,
      judge(steps) {
        const before = steps.of(KAY_FIRST);
        const returns = [steps.of(JON_RETURNS), steps.of(KAY_RETURNS)];
        if (!isDone(before)) return unclear('the sign-in did not succeed before either', before);
        const bad = returns.find(({ result }) => result.kind === 'refused');
        const failed = returns.find(({ result }) => result.kind === 'failed');
        if (!bad) return failed && unclear(describe(failed.result), failed);
        return {
          expected: 'the sign-in succeeds, as before the restart',
          actual: `"${bad.step.label}": ${describe(bad.result)}`,
          shownBy: [before, bad],
        };
      },
      advice: 'Store the correspondence table, and all else that a sign-in of a linked user needs, on disk.',
    },
    ...endedOverRestart,
  },
});

/** Whose session or user has ended; undefined where the server has no such step. */
type Ended = { otherDevice: User | undefined; nan: User | undefined };

/** Logs Jon out on another device, and deletes Nan. */
async function logOutAndDelete(driver: Driver, jon: User): Promise<Ended> {
  const ended: Ended = { otherDevice: undefined, nan: undefined };
  if (driver.adapter.has('logout') && (await driver.time.passResendPause())) {
    ended.otherDevice = driver.otherDevice(jon, "Jon's other device");
    await driver.signIn(ended.otherDevice, 'Jon signs in on another device');
    await driver.mustSucceed(ended.otherDevice, 'logout', 'Jon logs out there');
  }
  if (driver.adapter.has('deleteUser')) {
    ended.nan = await driver.user('Nan');
    await driver.signIn(ended.nan, 'Nan signs in');
    await driver.link(ended.nan, 'Nan links');
    await driver.mustCallEhr(ended.nan, 'removeAuthentication', 'Nan disconnects at the EHR server');
    await driver.mustSucceed(ended.nan, 'deleteUser', 'Nan is deleted');
  }
  return ended;
}

async function tryEnded(driver: Driver, { otherDevice, nan }: Ended): Promise<void> {
  if (otherDevice) {
    const expects = refused('the session that was logged out is refused', {
      check: 'logout-kept-over-restart',
    });
    await driver.perform(
      otherDevice,
      'exchangeToken',
      'Jon asks there for an exchange token after the restart',
      { defect: 'the session was logged out before the restart', expects: [expects] },
    );
  }
  if (!nan) return;
  await driver.perform(nan, 'exchangeToken', 'Nan asks for an exchange token after the restart', {
    defect: 'the user was deleted before the restart',
    expects: [refused('the session of the deleted user is refused', { check: 'deletion-kept-over-restart' })],
  });
  await driver.trySignIn(nan, NAN_AGAIN);
}

/** Moves the clock, so that Jon's session has less time left than a new one. */
async function makeOlder(driver: Driver, jon: User): Promise<void> {
  const minutes = Math.min(AGE_MINUTES, Math.floor(Number(jon.ttl ?? 0) / 2));
  if (!driver.time.canAdvance || !(minutes > 2) || !(await driver.time.advance(minutes * 60_000))) return;
  await driver.perform(jon, 'exchangeToken', JON_BEFORE);
}

/** How much older (minutes) Jon's session is than Kay's; less where sessions live less than twice as long. */
const AGE_MINUTES = 10;

/** Sessions of one user on two devices, of which strangers, a logout and a deletion may end one or both. */
import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import { otherCode } from '../codes/guesses.ts';
import { flow, refused, unrefused } from '../flow.ts';
import { controlDone, faultUnlessSlow, gotError, isDone, unclear, yielded } from '../step-values.ts';
import { tryLink } from '../trouble/save-trouble.ts';

// Labels of steps. The devices are a phone and a laptop.
const ALONE = 'exchange token on the phone, alone, once more';
const REQUESTED = 'sign in on the laptop: request a code';
const AFTER_REQUEST = 'exchange token on the phone after a code was requested elsewhere';
const BESIDE = 'exchange token on the phone, beside the laptop';
const LAPTOP_BESIDE = 'exchange token on the laptop';
const GUESS = 'a stranger tries a wrong code for the phone';
const AFTER_GUESS = "exchange token on the phone after the stranger's try";
const AGAIN_TOKEN = 'exchange token on the laptop again';
const AFTER_DELETION = 'exchange token on the laptop after the deletion';

/** The second of them reports a signature that is on record already. */
export const linksOn = (device: 'phone' | 'laptop') => `link on the ${device}` as const;

const NO_LOGOUT = { notApplicable: 'the adapter declares that the server has no logout' };
const NO_CODE = { notApplicable: 'no code is requested from this server' };
const STRANGERS_END_NOTHING =
  'End sessions at a logout, a deletion or their time alone: whoever knows a phone can ask for a code and try one.';

export const twoSessions = flow({
  id: 'two-sessions',
  title:
    'One user holds sessions on two devices while strangers try the phone, logs one out, signs in again, and is deleted from the other',
  people: 2,
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const phone = await driver.user('Jana');
    await driver.signIn(phone, 'sign in on the phone');
    await driver.mustSucceed(phone, 'exchangeToken', 'exchange token on the phone, alone');
    await driver.perform(phone, 'exchangeToken', ALONE);
    if (!(await driver.time.passResendPause())) return;
    let laptop = driver.otherDevice(phone, "Jana's laptop");
    const code = await driver.code(laptop, REQUESTED);
    await driver.perform(phone, 'exchangeToken', AFTER_REQUEST);
    await driver.mustSucceed(laptop, 'confirmOtp', 'sign in on the laptop', { code });
    await driver.perform(phone, 'exchangeToken', BESIDE);
    await driver.perform(laptop, 'exchangeToken', LAPTOP_BESIDE);
    for (const device of ['phone', 'laptop'] as const)
      await tryLink(driver, device === 'phone' ? phone : laptop, linksOn(device));
    if (driver.adapter.has('requestOtp')) {
      if (!(await driver.time.passResendPause())) return;
      const stranger = driver.otherDevice(phone, 'a stranger');
      const input = {
        code: otherCode(await driver.code(stranger, 'a stranger requests a code for the phone')),
      };
      await driver.perform(stranger, 'confirmOtp', GUESS, { defect: 'a guess', ...input });
      await driver.perform(phone, 'exchangeToken', AFTER_GUESS);
    }
    if (driver.adapter.has('logout')) {
      await driver.perform(laptop, 'logout', 'log out on the laptop');
      if (!(await driver.time.passResendPause())) return;
      laptop = driver.otherDevice(phone, "Jana's laptop again");
      await driver.signIn(laptop, 'sign in on the laptop again');
      await driver.perform(laptop, 'exchangeToken', AGAIN_TOKEN);
    }
    if (!driver.adapter.has('deleteUser')) return;
    if ((await driver.perform(phone, 'deleteUser', 'delete the user from the phone')).kind !== 'done') return;
    const defect = 'the user was deleted from another device';
    await driver.perform(laptop, 'exchangeToken', AFTER_DELETION, { defect });
    await driver.trySignIn(await driver.user('Newcomer'), 'somebody else signs in for the first time');
  },
  checks: {
    'session-after-logout-is-new': {
      title: 'A sign-in after a logout opens a session with a token of its own, which works',
      requirements: ['K-session-ends'],
      judge(steps, journal) {
        if (!steps.find(AGAIN_TOKEN) && steps.find(LAPTOP_BESIDE) && journal.allSteps('logout').length === 0)
          return NO_LOGOUT;
        const [first, again] = [steps.of('sign in on the laptop'), steps.of('sign in on the laptop again')];
        const token = steps.of(AGAIN_TOKEN);
        const shownBy = [first, again, token];
        const given = yielded(first, 'token');
        if (given !== undefined && given === yielded(again, 'token'))
          return {
            expected: 'a token that was never given before',
            actual: 'the token of the ended session was given again',
            shownBy,
            explains: ['calls-accepted'],
          };
        if (isDone(token)) return undefined;
        const actual = describe(token.result);
        return faultUnlessSlow('the new session gets an exchange token', actual, ...shownBy);
      },
      advice: 'Draw a fresh random token at every sign-in, and keep no token that was given out.',
    },
    'deletion-ends-all-sessions': {
      title: 'A deletion ends the sessions of the user on all devices',
      requirements: ['K-session-ends'],
      judge(steps, journal) {
        const control = steps.find(AGAIN_TOKEN) ?? steps.find(LAPTOP_BESIDE);
        if (control && journal.allSteps('deleteUser').length === 0)
          return { notApplicable: 'the adapter declares that the server has no deleteUser' };
        const after = steps.of(AFTER_DELETION);
        const isRefused = refused('the session of the other device is refused', { nothingSent: true });
        const wrong = unrefused([after], isRefused);
        return isDone(after) ? wrong : (controlDone(control ?? steps.of(LAPTOP_BESIDE)) ?? wrong);
      },
      advice: 'Delete all sessions of the user with the user.',
    },
    'code-request-ends-no-session': {
      title: 'A request for a code leaves the sessions of the owner of the phone',
      requirements: ['K-session-of-its-own'],
      judge(steps) {
        if (steps.find('sign in on the laptop') && !steps.find(REQUESTED)) return NO_CODE;
        const after = steps.of(AFTER_REQUEST);
        return (
          controlDone(steps.of(ALONE)) ??
          controlDone(steps.of(REQUESTED)) ??
          endedBy('the request for a code ended the session on the phone', after)
        );
      },
      advice: STRANGERS_END_NOTHING,
    },
    'wrong-code-ends-no-session': {
      title: 'A wrong code leaves the sessions of the owner of the phone',
      requirements: ['K-session-of-its-own'],
      judge(steps) {
        const guess = steps.find(GUESS);
        if (steps.find('sign in on the laptop') && !guess) return NO_CODE;
        const [before, after] = [steps.of(BESIDE), steps.of(AFTER_GUESS)];
        if (guess && !gotError(guess)) return unclear('the wrong code was not refused', guess);
        return controlBeside(before) ?? endedBy('the wrong code ended the session on the phone', after);
      },
      advice: STRANGERS_END_NOTHING,
    },
  },
});

/** Judges the step `after`, which uses the session after the event that `actual` names. */
export function endedBy(actual: string, after: PlayedStep): Judgement {
  if (isDone(after)) return undefined;
  // A server that has ended the session sends no save for it.
  if (sentTo(after, SAVE_EXCHANGE_TOKEN).some(({ facts }) => !facts.reply?.result))
    return unclear('the EHR server did not acknowledge the exchange token', after);
  return {
    expected: 'the session of the other device goes on',
    actual: `${actual} (${describe(after.result)})`,
    shownBy: [after],
    timeSensitive: after.result.kind !== 'refused',
  };
}

/** The session on one device after a sign-in on another one, which may rightly end it. */
function controlBeside(beside: PlayedStep): Judgement {
  if (beside.result.kind !== 'refused') return controlDone(beside);
  return { notApplicable: 'the server keeps one session for each user' };
}

/** A linked user returns with a wrong and a right code; another signs in with this user's signature. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { withMembers } from '../../../../engine/wire/request-change.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { CODE_WAIT_MS } from '../../people/codes/codes.ts';
import type { Driver, User } from '../../people/driver.ts';
import { isAcceptedSave, isLate, personOf, sessionsOf } from '../../rules/whose-save.ts';
import { CAME_WITH_REFUSAL, otherCode } from '../codes/guesses.ts';
import { controlOf, flow, refused } from '../flow.ts';
import { fault, gotError, isDone, unclear, yielded } from '../step-values.ts';

const WRONG = 'returns with a wrong code';
const RIGHT = 'returns with the right code';
/** Rules about signatures leave this sign-in out: it is wrong on purpose. */
const FOREIGN = "Ulf signs in with Wim's signature";

function savesNoneEarly(journal: JournalView): Judgement {
  const expected = 'save_auth_info only after the code was confirmed';
  const given = new Map(sessionsOf(journal).map(({ token, played }) => [token, played]));
  for (const save of journal.exchanges('auth->ehr', SAVE_AUTH_INFO)) {
    const confirmation = given.get(save.facts.call?.token ?? '');
    if (confirmation && save.seq < confirmation.step.seq)
      return fault(expected, 'it came before the code was confirmed', save, confirmation);
    const played = journal.stepOf(save);
    if (played?.step.step === 'requestOtp' && !isLate(journal, save, personOf(played)))
      return fault(expected, 'it came before the code was confirmed: when it was requested', played);
  }
  return undefined;
}

/** A wrong code must save no session; that the right one does is the control. */
function savesAtRightCode(steps: Steps): Judgement {
  const wrong = steps.find(WRONG);
  if (wrong && !isDone(wrong) && sentTo(wrong, SAVE_AUTH_INFO).length > 0)
    return {
      expected: 'save_auth_info only after the code was confirmed',
      actual: 'it came before the code was compared: the code was wrong',
      shownBy: [wrong],
    };
  const right = steps.of(RIGHT);
  if (sentTo(right, SAVE_AUTH_INFO).some(isAcceptedSave)) return undefined;
  return unclear('the sign-in with the right code saved no session, so nothing shows when one is', right);
}

/** Judges a sign-in with the signature of the owner, who has signed in before. */
function opensOwn(owner: PlayedStep, played: PlayedStep): Judgement {
  const shownBy = [owner, played];
  if (!isDone(owner)) return unclear('the owner of the signature could not return', ...shownBy);
  const user = yielded(owner, 'user');
  const isOwners = isDone(played) && yielded(played, 'user') === user;
  const saved = sentTo(played, SAVE_AUTH_INFO).find(({ facts }) => facts.call?.user === user);
  if (isOwners || saved)
    return {
      expected: 'a session of the one who confirmed the phone, or a refusal',
      actual: isOwners
        ? 'the session of the user whose signature it was'
        : 'save_auth_info was sent for the user whose signature it was',
      shownBy: [...shownBy, ...(saved ? [saved] : [])],
    };
  return isDone(played) || gotError(played) ? undefined : unclear(describe(played.result), ...shownBy);
}

const RETURN_REQUESTED = 'Wim requests a code for the return';

/** Requests a code with the user_sign beside the phone, where a sign-in brings it: nothing may be saved yet. */
async function codeWithSign(driver: Driver, wim: User): Promise<string | undefined> {
  const confirmation = JSON.stringify(driver.adapter.settings.steps.confirmOtp ?? {});
  const member = /"([^"]+)":"\$\{userSign\??\}"/.exec(confirmation)?.[1];
  if (member === undefined) return undefined;
  const { code } = await driver.codes.request(wim, `${RETURN_REQUESTED}, with user_sign`, {
    defect: 'the request brings the user_sign',
    change: withMembers({ [member]: wim.userSign }),
    waitMs: CODE_WAIT_MS,
  });
  return code;
}

const SIGN_REFUSED = 'wrong-code-with-sign-refused';

export const whoseSession = flow({
  id: 'whose-session',
  title:
    "A linked user returns with a wrong code and then with the right one; somebody else signs in with this user's signature",
  people: 2,
  needs: ['requestOtp', 'confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const wim = await driver.linked('Wim');
    if (!(await driver.time.passResendPause())) return;
    const userSign = wim.userSign as string;
    const code = (await codeWithSign(driver, wim)) ?? (await driver.code(wim, RETURN_REQUESTED));
    await driver.perform(wim, 'confirmOtp', WRONG, {
      defect: 'the code differs from the one sent',
      code: otherCode(code),
      userSign,
      expects: [refused('the sign-in is refused', { check: SIGN_REFUSED })],
    });
    await driver.tryCarried(wim, CAME_WITH_REFUSAL, {
      carried: 'exchange token with what the refusal of the wrong code carries',
      inventedInstead: 'exchange token with an invented value in its place',
    });
    await driver.perform(wim, 'confirmOtp', RIGHT, { code, userSign, expects: controlOf(SIGN_REFUSED) });
    await driver.trySignIn(await driver.user('Ulf'), FOREIGN, {
      defect: 'the signature is of another user',
      userSign,
    });
  },
  checks: {
    'no-save-before-confirmation': {
      title: 'No session is saved before the code was confirmed',
      requirements: ['1-phone-confirmed'],
      judge: (steps, journal) => savesNoneEarly(journal) ?? savesAtRightCode(steps),
      advice:
        'Compare the code first. Open the session and save it at the EHR server only when the code was right: whoever knows a phone must not have a session saved.',
    },
    [SIGN_REFUSED]: {
      title: 'A wrong code opens no session, although the sign-in brings the right user_sign',
      requirements: ['1-phone-confirmed'],
      advice: 'Compare the code first, whatever else the sign-in brings: a user_sign confirms no phone.',
    },
    'foreign-signature-opens-own-session': {
      title: "A sign-in with another user's signature opens a session of the one who confirmed the phone",
      requirements: ['1-phone-confirmed'],
      judge: (steps) => opensOwn(steps.of(RIGHT), steps.of(FOREIGN)),
      advice:
        'Find the user by the phone that was confirmed, and by nothing else. A signature proves no phone.',
    },
  },
});

/** Sessions of one user on two devices, and for whom a sign-in or a report saves a session. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { withMembers } from '../../../../engine/wire/request-change.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { CODE_WAIT_MS } from '../../people/codes/codes.ts';
import type { Driver, User } from '../../people/driver.ts';
import { isAcceptedSave, isLate, personOf, sessionsOf } from '../../rules/whose-save.ts';
import { CAME_WITH_REFUSAL, otherCode } from '../codes/guesses.ts';
import { controlBeside, controlDone, endedBy } from '../ending.ts';
import { controlOf, flow, refused, unrefused } from '../flow.ts';
import { saysLinked } from '../signed-in.ts';
import { fault, isDone, timedFault, unclear, wasRefused, wasTold, yielded } from '../step-values.ts';
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
  needs: ['confirmOtp', 'exchangeToken'],
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
            ...fault(
              'a token that was never given before',
              'the token of the ended session was given again',
              ...shownBy,
            ),
            explains: ['calls-accepted'],
          };
        if (isDone(token)) return undefined;
        const actual = describe(token.result);
        return timedFault('the new session gets an exchange token', actual, ...shownBy);
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
        if (guess && !wasTold(guess)) return unclear('the wrong code was not refused', guess);
        return controlBeside(before) ?? endedBy('the wrong code ended the session on the phone', after);
      },
      advice: STRANGERS_END_NOTHING,
    },
  },
});

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
  const wrong = steps.find('returns with a wrong code');
  if (wrong && !isDone(wrong) && sentTo(wrong, SAVE_AUTH_INFO).length > 0)
    return fault(
      'save_auth_info only after the code was confirmed',
      'it came before the code was compared: the code was wrong',
      wrong,
    );
  const right = steps.of('returns with the right code');
  if (sentTo(right, SAVE_AUTH_INFO).some(isAcceptedSave)) return undefined;
  return unclear('the sign-in with the right code saved no session, so nothing shows when one is', right);
}

const [WRONG, RIGHT] = ['returns with a wrong code', 'returns with the right code'] as const;
/** Rules about signatures leave this sign-in out: it is wrong on purpose. */
const FOREIGN = "Ulf signs in with Wim's signature";
function opensOwn(owner: PlayedStep, played: PlayedStep): Judgement {
  const shownBy = [owner, played];
  if (!isDone(owner)) return unclear('the owner of the signature could not return', ...shownBy);
  const user = yielded(owner, 'user');
  const isOwners = isDone(played) && yielded(played, 'user') === user;
  const saved = sentTo(played, SAVE_AUTH_INFO).find(({ facts }) => facts.call?.user === user);
  if (isOwners || saved)
    return fault(
      'a session of the one who confirmed the phone, or a refusal',
      isOwners
        ? 'the session of the user whose signature it was'
        : 'save_auth_info was sent for the user whose signature it was',
      ...shownBy,
      ...(saved ? [saved] : []),
    );
  return isDone(played) || wasTold(played) ? undefined : unclear(describe(played.result), ...shownBy);
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

const OLA_RETURNS = 'Ola returns with user_sign';
const UNRECORDED = 'return without an entry, after the report was refused';

/** From this step on no session of the user is sent. `control`: the step of a user with an entry. */
export function notRecorded(tried: PlayedStep, journal: JournalView, control: () => PlayedStep): Judgement {
  const { scenario, user, seq } = tried.step;
  const tokens = sessionsOf(journal)
    .filter(({ played: { step } }) => step.scenario === scenario && step.user === user && step.seq <= seq)
    .map(({ token }) => token);
  const save =
    sentTo(tried, SAVE_AUTH_INFO)[0] ??
    journal
      .exchanges('auth->ehr', SAVE_AUTH_INFO)
      .find(({ seq: sent, facts }) => sent > seq && tokens.includes(facts.call?.token ?? ''));
  if (save)
    return fault('no save_auth_info for this user', `it was sent, and ${replyWords(save)}`, tried, save);
  if (!isDone(tried) && !wasRefused(tried)) return unclear(describe(tried.result), tried);
  return controlDone(control());
}

function told(tried: PlayedStep, control: () => PlayedStep): Judgement {
  const isReturn = tried.step.step === 'confirmOtp';
  if (isReturn && isDone(tried) && !saysLinked(tried)) return undefined;
  const judgement = unrefused([tried], refused('an error that says so'));
  return isDone(tried) ? judgement : (controlDone(control()) ?? judgement);
}

/** The first step of the user without an entry that records a session, and the same of a user with one. */
function recording(steps: Steps) {
  // Where no link is reported, the session is recorded at the sign-in that brings the signature.
  const returned = steps.find('return without an entry');
  return {
    tried: returned ?? steps.of('report without an entry'),
    control: () => steps.of(returned ? OLA_RETURNS : 'Ola links: report'),
  };
}

export const correspondence = flow({
  id: 'correspondence',
  title: 'A user without an entry in the correspondence table reports a link, and returns',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  waits: ({ resend }) => resend,
  async play(driver) {
    const ola = await driver.linked('Ola');
    // The phone of a user without an entry, if the adapter file names one. Otherwise an entry is removed.
    const phone = driver.adapter.settings.people.withoutCorrespondence;
    if (phone === undefined && !driver.adapter.has('removeCorrespondence')) return;
    const pip = phone === undefined ? await driver.user('Pip') : await driver.userAt('Pip', phone);
    await driver.signIn(pip, 'Pip signs in');
    if (phone === undefined) await driver.mustSucceed(pip, 'removeCorrespondence', 'the entry is removed');
    await driver.linkUnreported(pip, 'Pip');
    const defect = 'the user has no entry in the correspondence table';
    const isReported = driver.adapter.has('reportLink');
    if (isReported) await driver.perform(pip, 'reportLink', 'report without an entry', { defect });
    if (!(await driver.time.passResendPause())) return;
    await driver.signIn(ola, OLA_RETURNS, { userSign: ola.userSign as string });
    await driver.trySignIn(pip, isReported ? UNRECORDED : 'return without an entry', {
      defect,
      userSign: pip.userSign as string,
    });
  },
  checks: {
    'missing-correspondence-not-saved': {
      title: 'A session of a user without an entry in the correspondence table is not saved',
      requirements: ['1-no-correspondence-error', '1-internal-id-looked-up'],
      judge(steps, journal) {
        const { tried, control } = recording(steps);
        return notRecorded(tried, journal, control);
      },
      advice: 'Look the internal user id up before save_auth_info is sent; when there is none, send nothing.',
      explains: ['entry-of-own-phone', 'correspondence-checked-at-sign-in'],
    },
    'missing-correspondence-told': {
      title: 'The client of a user without an entry in the correspondence table is told of an error',
      requirements: ['K-missing-entry-told'],
      judge(steps) {
        const { tried, control } = recording(steps);
        const returned = steps.find(UNRECORDED);
        return told(tried, control) ?? (returned && told(returned, () => steps.of(OLA_RETURNS)));
      },
      advice:
        'Answer the report of a user without an entry with an error, and call no sign-in of that user linked.',
    },
    'correspondence-checked-at-sign-in': {
      title:
        'The sign-in with a signature of a user without an entry in the correspondence table saves nothing',
      requirements: ['1-no-correspondence-error', '1-internal-id-looked-up'],
      judge: (steps, journal) =>
        !steps.find(UNRECORDED) && steps.find('return without an entry')
          ? { notApplicable: 'no link is reported to this server: see missing-correspondence-not-saved' }
          : notRecorded(steps.of(UNRECORDED), journal, () => steps.of(OLA_RETURNS)),
      advice: 'Look the internal user id up before every save_auth_info: at the sign-in as at the report.',
    },
  },
});

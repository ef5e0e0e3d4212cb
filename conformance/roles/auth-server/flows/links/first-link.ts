/** A new user is linked through the exchange token, also with a long or an empty signature. */
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { sessionsOf } from '../../rules/whose-save.ts';
import { flow } from '../flow.ts';
import { linksOn, twoSessions } from '../sessions/two-sessions.ts';
import { isSaved } from '../signed-in.ts';
import { answeredAt, CLOCK_MARGIN_MS, gotError, isDone, unclear } from '../step-values.ts';

const SAVING = ['first-link', 'returning-user'] as const;

/** How long (ms) after the answer to the client the EHR server acknowledged the session; 0: before it. */
function lateBy(played: PlayedStep): number | undefined {
  const save = sentTo(played, SAVE_AUTH_INFO).find(({ facts }) => facts.reply?.result);
  return save && Math.max(0, save.endedAt - answeredAt(played) - CLOCK_MARGIN_MS);
}

function savedLate(journal: JournalView): Judgement {
  const played = SAVING.flatMap((id) => journal.stepsOf({ id })).filter(
    (each) => isDone(each) && lateBy(each) !== undefined,
  );
  if (played.length === 0) return { unclear: 'no session was saved at a sign-in or a report' };
  const late = played.filter((each) => lateBy(each) !== 0);
  const [first] = late;
  if (!first) return { right: played.slice(0, MAX_EVIDENCE) };
  return {
    expected: 'the client is answered when the EHR server has acknowledged the session',
    actual: `at "${first.step.label}" the session was saved after the answer (${late.length} of ${played.length} steps)`,
    shownBy: late.slice(0, MAX_EVIDENCE),
    timeSensitive: true,
  };
}

export const firstLink = flow({
  id: 'first-link',
  title: 'A new user signs in, is not known to the EHR server, and is linked through the exchange token',
  when: 'alone',
  async play(driver) {
    const ann = await driver.user('Ann');
    await driver.signIn(ann, 'sign in');
    await driver.callEhr(ann, 'getPatient', 'get patient before the link', {
      defect: 'the user is not linked yet',
    });
    await driver.link(ann, 'link');
    if (driver.adapter.has('reportLink')) await driver.saves.untilSaved(ann);
    await driver.mustCallEhr(ann, 'getPatient', 'get patient after the link');
  },
  checks: {
    'link-recorded': {
      title: 'When the client reports the link, the session is saved by save_auth_info',
      requirements: ['1-session-saved-after-link'],
      settled: (steps) =>
        !steps.find('link: report') && steps.find('get patient after the link')
          ? { notApplicable: 'the adapter declares that the server has no reportLink' }
          : undefined,
      also: [twoSessions],
      judge(steps, journal) {
        const first = notRecorded(steps, journal);
        return isFault(first) ? first : (secondNotRecorded(steps.in(twoSessions), journal) ?? first);
      },
      advice: 'Send save_auth_info when you learn that the EHR server has linked the user.',
    },
    'saved-before-answer': {
      title: 'The EHR server has acknowledged the session before the client is answered',
      requirements: ['K-session-ehr-first'],
      also: [{ id: 'returning-user' }],
      judge: (_steps, journal) => savedLate(journal),
      advice:
        'Answer a sign-in or a report when the EHR server has acknowledged the session: a client that reads the record at once would be refused, and learns nothing of a save that fails.',
    },
  },
});

function notRecorded(steps: Steps, journal: JournalView): Judgement {
  const played = steps.of('link: report');
  if (isSaved(played)) return { right: [played] };
  const [save] = sentTo(played, SAVE_AUTH_INFO);
  return {
    expected: 'save_auth_info for this user and token, accepted',
    actual: save ? `it was ${replyWords(save)}` : otherSave(journal, played),
    shownBy: [played],
    timeSensitive: true,
  };
}

/** The last session of the user must be saved, whenever; a server may have ended it for a newer one. */
function secondNotRecorded(steps: Steps, journal: JournalView): Judgement {
  const [first, second] = (['phone', 'laptop'] as const).map((each) =>
    steps.find(`${linksOn(each)}: report`),
  );
  if (!first || !second || !isSaved(first) || !isDone(second)) return undefined;
  if (isSaved(second) || saveOf(journal, second)?.facts.reply?.result) return undefined;
  return {
    expected: 'save_auth_info for the session of the second device too, accepted',
    actual: `its report, with a signature that was on record already, succeeded: ${otherSave(journal, second)}`,
    shownBy: [first, second],
    timeSensitive: true,
  };
}

/** The save of the last session of the user of a step. */
function saveOf(journal: JournalView, { step: { scenario, user } }: PlayedStep) {
  const token = sessionsOf(journal)
    .filter(({ played: { step } }) => step.scenario === scenario && step.user === user)
    .at(-1)?.token;
  return journal.exchanges('auth->ehr', SAVE_AUTH_INFO).find(({ facts }) => facts.call?.token === token);
}

function otherSave(journal: JournalView, played: PlayedStep): string {
  const save = saveOf(journal, played);
  if (!save) return 'it was not sent';
  return save.seq < played.step.seq ? 'it came before the report' : 'it came at another moment';
}

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
      expected: `the digest over the internal password and all ${charsOf(bytes)} characters of the user_sign`,
      actual: wrong.facts.digest?.explained ?? 'the digest is over another text',
      shownBy: [...played, wrong],
      explains: ['user-sign-digest'],
    };
  if (saves.length > 0) return { right: saves };
  if (!played.some(gotError))
    return unclear('the long signature was not refused, and no session was saved', ...played);
  return { notApplicable: `the server takes no signature of ${charsOf(bytes)} characters` };
}

export const longSigns = flow({
  id: 'long-signs',
  title: 'The EHR server gives signatures of 66, 130 and 258 characters, and their users return',
  waits: ({ resend }) => 2 * resend,
  codes: 2 * SIZES.length + 1,
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

const EMPTY_SIGN = { defect: 'the user_sign is empty', userSign: '' } as const;

const linkAndReturn = (driver: Driver) => async (user: User, bytes: Size) => {
  const defect = 'the user_sign is long';
  driver.giveLongSign(user, bytes);
  await driver.signIn(user, `sign in before ${charsOf(bytes)} characters`);
  // A save for it has a digest over the password alone: see user-sign-digest.
  if (bytes === SIZES[0] && driver.adapter.has('reportLink'))
    await driver.perform(user, 'reportLink', 'report of an empty user_sign', EMPTY_SIGN);
  await driver.linkUnreported(user, `link with ${charsOf(bytes)} characters`);
  const reports = driver.adapter.has('reportLink');
  if (reports) await driver.perform(user, 'reportLink', report(bytes), { defect });
  if (!(await driver.time.passResendPause())) return;
  const { userSign = '' } = user;
  await driver.trySignIn(user, comeBack(bytes), reports ? { defect } : { defect, userSign });
  if (bytes === SIZES[0] && (await driver.time.passResendPause()))
    await driver.trySignIn(user, 'return with an empty user_sign', EMPTY_SIGN);
};

/** A user without an entry in the correspondence table reports a link, and returns: no session is saved. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { sessionsOf } from '../../rules/whose-save.ts';
import { flow, refused, unrefused } from '../flow.ts';
import { saysLinked } from '../signed-in.ts';
import { controlDone, fault, isDone, unclear, wasRefused } from '../step-values.ts';

const OLA_RETURNS = 'Ola returns with user_sign';
const UNRECORDED = 'return without an entry, after the report was refused';

/** Judges that from this step on no session of the user is saved. `control`: the step of a user with an entry. */
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

/** Judges that the client is told by an error, or signed in without being called linked. */
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

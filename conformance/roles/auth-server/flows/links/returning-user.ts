/** A linked user comes back and is saved directly, with the signature. */
import type { FlowCheck } from '../../../../engine/check/flow.ts';
import { isFault, type Judgement } from '../../../../engine/check/steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { savedEarly } from '../../rules/whose-save.ts';
import { flow } from '../flow.ts';
import { isSaved, KEEP_ADVICE, KEEPS_NONE, keepsNone, notKept, SIGN_ADVICE } from '../signed-in.ts';
import { faultUnlessSlow, isDone } from '../step-values.ts';

type KeptAfter = {
  title: string;
  /** Else the check does not apply to a server that keeps no signature. */
  isOthers?: boolean;
  /** The label of the sign-in after the event. */
  returns: string;
};

/** A user who returns after the event must be saved with the signature that the server has kept. */
export const keptAfter = ({ title, isOthers = false, returns }: KeptAfter): FlowCheck => ({
  title,
  requirements: ['K-link-kept'],
  also: [returningUser],
  judge(steps, journal) {
    const found = notKept(steps, journal, returns);
    if (!isFault(found) || isOthers) return found;
    const control = steps.in(returningUser).all(ON_OTHER_DEVICE);
    if (control.length === 0 || control.some(isSaved)) return found;
    return { notApplicable: 'the signature is not kept at all: see sign-on-record-used' };
  },
  advice: KEEP_ADVICE,
});

const ON_OTHER_DEVICE = 'Bea returns on another device';

function notSavedDirectly(played: PlayedStep, journal: JournalView): Judgement {
  if (isSaved(played)) return undefined;
  const [first] = sentTo(played, SAVE_AUTH_INFO);
  const early = first ? undefined : savedEarly(journal, played);
  const expected = 'save_auth_info at the sign-in, accepted';
  if (first)
    return {
      ...faultUnlessSlow(expected, `it was ${replyWords(first)}`, played),
      advice: 'See what is wrong with this call in the other failures, and send it again as it must be.',
    };
  if (!early) return { ...faultUnlessSlow(expected, 'it was not sent', played), advice: SIGN_ADVICE };
  return {
    ...faultUnlessSlow(expected, 'it came before the code was confirmed', early, played),
    advice: 'Compare the code first; save the session when it was right.',
  };
}

const unread = (played: PlayedStep) =>
  isDone(played)
    ? undefined
    : faultUnlessSlow('patient data', 'the EHR server knows no such session', played);

export const returningUser = flow({
  id: 'returning-user',
  title:
    'Users who were linked earlier sign in again, without a signature, with the one they kept, and without it again',
  people: 2,
  waits: ({ resend }) => 2 * resend,
  // One for each of the two at first, and one for each of the three returns.
  codes: 5,
  async play(driver) {
    const [bea, cid] = [await driver.user('Bea'), await driver.user('Cid')];
    await driver.signIn(bea, 'Bea signs in first');
    await driver.signIn(cid, 'Cid signs in first');
    await driver.link(bea, 'Bea links');
    await driver.link(cid, 'Cid links');
    await driver.time.passResendPause();
    await driver.signIn(bea, 'Bea returns with user_sign', { userSign: bea.userSign as string });
    await driver.saves.untilSaved(bea);
    await driver.callEhr(bea, 'getPatient', 'Bea reads the record');
    await driver.signIn(cid, 'Cid returns with user_sign', { userSign: cid.userSign as string });
    await driver.saves.untilSaved(cid);
    await driver.callEhr(cid, 'getPatient', 'Cid reads the record');
    await driver.time.passResendPause();
    const laptop = driver.otherDevice(bea, "Bea's other device");
    await driver.signIn(laptop, ON_OTHER_DEVICE);
    // A server that keeps no signature saves nothing here: its right run would wait in vain.
    if (driver.saves.areSeen) await driver.saves.untilSaved(laptop);
    await driver.callEhr(laptop, 'getPatient', 'Bea reads the record on another device');
  },
  checks: {
    'returning-user-saved-directly': {
      title: 'The sign-in of a user who brings a user_sign sends save_auth_info directly',
      requirements: ['1-matched-user-saved-directly'],
      judge: (steps, journal) => notSavedDirectly(steps.of('Bea returns with user_sign'), journal),
      advice: SIGN_ADVICE,
    },
    'second-returning-user-saved-directly': {
      title: 'A second returning user is saved with a user_sign of their own',
      requirements: ['1-matched-user-saved-directly', '5.1-digest-of-own-sign'],
      judge: (steps, journal) => notSavedDirectly(steps.of('Cid returns with user_sign'), journal),
      advice: SIGN_ADVICE,
    },
    'sign-on-record-used': {
      title: 'The sign-in of a user whose user_sign is on record sends save_auth_info without being given it',
      requirements: ['K-link-kept'],
      judge(steps, journal) {
        const played = steps.of(ON_OTHER_DEVICE);
        // A server without reports of links keeps no signatures by design.
        return keepsNone(journal) ? KEEPS_NONE : notSavedDirectly(played, journal);
      },
      advice: SIGN_ADVICE,
    },
    'returning-user-reads-record': {
      title: 'A user who returned reads the record with the session of the sign-in',
      requirements: ['1-matched-user-saved-directly'],
      judge: (steps) => unread(steps.of('Bea reads the record')) ?? unread(steps.of('Cid reads the record')),
      advice: 'Save at the EHR server the very user and token that the client is given.',
    },
  },
});

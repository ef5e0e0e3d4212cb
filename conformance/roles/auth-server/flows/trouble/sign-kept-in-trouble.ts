/**
 * The scenario `sign-kept-in-trouble`: linked users sign in while the EHR server fails, or with a wrong
 * signature, and then return without one. The authorization server must still have the signature (user_sign)
 * of the link.
 */
import type { About } from '../../../../engine/check/flow.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { Fault } from '../../../../engine/wire/faults.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { check, flow } from '../flow.ts';
import { keptAtLink } from '../links/kept-at-link.ts';
import { isSaved, KEEP_ADVICE, notKept } from '../links/kept-sign.ts';
import { KEEPS_NONE, keepsNone } from '../signed-in.ts';
import { errorOf, MAX_RETRIES } from './troubles.ts';

/**
 * The check of each case. Its key names what happens between the link and the return, and is part of labels.
 */
const CASES = {
  outage: {
    id: 'signature-kept-in-outage',
    title: 'A sign-in that failed for trouble with the EHR server leaves the signature of the link on record',
    requirements: ['K-link-kept-in-trouble', 'K-link-kept'],
  },
  refusal: {
    id: 'signature-kept-in-refusal',
    title: 'A refusal that does not say that the link is gone leaves its signature on record',
    requirements: ['K-link-kept-in-trouble', 'K-link-kept'],
  },
  'wrong signature at a sign-in': {
    id: 'given-signature-proven-first',
    title: 'A wrong signature that comes with a sign-in does not take the place of the right one',
    requirements: ['K-unproven-sign-not-kept', 'K-link-kept-in-trouble'],
  },
  'wrong signature reported': {
    id: 'signature-kept-when-report-refused',
    title: 'A report that is refused leaves the signature of the earlier link on record',
    requirements: ['K-link-kept-in-trouble', 'K-link-kept'],
  },
} as const satisfies Readonly<Record<string, About>>;

type Case = keyof typeof CASES;
const NAMES = Object.keys(CASES) as Case[];

// Labels of steps.
const signInBefore = (name: Case) => `sign in before: ${name}`;
const during = (name: Case) => `while: ${name}`;
const returnAfter = (name: Case) => `return without a signature after: ${name}`;

function keptCheck(name: Case) {
  return check({
    ...CASES[name],
    also: [keptAtLink],
    judge: (steps, journal) => forgotten(steps, journal, name),
    advice: KEEP_ADVICE,
  });
}

/**
 * Judges whether the return is saved with the signature of the link. The control is a return without any
 * trouble, in the scenario `kept-at-link`.
 */
function forgotten(steps: Steps, journal: JournalView, name: Case): Judgement {
  const [met] = [steps.of(during(name)), steps.of(returnAfter(name))];
  if (keepsNone(journal)) return KEEPS_NONE;
  const control = steps.in(keptAtLink).all('Ivy returns without a signature');
  if (!control.some(isSaved))
    return {
      unclear: 'a return without a signature was not saved without any trouble either',
      shownBy: control,
    };
  if (sentTo(met, SAVE_AUTH_INFO).length === 0)
    return { unclear: 'save_auth_info was not sent, so there was no trouble to outlive', shownBy: [met] };
  return notKept(steps, journal, returnAfter(name));
}

export const signKeptInTrouble = flow({
  id: 'sign-kept-in-trouble',
  title: 'Linked users meet trouble with the EHR server, or show a wrong signature, and return without one',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  codes: 1 + 3 * NAMES.length,
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    const tia = await driver.linked('Tia');
    await driver.forEach(
      NAMES.filter((name) => name !== 'wrong signature reported' || driver.adapter.has('reportLink')),
      (name) => `user of ${name}`,
      async (user, name) => {
        await driver.signIn(user, signInBefore(name));
        await driver.link(user, `link before: ${name}`);
        if (
          !(await meet(driver, { user, name, wrong: tia.userSign as string })) ||
          !(await driver.passResendPause())
        )
          return;
        await driver.trySignIn(user, returnAfter(name));
      },
    );
  },
  checks: NAMES.map(keptCheck),
});

/** What the kit's EHR server does in a case. Without an entry the client sends a wrong signature instead. */
const FAULTS: Readonly<Partial<Record<Case, Fault>>> = {
  outage: { name: 'http-500' },
  refusal: { name: 'refuse', error: errorOf({ code: -33403, reason: 'access_forbidden' }) },
};

/** One user in one case. `wrong` is the signature of another user. */
type Meeting = { user: User; name: Case; wrong: string };

/**
 * Plays what happens between the link and the return. Returns false where the pause between codes cannot be
 * passed.
 */
async function meet(driver: Driver, { user, name, wrong }: Meeting): Promise<boolean> {
  const label = during(name);
  if (name === 'wrong signature reported') {
    await driver.perform(user, 'reportLink', label, {
      defect: 'the signature is of another user',
      userSign: wrong,
    });
    return true;
  }
  if (!(await driver.passResendPause())) return false;
  const fault = FAULTS[name];
  const end = fault && driver.fault(user, 'auth-info', fault, MAX_RETRIES);
  await driver.trySignIn(user, label, {
    defect: fault ? `the EHR server's ${name}` : 'the signature is of another user',
    ...(!fault && { userSign: wrong }),
  });
  end?.();
  return true;
}

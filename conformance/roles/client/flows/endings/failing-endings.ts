/** Checks of endings at which one of the servers fails or refuses (§4.5, §4.6). */
import type { Fault, Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { screens } from '../../drivers/driver.ts';
import { type ClientFlow, fault, flow } from '../../flow.ts';
import { people } from '../../people/people.ts';
import { KEPT, keptBeside } from '../../people/values-of-seen.ts';
import { callsIn, isSentence, screenOf, seenValue } from '../../seen.ts';
import { EHR_METHODS, isRemoval } from '../../servers/calls.ts';
import type { Trouble } from '../../servers/troubles.ts';
import { type ClientWorld, leadsTo, tells } from '../../world.ts';

type FailedEnding = readonly [label: string, trouble: Trouble];
type Checks = NonNullable<Parameters<typeof flow>[1]['checks']>;

/** Failures after which the EHR server still has the session and the link. */
const FAILURES: readonly FailedEnding[] = [
  ['HTTP 500', 'http-500'],
  ['a cut connection', 'reset'],
  ['a page of HTML', 'not-json'],
  ['a refusal', { refuse: 'internal_error' }],
  ['neither result nor error', 'no-result'],
];

/** Answers that are no success, and after which the EHR server may have ended the session. */
const IN_DOUBT: readonly FailedEnding[] = [
  ['an unknown session', { refuse: 'not_authorized' }],
  ['an expired session', { refuse: 'session_expired' }],
];
/** The EHR server never answers, so that the client has to give up by itself. */
const NO_ANSWER: FailedEnding = ['no answer', 'hang'];
const KEEP_UNTIL_SUCCESS =
  'Keep the person signed in, and the record connected, until the EHR server has succeeded.';

/** Each ending in words, and the method of either server that it calls. */
const ENDINGS = {
  logout: { what: 'logout', ehr: EHR_METHODS.logOut, auth: 'auth.logout' },
  deleteAccount: { what: 'deletion', ehr: EHR_METHODS.disconnect, auth: 'auth.delete_user' },
} as const;

type Ending = keyof typeof ENDINGS;

type Failing = {
  id: string;
  press: Ending;
  requirement: '4.5-auth-after-success' | '4.6-auth-after-success';
  /** Answers that are no success. Each is played with a new session, as the old one may have ended. */
  inDoubt: readonly FailedEnding[];
  /** Checks that want every failure told in words. */
  told: Checks;
};

/** Frees the person of a deletion, whose record stays linked where the EHR server has not ended the link. */
async function free(world: ClientWorld, press: Ending): Promise<void> {
  if (press === 'deleteAccount') await world.disconnectElsewhere(people.darya);
}

function failing({ id, press, requirement, inDoubt, told }: Failing): ClientFlow {
  const { what, ehr, auth } = ENDINGS[press];
  const check = `failed-${what}-not-claimed`;
  const unclaimed = leadsTo(['error', 'patient', 'form'], { check, where: ehr });
  const inWords = Object.keys(told).map((each) => tells([], { check: each, where: ehr }));
  return flow(id, {
    title: `When the EHR server fails or refuses at a ${what}, ${auth} is not called`,
    requirements: [requirement],
    judge({ of, own }) {
      // A deletion that does not call the EHR server at all is left to the client.
      if (press === 'deleteAccount' && !isCalled(own(), ehr)) return undefined;
      const steps = [...FAILURES, ...inDoubt].map(([label]) => of(label));
      return calledTooEarly(steps, auth);
    },
    unshown: unlessCalled(ehr),
    advice: 'Wait for the success of the EHR server; otherwise stop, and offer to try again.',
    async play(world) {
      await world.linked();
      for (const [label, trouble] of FAILURES)
        await world.whileAllTroubled(ehr, trouble, () => world.press(label, press)(unclaimed, ...inWords));
      await world.endBy('ends at last', press)(leadsTo(['signedOut'], { check }));
      await free(world, press);
      for (const [label, trouble] of inDoubt) {
        await world.linked();
        await world.whileAllTroubled(ehr, trouble, () => world.press(label, press)(...inWords));
        await free(world, press);
        await world.startOver();
      }
    },
    checks: {
      [check]: {
        title: `When the EHR server fails or refuses at a ${what}, no success is shown`,
        requirements: ['K-client-nothing-claimed'],
        unshown: unlessCalled(ehr),
        advice: KEEP_UNTIL_SUCCESS,
      },
      ...told,
    },
  });
}

function isCalled(steps: readonly PlayedStep[], method: string): boolean {
  return callsIn(...steps).includes(`ehr ${method}`);
}

function unlessCalled(method: string) {
  return ({ own }: Steps): string | undefined =>
    isCalled(own(), method) ? undefined : `the client does not call ${method} here`;
}

function calledTooEarly(steps: readonly PlayedStep[], method: string): Fault | undefined {
  const wrong = steps.find((played) => callsIn(played).includes(`auth ${method}`));
  return wrong && fault(`no ${method}`, `${method} is called`, wrong);
}

export const failingEndingFlows: readonly ClientFlow[] = [
  failing({
    id: 'logout-after-success-alone',
    press: 'logout',
    requirement: '4.5-auth-after-success',
    inDoubt: [...IN_DOUBT, NO_ANSWER],
    told: {
      'failed-logout-told': {
        title: 'When the EHR server fails or refuses at a logout, the person is told',
        requirements: ['K-client-errors-told'],
        unshown: unlessCalled(EHR_METHODS.logOut),
        advice: 'Say that it did not work, leave the person where they are, and offer to try again.',
      },
    },
  }),
  failing({
    id: 'deletion-after-success-alone',
    press: 'deleteAccount',
    requirement: '4.6-auth-after-success',
    inDoubt: IN_DOUBT,
    told: {},
  }),
  flow('disconnect-after-success-alone', {
    async play(world) {
      await world.linked();
      const unclaimed = leadsTo(['error', 'patient'], { where: EHR_METHODS.disconnect });
      for (const [label, trouble] of FAILURES) {
        const disconnect = () => world.press(label, 'disconnect')(unclaimed);
        await world.whileAllTroubled(EHR_METHODS.disconnect, trouble, disconnect);
      }
    },
    checks: {
      'failed-disconnection-not-claimed': {
        title: 'When the EHR server fails or refuses at a disconnection, no success is shown',
        requirements: ['K-client-nothing-claimed'],
        unshown: unlessCalled(EHR_METHODS.disconnect),
        advice: KEEP_UNTIL_SUCCESS,
      },
    },
  }),
];

type AuthFailing = {
  id: string;
  press: Ending;
  failures: readonly FailedEnding[];
  /** Checks that want each of the failures told in words, and then the end. */
  told: Checks;
};

/** Failures after which the authorization server still has its part of the ending to do. */
const AUTH_FAILURES: readonly FailedEnding[] = [
  ['HTTP 500', 'http-500'],
  ['a refusal', { refuse: 'internal_error' }],
];
const UNDONE = AUTH_FAILURES.map(([label]) => label);
const USUAL = 'without trouble';
const endsAfter = (label: string) => `ends after ${label}`;

export const halfEndingFlows: readonly ClientFlow[] = [
  authFailing({
    id: 'auth-server-fails-at-logout',
    press: 'logout',
    // After the last one the authorization server has done its part, so it refuses the repeated call.
    failures: [...AUTH_FAILURES, ['a reply of another call', 'wrong-id']],
    told: {
      'auth-server-fails-at-logout-told': {
        title: 'When the authorization server fails at a logout, the person is told and gets out in the end',
        requirements: ['K-client-errors-told'],
        advice:
          'Say that the logout is not finished, and take a refusal of the repeated auth.logout for its end.',
      },
    },
  }),
  authFailing({
    id: 'auth-server-fails-at-deletion',
    press: 'deleteAccount',
    failures: AUTH_FAILURES,
    told: {},
  }),
];

function authFailing({ id, press, failures, told }: AuthFailing): ClientFlow {
  const { what, auth } = ENDINGS[press];
  const checks = Object.keys(told);
  const inWords = checks.map((check) => tells([], { check }));
  return flow(id, {
    title: `When the authorization server fails at a ${what}, nothing is claimed until it has done its part`,
    requirements: ['K-client-nothing-claimed', 'K-client-shows-what-is-served'],
    judge: (steps) => claimedBeforeEnd(steps, press),
    unshown: ({ own }) =>
      callsIn(...own()).includes(`auth ${auth}`) ? undefined : `the client does not call ${auth}`,
    advice: `Remember that the EHR server has ended its part, and call ${auth} again.`,
    async play(world) {
      await world.linked();
      await world.press(USUAL, press)();
      await free(world, press);
      for (const [label, trouble] of failures) {
        const answers = UNDONE.includes(label) ? [leadsTo(screens, { check: id })] : [];
        await world.linked();
        await world.whileTroubled(auth, trouble, () => world.press(label, press)(...answers, ...inWords));
        await world.endBy(endsAfter(label), press)(...checks.map((check) => tells(['signedOut'], { check })));
        await free(world, press);
      }
    },
    checks: told,
  });
}

function claimedBeforeEnd({ all }: Steps, press: Ending): Fault | undefined {
  const method = ENDINGS[press].auth;
  const [usual] = all(USUAL);
  for (const label of UNDONE) {
    const [failed, ended] = [all(label), all(endsAfter(label))];
    const record = failed.find((step) => isEndedAtEhr(step) && seenValue(step, 'hasRecord') !== undefined);
    if (record) return fault('no record after the EHR server has ended its part', 'it is shown', record);
    // One call is the failed one: the client never called again.
    const isOut = press === 'logout' && isOutAndTold(failed, usual) && callsIn(...ended).length === 0;
    if (!isOut && isCalledOnce(method, [...failed, ...ended]))
      return fault(`${method} is called again`, KEEPS_ITS_PART, ...failed, ...ended);
  }
  return undefined;
}

const KEEPS_ITS_PART = 'the authorization server keeps its part';

const isCalledOnce = (method: string, steps: readonly PlayedStep[]): boolean =>
  callsIn(...steps).filter((call) => call === `auth ${method}`).length === 1;

const isEndedAtEhr = ({ exchanges }: PlayedStep): boolean =>
  exchanges.some(({ facts }) => isRemoval(facts.call?.method) && facts.reply?.result === true);

/** Whether the person reads something else than usual, and the client keeps nothing of the session. */
function isOutAndTold(failed: readonly PlayedStep[], usual: PlayedStep | undefined): boolean {
  const last = failed.at(-1);
  if (!last || screenOf(last) !== 'signedOut') return false;
  const text = seenValue(last, 'text') ?? '';
  const isTold = isSentence(text) && text !== (usual && seenValue(usual, 'text'));
  return isTold && keptBeside(seenValue(last, 'kept'), [KEPT.sign]).length === 0;
}

/** Checks of endings at which one of the servers fails or refuses (§4.5, §4.6). */
import type { Check } from '../../../../engine/check/check.ts';
import type { Expectation } from '../../../../engine/check/flow.ts';
import type { Fault, Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import {
  answers,
  type ClientCheck,
  callsIn,
  check,
  checkOf,
  each,
  fault,
  isSentence,
  screenOf,
  seenValue,
  sees,
  told,
} from '../../check.ts';
import { KEPT } from '../../kept.ts';
import { people } from '../../people/people.ts';
import { EHR_METHODS, isRemoval } from '../../servers/calls.ts';
import type { Trouble } from '../../servers/troubles.ts';
import type { ClientWorld } from '../../world.ts';

type FailedEnding = readonly [label: string, trouble: Trouble];

/** Failures after which the EHR server still has the session and the link. */
const FAILURES = [
  ['HTTP 500', 'http-500'],
  ['a cut connection', 'reset'],
  ['a page of HTML', 'not-json'],
  ['a refusal', { refuse: 'internal_error' }],
  ['neither result nor error', 'no-result'],
] as const satisfies readonly FailedEnding[];

/** Answers that are no success, and after which the EHR server may have ended the session. */
const IN_DOUBT = [
  ['an unknown session', { refuse: 'not_authorized' }],
  ['an expired session', { refuse: 'session_expired' }],
] as const satisfies readonly FailedEnding[];
/** The EHR server never answers, so that the client has to give up by itself. */
const NO_ANSWER = ['no answer', 'hang'] as const satisfies FailedEnding;
const KEEP_UNTIL_SUCCESS =
  'Keep the person signed in, and the record connected, until the EHR server has succeeded.';
const AT_LAST = 'ends at last';

const labelsOf = (failures: readonly FailedEnding[]): string[] => failures.map(([label]) => label);

type Ending = 'logout' | 'deleteAccount';

type Failing = {
  id: string;
  title: string;
  requirement: '4.5-auth-after-success' | '4.6-auth-after-success';
  press: Ending;
  ehr: string;
  /** The method of the authorization server that the client must not call after the failure. */
  auth: string;
  /** Answers that are no success. Each is played with a new session, as the old one may have ended. */
  inDoubt: readonly FailedEnding[];
};

const LOGOUT: Failing = {
  id: 'logout-after-success-alone',
  title: 'When the EHR server fails or refuses at a logout, auth.logout is not called',
  requirement: '4.5-auth-after-success',
  press: 'logout',
  ehr: EHR_METHODS.logOut,
  auth: 'auth.logout',
  inDoubt: [...IN_DOUBT, NO_ANSWER],
};
const DELETION: Failing = {
  id: 'deletion-after-success-alone',
  title: 'When the EHR server fails or refuses at a deletion, auth.delete_user is not called',
  requirement: '4.6-auth-after-success',
  press: 'deleteAccount',
  ehr: EHR_METHODS.disconnect,
  auth: 'auth.delete_user',
  inDoubt: IN_DOUBT,
};

/** Frees the person of a deletion, whose record stays linked where the EHR server has not ended the link. */
async function free(world: ClientWorld, press: Ending): Promise<void> {
  if (press === 'deleteAccount') await world.disconnectElsewhere(people.darya);
}

function failing({ id, title, requirement, press, ehr, auth, inDoubt }: Failing): ClientCheck {
  return check({
    id,
    title,
    requirements: [requirement],
    expect: {},
    async play(given) {
      const world = given as ClientWorld;
      await world.linked();
      for (const [label, trouble] of FAILURES) {
        await world.amidAll(ehr, trouble, () => world.press(label, press));
      }
      await world.endBy(AT_LAST, press);
      await free(world, press);
      for (const [label, trouble] of inDoubt) {
        await world.linked();
        await world.amidAll(ehr, trouble, () => world.press(label, press));
        await free(world, press);
        await world.startOver();
      }
    },
    judge({ of, own }) {
      // A deletion that does not call the EHR server at all is left to the client.
      if (press === 'deleteAccount' && !isCalled(own(), ehr)) return undefined;
      const steps = labelsOf([...FAILURES, ...inDoubt]).map((label) => of(label as never));
      return calledTooEarly(steps, auth);
    },
    unshown: unlessCalled(ehr),
    advice: 'Wait for the success of the EHR server; otherwise stop, and offer to try again.',
  });
}

const isCalled = (steps: readonly PlayedStep[], method: string): boolean =>
  callsIn(...steps).includes(`ehr ${method}`);

const unlessCalled =
  (method: string) =>
  ({ own }: Pick<Steps<string>, 'own'>): string | undefined =>
    isCalled(own(), method) ? undefined : `the client does not call ${method} here`;

function calledTooEarly(steps: readonly PlayedStep[], method: string): Fault | undefined {
  const wrong = steps.find((played) => callsIn(played).includes(`auth ${method}`));
  return wrong && fault(`no ${method}`, `${method} is called`, wrong);
}

const amidCall = (method: string, { judge }: Expectation): Expectation => ({
  judge: (label, played) => (isCalled(played.slice(-1), method) ? judge(label, played) : undefined),
});

export const failingEndings: readonly ClientCheck[] = [
  failing(LOGOUT),
  failing(DELETION),
  check({
    id: 'failed-disconnection-not-claimed',
    scenario: 'disconnect-after-success-alone',
    title: 'When the EHR server fails or refuses at a disconnection, no success is shown',
    requirements: ['K-client-nothing-claimed'],
    expect: each(labelsOf(FAILURES), amidCall(EHR_METHODS.disconnect, sees('error', 'patient'))),
    async play(world) {
      await world.linked();
      for (const [label, trouble] of FAILURES) {
        await world.amidAll(EHR_METHODS.disconnect, trouble, () => world.press(label, 'disconnect'));
      }
    },
    unshown: unlessCalled(EHR_METHODS.disconnect),
    advice: KEEP_UNTIL_SUCCESS,
  }),
];

const failedEndingsNotClaimed: readonly Check[] = [LOGOUT, DELETION].map(({ id, press, ehr }) => {
  const what = press === 'logout' ? 'logout' : 'deletion';
  return checkOf(id, {
    id: `failed-${what}-not-claimed`,
    title: `When the EHR server fails or refuses at a ${what}, no success is shown`,
    requirements: ['K-client-nothing-claimed'],
    expect: {
      ...each(labelsOf(FAILURES), amidCall(ehr, sees('error', 'patient', 'form'))),
      [AT_LAST]: sees('signedOut'),
    },
    unshown: unlessCalled(ehr),
    advice: KEEP_UNTIL_SUCCESS,
  });
});

export const failedEndings: readonly Check[] = [
  checkOf(LOGOUT.id, {
    id: 'failed-logout-told',
    title: 'When the EHR server fails or refuses at a logout, the person is told',
    requirements: ['K-client-errors-told'],
    expect: each(labelsOf([...FAILURES, ...LOGOUT.inDoubt]), amidCall(LOGOUT.ehr, told())),
    unshown: unlessCalled(LOGOUT.ehr),
    advice: 'Say that it did not work, leave the person where they are, and offer to try again.',
  }),
  ...failedEndingsNotClaimed,
];

type AuthFailing = {
  id: string;
  /** The ending, for the title: `a logout`. */
  what: string;
  press: Ending;
  method: string;
  failures: readonly FailedEnding[];
};

/** Failures after which the authorization server still has its part of the ending to do. */
const AUTH_FAILURES = [
  ['HTTP 500', 'http-500'],
  ['a refusal', { refuse: 'internal_error' }],
] as const satisfies readonly FailedEnding[];
const UNDONE = labelsOf(AUTH_FAILURES);
const USUAL = 'without trouble';
const endsAfter = (label: string) => `ends after ${label}`;

const AUTH_LOGOUT: AuthFailing = {
  id: 'auth-server-fails-at-logout',
  what: 'a logout',
  press: 'logout',
  method: 'auth.logout',
  // After the last one the authorization server has done its part, so it refuses the repeated call.
  failures: [...AUTH_FAILURES, ['a reply of another call', 'wrong-id']],
};
const AUTH_DELETION: AuthFailing = {
  id: 'auth-server-fails-at-deletion',
  what: 'a deletion',
  press: 'deleteAccount',
  method: 'auth.delete_user',
  failures: AUTH_FAILURES,
};

export const halfEndingChecks: readonly ClientCheck[] = [AUTH_LOGOUT, AUTH_DELETION].map(authFailing);

const LOGOUT_LABELS = labelsOf(AUTH_LOGOUT.failures);

export const halfLogoutTold: Check = checkOf(AUTH_LOGOUT.id, {
  id: 'auth-server-fails-at-logout-told',
  title: 'When the authorization server fails at a logout, the person is told and gets out in the end',
  requirements: ['K-client-errors-told'],
  expect: { ...each(LOGOUT_LABELS, told()), ...each(LOGOUT_LABELS.map(endsAfter), told('signedOut')) },
  advice: 'Say that the logout is not finished, and take a refusal of the repeated auth.logout for its end.',
});

function authFailing({ id, what, press, method, failures }: AuthFailing): ClientCheck {
  return check({
    id,
    title: `When the authorization server fails at ${what}, nothing is claimed until it has done its part`,
    requirements: ['K-client-nothing-claimed', 'K-client-shows-what-is-served'],
    expect: each(UNDONE, answers),
    async play(world) {
      await world.linked();
      await world.press(USUAL, press);
      await free(world, press);
      for (const [label, trouble] of failures) {
        await world.linked();
        await world.amid(method, trouble, () => world.press(label, press));
        await world.endBy(endsAfter(label), press);
        await free(world, press);
      }
    },
    judge({ all }) {
      const [usual] = all(USUAL);
      for (const label of UNDONE) {
        const [failed, ended] = [all(label), all(endsAfter(label))];
        const record = failed.find(
          (step) => isEndedAtEhr(step) && seenValue(step, 'hasRecord') !== undefined,
        );
        if (record) {
          const expected = 'no record after the EHR server has ended its part';
          return fault(expected, 'it is shown', record);
        }
        // One call is the failed one: the client never called again.
        const isOut = press === 'logout' && isOutAndTold(failed, usual) && callsIn(...ended).length === 0;
        if (!isOut && isCalledOnce(method, [...failed, ...ended]))
          return fault(`${method} is called again`, KEEPS_ITS_PART, ...failed, ...ended);
      }
      return undefined;
    },
    unshown: ({ own }) =>
      callsIn(...own()).includes(`auth ${method}`) ? undefined : `the client does not call ${method}`,
    advice: `Remember that the EHR server has ended its part, and call ${method} again.`,
  });
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
  const kept = (seenValue(last, 'kept') ?? '').split(', ');
  const isTold = isSentence(text) && text !== (usual && seenValue(usual, 'text'));
  return isTold && kept.every((name) => name === '' || name === KEPT.sign);
}

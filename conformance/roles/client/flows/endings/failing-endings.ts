/**
 * Checks of endings at which the EHR server fails or refuses (§4.5, §4.6): the client must not go on to the
 * authorization server, which the interface says, and must tell the person, which is good practice. In
 * `expect`, `told(...)` requires a sentence on one of these screens; without names it takes any screen.
 */
import type { Check } from '../../../../engine/check/check.ts';
import type { Expectation } from '../../../../engine/check/flow.ts';
import { first, type RedChange } from '../../../../engine/check/red-change.ts';
import type { Fault, Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { type ClientCheck, callsIn, check, checkOf, each, fault, sees, told } from '../../check.ts';
import { people } from '../../people/people.ts';
import { EHR_METHODS } from '../../servers/calls.ts';
import type { Trouble } from '../../servers/troubles.ts';
import type { ClientWorld } from '../../world.ts';

/** A step's label, and what the EHR server does to the client's call in that step. */
type FailedEnding = readonly [label: string, trouble: Trouble];

/** Failures after which the EHR server still has the session and the link. */
export const FAILURES = [
  ['HTTP 500', 'http-500'],
  ['a cut connection', 'reset'],
  ['a page of HTML', 'not-json'],
  ['a refusal', { refuse: 'internal_error' }],
  ['a refused access', { refuse: 'access_forbidden' }],
  ['neither result nor error', 'no-result'],
] as const satisfies readonly FailedEnding[];

/** Answers that are no success, and after which the EHR server may have ended the session. */
const IN_DOUBT = [
  ['an unknown session', { refuse: 'not_authorized' }],
  ['an expired session', { refuse: 'session_expired' }],
] as const satisfies readonly FailedEnding[];
/** Answers to a removal that was carried out, which are not the reply to the call. */
const NOT_OWN = [
  ['a reply of another call', 'wrong-id'],
  ['a result beside an error', 'result-and-error'],
] as const satisfies readonly FailedEnding[];
/** The EHR server never answers, so that the client has to give up by itself. */
const NO_ANSWER = ['no answer', 'hang'] as const satisfies FailedEnding;
/** The label of the step after the failures, in which the ending succeeds. */
const AT_LAST = 'ends at last';

/** The labels of the steps in which the EHR server fails in these ways. */
const labelsOf = (failures: readonly FailedEnding[]): string[] => failures.map(([label]) => label);

/** A logout or a deletion at which the EHR server fails. */
type Failing = {
  id: string;
  title: string;
  requirement: '4.5-auth-after-success' | '4.6-auth-after-success';
  /** What the person presses. */
  press: 'logout' | 'deleteAccount';
  /** The method of the EHR server that fails. */
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

/** Makes a right client's journal wrong: the call at the end now belongs to the first failure. */
const calledAtFailure =
  (scenario: string, method: string, label: string = FAILURES[0][0]): RedChange =>
  ({ entries }) => {
    const stepOf = (label: string) =>
      first(
        entries.filter((each) => each.kind === 'step' && each.scenario === scenario && each.label === label),
      );
    const [failed, last] = [stepOf(label), stepOf(AT_LAST)];
    const isEnding = (each: (typeof entries)[number]) =>
      each.kind === 'exchange' && each.step === last.seq && each.facts.call?.method === method;
    Object.assign(first(entries.filter(isEnding)), { step: failed.seq });
  };

/**
 * Creates the check that a client does not go on to the authorization server when the EHR server has failed.
 */
function failing({ id, title, requirement, press, ehr, auth, inDoubt }: Failing): ClientCheck {
  return check({
    id,
    title,
    requirements: [requirement],
    expect: {},
    async play(given) {
      const world = given as ClientWorld;
      // A wrong client deletes the user too early. The record then stays linked to a user who is gone, and
      // the next round could not connect it, so the kit disconnects it.
      const free = () => (press === 'deleteAccount' ? world.disconnectElsewhere(people.darya) : undefined);
      await world.linked();
      for (const [label, trouble] of FAILURES) {
        await world.amidAll(ehr, trouble, () => world.press(label, press));
      }
      await world.endBy(AT_LAST, press);
      await free();
      for (const [label, trouble] of [...inDoubt, ...NOT_OWN]) {
        await world.linked();
        await world.amidAll(ehr, trouble, () => world.press(label, press));
        await free();
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
    red: calledAtFailure(id, auth),
  });
}

/** Whether one of these steps calls this method of the EHR server. */
const isCalled = (steps: readonly PlayedStep[], method: string): boolean =>
  callsIn(...steps).includes(`ehr ${method}`);

/** Says why there is nothing to judge where the client does not call this method of the EHR server. */
const unlessCalled =
  (method: string) =>
  ({ own }: Pick<Steps<string>, 'own'>): string | undefined =>
    isCalled(own(), method) ? undefined : `the client does not call ${method} here`;

/** A fault where one of these steps calls this method of the authorization server. */
function calledTooEarly(steps: readonly PlayedStep[], method: string): Fault | undefined {
  const wrong = steps.find((played) => callsIn(played).includes(`auth ${method}`));
  return wrong && fault(`no ${method}`, `${method} is called`, wrong);
}

/** Expects it of a step in which the client calls this method, which the kit disturbs. */
const amidCall = (method: string, { judge }: Expectation): Expectation => ({
  judge: (label, played) => (isCalled(played.slice(-1), method) ? judge(label, played) : undefined),
});

/** Judge the scenarios of failing endings once more: what is not the reply to the call is no success. */
export const endingsByOwnReplies: readonly Check[] = [LOGOUT, DELETION].map(({ id, press, ehr, auth }) =>
  checkOf(id, {
    id: `${press === 'logout' ? 'logout' : 'deletion'}-after-own-reply`,
    title: `A reply of another call, and one with an error, do not lead to ${auth}`,
    requirements: ['K-client-replies-of-own-calls'],
    judge({ own, of }) {
      const because = unlessCalled(ehr)({ own });
      if (because !== undefined) return { notApplicable: because };
      return calledTooEarly(labelsOf(NOT_OWN).map(of), auth);
    },
    advice: 'Take a reply only when its id is that of the call, and there is no error beside the result.',
    red: calledAtFailure(id, auth, NOT_OWN[0][0]),
  }),
);

/** An ending whose failures further checks judge, in the scenario with this id. */
type FailedEndings = Pick<Failing, 'id' | 'ehr' | 'inDoubt'> & {
  /** The ending in words, for ids and titles. */
  what: string;
  /** The screens that claim no success. */
  unclaimed: Expectation;
  /** What must come of the step in which the ending succeeds; empty where the scenario has none. */
  atLast: Readonly<Record<string, Expectation>>;
};

/** Creates the check that the person is told of each failure in the scenario of another check. */
const failureTold = ({ what, id, ehr, inDoubt }: FailedEndings): Check =>
  checkOf(id, {
    id: `failed-${what}-told`,
    title: `When the EHR server fails or refuses at a ${what}, the person is told`,
    requirements: ['K-client-errors-told'],
    expect: each(labelsOf([...FAILURES, ...inDoubt]), amidCall(ehr, told())),
    unshown: unlessCalled(ehr),
    advice: 'Say that it did not work, leave the person where they are, and offer to try again.',
  });

/** Creates the check that no failure is shown as a success in the scenario of another check. */
const nothingClaimed = ({ what, id, ehr, unclaimed, atLast }: FailedEndings): Check =>
  checkOf(id, {
    id: `failed-${what}-not-claimed`,
    title: `When the EHR server fails or refuses at a ${what}, no success is shown`,
    requirements: ['K-client-nothing-claimed'],
    expect: { ...each(labelsOf(FAILURES), amidCall(ehr, unclaimed)), ...atLast },
    unshown: unlessCalled(ehr),
    advice: 'Keep the person signed in, and the record connected, until the EHR server has succeeded.',
  });

export const failingEndings: readonly ClientCheck[] = [LOGOUT, DELETION].map(failing);

/** A logout and a deletion sign the person out, so that the form claims nothing. */
const SIGNS_OUT = { unclaimed: sees('error', 'patient', 'form'), atLast: { [AT_LAST]: sees('signedOut') } };
/** After a disconnection the person sees the form. */
const DISCONNECTION: FailedEndings = {
  what: 'disconnection',
  id: 'disconnect-after-success-alone',
  ehr: EHR_METHODS.disconnect,
  inDoubt: [],
  unclaimed: sees('error', 'patient'),
  atLast: {},
};

/** Further checks of the scenarios of failing endings. */
export const failedEndingsTold: readonly Check[] = [
  { ...LOGOUT, ...SIGNS_OUT, what: 'logout' },
  { ...DELETION, ...SIGNS_OUT, what: 'deletion' },
  DISCONNECTION,
].flatMap((about) => [failureTold(about), nothingClaimed(about)]);

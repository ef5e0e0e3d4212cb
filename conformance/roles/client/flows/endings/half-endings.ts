/**
 * Checks of endings that are half done: the EHR server has ended the session or the link, and then the
 * authorization server fails at the logout or the deletion (§4.5, §4.6). The client must tell the person and
 * finish. `told(...)` requires a sentence on one of these screens; without names it takes any screen.
 */
import type { Check } from '../../../../engine/check/check.ts';
import { evidenceOf } from '../../../../engine/check/steps.ts';
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
  told,
} from '../../check.ts';
import { KEPT } from '../../kept.ts';
import { people } from '../../people/people.ts';
import { EHR_METHODS, isRemoval } from '../../servers/calls.ts';
import type { Trouble } from '../../servers/troubles.ts';
import type { ClientWorld } from '../../world.ts';

type Failure = readonly [label: string, trouble: Trouble];
/** How the authorization server fails: each with the label of its step. */
const FAILURES = [
  ['HTTP 500', 'http-500'],
  ['a refusal', { refuse: 'internal_error' }],
] as const satisfies readonly Failure[];
/** An answer of the authorization server that has done its part, which is not the reply to the call. */
const NOT_OWN = ['a reply of another call', 'wrong-id'] as const satisfies Failure;
const LABELS = FAILURES.map(([label]) => label);
/** The label of the step in which nothing fails. */
const USUAL = 'without trouble';
/** The label of the step in which the person presses again, until they are signed out. */
const endsAfter = <L extends string>(label: L) => `ends after ${label}` as const;

/** The endings at which the authorization server fails. */
const AUTH_FAILING = [
  { id: 'auth-server-fails-at-logout', what: 'a logout', press: 'logout', method: 'auth.logout' },
  {
    id: 'auth-server-fails-at-deletion',
    what: 'a deletion',
    press: 'deleteAccount',
    method: 'auth.delete_user',
  },
] as const satisfies readonly AuthFailing[];

/** Judge the scenarios in which the authorization server fails once more: what the person is told. */
export const halfEndingsTold: readonly Check[] = AUTH_FAILING.map(({ id, what, method }) =>
  checkOf(id, {
    id: `${id}-told`,
    title: `When the authorization server fails at ${what}, the person is told and gets out in the end`,
    requirements: ['K-client-errors-told'],
    expect: {
      ...each([...LABELS, NOT_OWN[0]], told()),
      ...each([...LABELS, NOT_OWN[0]].map(endsAfter), told('signedOut')),
    },
    advice: `Say that ${what} is not finished, and take a refusal of the repeated ${method} for its end.`,
  }),
);

export const halfEndingChecks: readonly ClientCheck[] = [
  ...AUTH_FAILING.map(authFailing),
  check({
    id: 'deletion-not-left-out',
    title: 'A person who asks for a deletion is not signed out while the account and its session go on',
    requirements: ['K-client-errors-told'],
    expect: { 'the EHR server knows no session': told(), 'the way on': told() },
    async play(world) {
      await world.linked();
      world.trouble(EHR_METHODS.disconnect, { refuse: 'not_authorized' }, 'always');
      await world.press('the EHR server knows no session', 'deleteAccount');
      await world.endBy('the way on', 'deleteAccount');
    },
    judge({ of, own }) {
      const last = of('the way on');
      const calls = callsIn(...own());
      const isServerCalled = calls.includes('auth auth.delete_user') || calls.includes('auth auth.logout');
      if (screenOf(last) !== 'signedOut' || isServerCalled) return undefined;
      const actual = 'the person is signed out, and the authorization server was not called';
      return fault('auth.delete_user, or a word that nothing is deleted', actual, last);
    },
    advice:
      'Where the EHR server knows no session, say so; sign the person out after auth.delete_user or auth.logout.',
  }),
];

/**
 * Judges the scenario `way-out-without-session` once more: when the EHR server knows no session, the client
 * still has to end the session at the authorization server.
 */
export const sessionEndedAtAuthServer = checkOf('way-out-without-session', {
  id: 'session-ended-at-auth-server',
  title:
    'A person whose session the EHR server does not know is logged out at the authorization server in the end',
  requirements: ['K-client-errors-told'],
  judge({ own }, journal) {
    if (!own().some((step) => screenOf(step) === 'signedOut'))
      return { unclear: 'the person did not get out', blame: 'client' };
    const shown = evidenceOf(own());
    const logouts = journal.exchanges('client->auth', 'auth.logout');
    if (logouts.some(({ seq }) => shown.includes(seq))) return { right: own() };
    const actual = 'the client forgets the session, which goes on there';
    return fault('auth.logout in the end', actual, ...own());
  },
  advice: 'Tell the person that there is no session at the EHR server, and call auth.logout when they go on.',
});

/** An ending at which the authorization server fails. */
type AuthFailing = {
  id: string;
  /** The ending, for the title: `a logout`. */
  what: string;
  /** What the person presses. */
  press: 'logout' | 'deleteAccount';
  /** The method of the authorization server that fails. */
  method: string;
};

/** Creates the check that the client tells of the failed ending, and calls the authorization server again. */
function authFailing({ id, what, press, method }: AuthFailing): ClientCheck {
  return check({
    id,
    title: `When the authorization server fails at ${what}, nothing is claimed until it has done its part`,
    requirements: ['K-client-nothing-claimed', 'K-client-shows-what-is-served'],
    expect: each(LABELS, answers),
    async play(given) {
      const world = given as ClientWorld;
      // A deletion at the authorization server alone leaves the record linked to a user who is gone.
      const free = () => (press === 'deleteAccount' ? world.disconnectElsewhere(people.darya) : undefined);
      await world.linked();
      await world.press(USUAL, press);
      await free();
      for (const [label, trouble] of [...FAILURES, NOT_OWN]) {
        await world.linked();
        await world.amid(method, trouble, () => world.press(label, press));
        await world.endBy(endsAfter(label), press);
        await free();
      }
    },
    judge({ all: find }) {
      // The labels are not in `expect`.
      const all = find as (label: string) => readonly PlayedStep[];
      const [usual] = all(USUAL);
      for (const label of LABELS) {
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

/** Judge these scenarios once more: the reply of another call ends nothing. */
export const halfEndingsByOwnReplies: readonly Check[] = AUTH_FAILING.map(({ id, what, press, method }) =>
  checkOf(id, {
    id: `${id}-own-reply`,
    title: `The reply of another call is not taken for the end of ${what} at the authorization server`,
    requirements: ['K-client-replies-of-own-calls'],
    judge({ all }) {
      const steps = [...all(NOT_OWN[0]), ...all(endsAfter(NOT_OWN[0]))];
      if (press === 'logout' && isOutAndTold(all(NOT_OWN[0]), all(USUAL)[0])) return { right: steps };
      if (isCalledOnce(method, steps)) return fault(`${method} is called again`, KEEPS_ITS_PART, ...steps);
      return callsIn(...steps).includes(`auth ${method}`)
        ? { right: steps }
        : { notApplicable: `the client does not call ${method}` };
    },
    advice: `Take a reply to ${method} only when its id is that of the call.`,
    red: ({ entries }) => {
      const isLater = (seq: number | undefined) =>
        entries.some(
          (each) =>
            each.kind === 'step' &&
            each.seq === seq &&
            each.scenario === id &&
            each.label === endsAfter(NOT_OWN[0]),
        );
      for (const each of entries)
        if (each.kind === 'exchange' && each.facts.call?.method === method && isLater(each.step))
          Object.assign(each.facts.call, { method: 'none' });
    },
  }),
);

/** Whether these steps call a method of the authorization server once: the client never called again. */
const isCalledOnce = (method: string, steps: readonly PlayedStep[]): boolean =>
  callsIn(...steps).filter((call) => call === `auth ${method}`).length === 1;

/** Whether the EHR server has ended session or link in a step. */
const isEndedAtEhr = ({ exchanges }: PlayedStep): boolean =>
  exchanges.some(({ facts }) => isRemoval(facts.call?.method) && facts.reply?.result === true);

/**
 * Whether the person is signed out, reads something else than after a logout that worked, and the client
 * keeps nothing of the session.
 */
function isOutAndTold(failed: readonly PlayedStep[], usual: PlayedStep | undefined): boolean {
  const last = failed.at(-1);
  if (!last || screenOf(last) !== 'signedOut') return false;
  const text = seenValue(last, 'text') ?? '';
  const kept = (seenValue(last, 'kept') ?? '').split(', ');
  const isTold = isSentence(text) && text !== (usual && seenValue(usual, 'text'));
  return isTold && kept.every((name) => name === '' || name === KEPT.sign);
}

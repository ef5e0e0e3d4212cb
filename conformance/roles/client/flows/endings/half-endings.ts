/**
 * Checks of endings that are half done: the EHR server has ended the session or the link, and then the
 * authorization server fails at the logout or the deletion (§4.5, §4.6). The client must tell the person and
 * finish. `told(...)` names the screens to which a step may lead, with a sentence for the person; without
 * names: any screen.
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
  screenOf,
  seenValue,
  told,
} from '../../check.ts';
import { EHR_METHODS } from '../../servers/calls.ts';
import type { Trouble } from '../../servers/troubles.ts';
import type { ClientWorld } from '../../world.ts';

/** How the authorization server fails: each with the label of its step. */
const FAILURES = [
  ['HTTP 500', 'http-500'],
  ['a refusal', { refuse: 'internal_error' }],
  ['a reply of another call', 'wrong-id'],
] as const satisfies readonly (readonly [label: string, trouble: Trouble])[];
const LABELS = FAILURES.map(([label]) => label);
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
    expect: { ...each(LABELS, told()), ...each(LABELS.map(endsAfter), told('signedOut')) },
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
      for (const [label, trouble] of FAILURES) {
        await world.linked();
        await world.amid(method, trouble, () => world.press(label, press));
        await world.endBy(endsAfter(label), press);
      }
    },
    judge({ all: find }) {
      // The labels are not in `expect`.
      const all = find as (label: string) => readonly PlayedStep[];
      for (const label of LABELS) {
        const [failed, ended] = [all(label), all(endsAfter(label))];
        const record = failed.find((step) => seenValue(step, 'hasRecord') !== undefined);
        if (record) {
          const expected = 'no record after the EHR server has ended its part';
          return fault(expected, 'it is shown', record);
        }
        // One call is the failed one: the client never called again.
        const calls = callsIn(...failed, ...ended).filter((call) => call === `auth ${method}`);
        const actual = 'the authorization server keeps its part';
        if (calls.length === 1) return fault(`${method} is called again`, actual, ...failed, ...ended);
      }
      return undefined;
    },
    advice: `Remember that the EHR server has ended its part, and call ${method} again.`,
  });
}

/** Checks of endings that the EHR server has done, and at which the authorization server fails. */
import type { Check } from '../../../../engine/check/check.ts';
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
import { isRemoval } from '../../servers/calls.ts';
import type { Trouble } from '../../servers/troubles.ts';
import type { ClientWorld } from '../../world.ts';

type Failure = readonly [label: string, trouble: Trouble];
const FAILURES = [
  ['HTTP 500', 'http-500'],
  ['a refusal', { refuse: 'internal_error' }],
] as const satisfies readonly Failure[];
const LABELS = FAILURES.map(([label]) => label);
const USUAL = 'without trouble';
const endsAfter = <L extends string>(label: L) => `ends after ${label}` as const;

const AUTH_FAILING = [
  { id: 'auth-server-fails-at-logout', what: 'a logout', press: 'logout', method: 'auth.logout' },
  {
    id: 'auth-server-fails-at-deletion',
    what: 'a deletion',
    press: 'deleteAccount',
    method: 'auth.delete_user',
  },
] as const satisfies readonly AuthFailing[];

export const halfEndingChecks: readonly ClientCheck[] = AUTH_FAILING.map(authFailing);

export const halfLogoutTold: Check = checkOf('auth-server-fails-at-logout', {
  id: 'auth-server-fails-at-logout-told',
  title: 'When the authorization server fails at a logout, the person is told and gets out in the end',
  requirements: ['K-client-errors-told'],
  expect: { ...each(LABELS, told()), ...each(LABELS.map(endsAfter), told('signedOut')) },
  advice: 'Say that the logout is not finished, and take a refusal of the repeated auth.logout for its end.',
});

type AuthFailing = {
  id: string;
  /** The ending, for the title: `a logout`. */
  what: string;
  press: 'logout' | 'deleteAccount';
  method: string;
};

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
      for (const [label, trouble] of FAILURES) {
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

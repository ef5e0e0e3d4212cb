/** The form of a flow of a client: what a person does, what they must see then, and which calls must come. */
import type { Check } from '../../engine/check/check.ts';
import {
  checksIn,
  checksOf,
  type FlowCheck,
  type Judged,
  type RoleOfFlows,
} from '../../engine/check/flow.ts';
import {
  type Fault,
  type Judgement,
  type NotApplicable,
  type Shown,
  type Steps,
  Unjudged,
} from '../../engine/check/steps.ts';
import type { Expects } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';
import type { Ability } from './drivers/browser/settings.ts';
import type { PHONE_IN_FORM } from './drivers/driver.ts';
import { callsIn, isReadRefused, isTold, screenOf, seenIn } from './seen.ts';
import { type ClientWorld, READ_REFUSED } from './world.ts';

type ClientFlowCheck = FlowCheck & {
  /** Judged only where the client sends a user_sign in some sign-in, which is left to it (decision 40). */
  ofKeptSign?: true;
  /** Says why this driver shows nothing to judge. */
  unshown?: (steps: Steps) => string | undefined;
};

type Definition = {
  /** Plays the flow. @throws ScenarioStopped */
  play: (world: ClientWorld) => Promise<void>;
  /** What the driver of the client must be able to do. */
  needs?: Ability | typeof PHONE_IN_FORM;
};

export type ClientFlow = {
  readonly id: string;
  readonly title: string;
  readonly play: Definition['play'];
  readonly needs?: Definition['needs'];
  readonly checks: readonly Check[];
};

const WORDS_MISSING = 'Say in a sentence what is the matter and what to do; what programs say is for a log.';

/** `judgesFirst`: a fault in the calls is reported before one on the screens: the calls say more. */
export const CLIENT = {
  party: 'client',
  judgesFirst: true,
  failedControl: (played: PlayedStep, { screens: to = [] }: Expects) =>
    ` did not lead to ${to.join(' or ')} (${seenIn(played)})`,
  /** The fault, if the person is not where the step had to lead, or is not told what it had to tell. */
  unmet(
    played: readonly PlayedStep[],
    { must, screens: to = [], where }: Omit<Expects, 'check'>,
  ): Fault | NotApplicable | undefined {
    const last = played.at(-1);
    if (!last || !isJudged(played, where)) return undefined;
    if (isOutwaited(last)) return { notApplicable: WAITS_LONGER };
    const isThere = to.some((screen) => screen === screenOf(last));
    const mustBeTold = must === 'tell' && screenOf(last) !== 'patient';
    if (isThere && (!mustBeTold || isTold(last))) return undefined;
    const words = must === 'tell' ? 'is told in words what is the matter, on' : 'is on';
    const expected = `after "${last.step.label}" the person ${words} the screen ${to.join(' or ')}`;
    return { ...fault(expected, seenIn(last), last), ...(isThere && { advice: WORDS_MISSING }) };
  },
} satisfies RoleOfFlows;

/** Whether the client still waited for an answer that the kit never gave: nothing limits how long it may. */
const isOutwaited = ({ result, exchanges }: PlayedStep): boolean =>
  result.kind === 'failed' && result.what === 'timeout' && exchanges.some(({ fault }) => fault === 'hang');
const WAITS_LONGER =
  'the client waits longer for an answer than the kit for the client: raise timeouts.actionMs to judge it';

/**
 * Whether the steps are judged. Where `where` is a method, the last of them must have called it; where it is
 * {@link READ_REFUSED}, get_patient must have been refused in one of them.
 */
function isJudged(played: readonly PlayedStep[], where: string | undefined): boolean {
  if (where === undefined) return true;
  if (where === READ_REFUSED) return played.some(isReadRefused);
  return callsIn(...played.slice(-1)).includes(`ehr ${where}`);
}

/** Makes a flow. Its title is that of its first check unless given. */
export function flow(
  id: string,
  { play, needs, ...judged }: Definition & Judged<ClientFlowCheck>,
): ClientFlow {
  const own = Object.entries(checksIn(id, judged)).map(
    ([name, check]) => [name, ofClient(id, check)] as const,
  );
  const checks = checksOf(id, Object.fromEntries(own), CLIENT);
  return { id, title: judged.title ?? checks[0]?.title ?? id, play, ...(needs && { needs }), checks };
}

/** A flow in which a client that keeps the user_sign sends it. */
const SIGN_SENT_IN = 'user-sign-outlives-session';

function ofClient(flow: string, check: ClientFlowCheck): FlowCheck {
  return {
    ...check,
    // Every check gets a judge here: one that had none still rests on one labelled step.
    labels: check.labels ?? (check.judge ? 0 : 1),
    also: check.ofKeptSign && flow !== SIGN_SENT_IN ? [{ id: SIGN_SENT_IN }] : check.also,
    judge(steps, journal) {
      if (check.ofKeptSign && !sendsSign(journal))
        throw new Unjudged({ outcome: 'not applicable', because: KEEPS_NO_SIGN });
      return check.judge?.(steps, journal) ?? unlessShown(steps, check.unshown);
    },
  };
}

/** Nothing can be judged where the client has called neither server, or `unshown` says why. */
function unlessShown(steps: Steps, unshown: ClientFlowCheck['unshown']): Judgement {
  if (callsIn(...steps.own()).length === 0) return { unclear: 'the client called neither server' };
  const because = unshown?.(steps);
  return because === undefined ? undefined : { notApplicable: because };
}

const KEEPS_NO_SIGN = 'the client sends no user_sign with a sign-in, which is left to it';

const sendsSign = (journal: JournalView) =>
  journal
    .exchanges('client->auth', 'auth.confirm_otp')
    .some(({ request }) => request.body.includes('‹user-sign '));

export const fault = (expected: string, actual: string, ...shownBy: readonly Shown[]): Fault => ({
  expected,
  actual,
  shownBy,
});

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
import type { ExchangeEntry, Expects } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';
import type { Ability } from './drivers/browser/settings.ts';
import { EHR_METHODS } from './servers/calls.ts';
import { type ClientWorld, READ_REFUSED } from './world.ts';

const WORDS_MISSING = 'Say in a sentence what is the matter and what to do; what programs say is for a log.';

/** `judgesFirst`: a fault in the calls is reported before one on the screens: the calls say more. */
export const CLIENT = {
  party: 'client',
  judgesFirst: true,
  failedControl: (played: PlayedStep, { screens: to = [] }: Expects) =>
    ` did not lead to ${to.join(' or ')} (${seenIn(played)})`,
  unmet(
    played: readonly PlayedStep[],
    { must, screens: to = [], where }: Omit<Expects, 'check'>,
  ): Fault | NotApplicable | undefined {
    const last = played.at(-1);
    if (!last || !counts(played, where)) return undefined;
    if (isOutwaited(last)) return { notApplicable: WAITS_LONGER };
    const isThere = to.some((screen) => screen === screenOf(last));
    const isTold = must === 'tell' && screenOf(last) !== 'patient';
    if (isThere && (!isTold || isSaid(last))) return undefined;
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

/** Whether a step counts: where `where` is a method, its last step must have called it. */
function counts(played: readonly PlayedStep[], where: string | undefined): boolean {
  if (where === undefined) return true;
  if (where === READ_REFUSED) return played.some(isReadRefused);
  return callsIn(...played.slice(-1)).includes(`ehr ${where}`);
}

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
  needs?: Ability;
};

export type ClientFlow = {
  readonly id: string;
  readonly title: string;
  readonly play: Definition['play'];
  readonly needs?: Ability;
  readonly checks: readonly Check[];
};

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

/** Whether a text has at least two words for a person, and not for a program. */
export const isSentence = (text: string): boolean => WORDS.test(text) && !OF_A_PROGRAM.test(text);

const WORDS =
  /\p{L}{2,}\S*\s+\S*\p{L}{2,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{4,}/u;

const OF_A_PROGRAM = /[{[]\s*"|Traceback \(|^\s*at .+:\d+/m;

/** Whether the person is told: in a sentence, or by one word such as "Deleted" where all has worked. */
function isSaid(played: PlayedStep): boolean {
  const text = seenValue(played, 'text') ?? '';
  return isSentence(text) || (ONE_WORD.test(text) && (hasWorked(played) || hasEnded(played)));
}

const ONE_WORD = /^[^\p{L}_]*\p{L}[\p{L}\p{M}'’-]+[^\p{L}_]*$/u;

/** Whether the person asked for an ending, and the screen says that it is done. Other checks judge calls. */
const hasEnded = (played: PlayedStep): boolean =>
  ['logOut', 'disconnect', 'deleteAccount'].includes(played.step.step) && screenOf(played) !== 'error';

const hasWorked = ({ exchanges }: PlayedStep): boolean =>
  exchanges.length > 0 &&
  exchanges.every(({ facts, fault: disturbed }) => disturbed === undefined && facts.reply?.result === true);

export function seenIn({ result }: PlayedStep): string {
  if (result.kind === 'done')
    return `the person sees the screen ${result.values.sees}: "${result.values.text}"`;
  return result.kind === 'failed' ? result.detail : result.kind;
}

export function seenValue({ result }: PlayedStep, name: string): string | undefined {
  return result.kind === 'done' ? result.values[name] : undefined;
}

export function screenOf({ result }: PlayedStep): string | undefined {
  return result.kind === 'done' ? result.values.sees : undefined;
}

export function callsIn(...played: readonly PlayedStep[]): string[] {
  return played.flatMap(({ exchanges }) => exchanges.map(nameOf));
}

/** `name` is such as "ehr patient.get_patient". */
export function exchangesIn(played: readonly PlayedStep[], name: string): ExchangeEntry[] {
  return played.flatMap(({ exchanges }) => exchanges.filter((exchange) => nameOf(exchange) === name));
}

function nameOf({ link, facts }: ExchangeEntry): string {
  return `${link.replace('client->', '')} ${facts.call?.method ?? 'no call'}`;
}

export const unrefused = (played: PlayedStep): string | undefined =>
  isReadRefused(played)
    ? undefined
    : 'the client did not call get_patient there, so that nothing was refused';

const isReadRefused = (played: PlayedStep): boolean =>
  exchangesIn([played], `ehr ${EHR_METHODS.read}`).some(({ facts }) => facts.reply?.code !== undefined);

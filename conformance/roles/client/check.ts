/** Makes the checks of a client: what a person does, what they must see then, which calls must come. */
import type { Check } from '../../engine/check/check.ts';
import {
  type About,
  bound,
  type CheckDefinition,
  type Expectation,
  type RoleOfChecks,
} from '../../engine/check/flow.ts';
import {
  type Fault,
  isFault,
  type Judgement,
  type Shown,
  type Steps,
  Unjudged,
} from '../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';
import type { Ability } from './drivers/browser/settings.ts';
import { type Screen, screens } from './drivers/driver.ts';
import { EHR_METHODS } from './servers/calls.ts';
import type { ClientWorld } from './world.ts';

export const sees = (...wanted: readonly [Screen, ...Screen[]]): Expectation => leadsTo(wanted);

/** Expects a sentence that says what is the matter, on one of these screens; on any unless some are named. */
export const told = (...wanted: readonly Screen[]): Expectation =>
  leadsTo(wanted.length > 0 ? wanted : screens, { isTold: true });

export const answers: Expectation = leadsTo(screens);

/** Expects one of these screens after a step. Of several actions under one label the last one counts. */
function leadsTo(wanted: readonly Screen[], { isTold = false } = {}): Expectation {
  const isThere = (played: PlayedStep) => wanted.some((screen) => screen === screenOf(played));
  const isMet = (played: PlayedStep) =>
    isThere(played) && (!isTold || screenOf(played) === 'patient' || isSaid(played));
  return {
    judge(label, steps) {
      const last = steps.at(-1);
      if (!last || isMet(last)) return undefined;
      const words = isTold ? 'in words what is the matter, on' : 'on';
      const expected = `after "${label}" the person is told ${words} the screen ${wanted.join(' or ')}`;
      return { ...fault(expected, seenIn(last), last), ...(isThere(last) && { advice: WORDS_MISSING }) };
    },
    control: (played) => ` did not lead to ${wanted.join(' or ')} (${seenIn(played)})`,
  };
}

export const each = <L extends string>(labels: readonly L[], expectation: Expectation) =>
  Object.fromEntries(labels.map((label) => [label, expectation])) as Record<L, Expectation>;

const WORDS_MISSING = 'Say in a sentence what is the matter and what to do; what programs say is for a log.';

/** `observed` also finds what the kit noted under other labels. */
export type ClientSteps<L extends string> = Omit<Steps<L>, 'observed'> & Pick<Steps<string>, 'observed'>;

type Definition<C extends string, E extends string> = About & {
  scenario?: string;
  control?: Readonly<Record<C, Expectation>>;
  expect: Readonly<Record<E, Expectation>>;
  play: (world: ClientWorld<NoInfer<C | E>>) => Promise<void>;
  needs?: Ability;
  /** Judged only where the client sends a user_sign in some sign-in, which is left to it (decision 40). */
  ofKeptSign?: true;
  judge?: (steps: ClientSteps<NoInfer<C | E>>) => Fault | false | undefined;
  /** Says why this driver shows nothing to judge. */
  unshown?: (steps: ClientSteps<NoInfer<C | E>>) => string | undefined;
  advice: string;
};

export type ClientScenario = {
  readonly id: string;
  readonly title: string;
  readonly play: (world: ClientWorld) => Promise<void>;
  readonly needs?: Ability;
};

export type ClientCheck = { readonly check: Check; readonly scenario: ClientScenario };

/** `judgesFirst`: a fault in the calls is reported before one on the screens: the calls say more. */
const CLIENT: RoleOfChecks = {
  party: 'client',
  leftOut: 'inconclusive',
  done: sees('patient'),
  judgesFirst: true,
};

export function check<const E extends string, const C extends string = never>(
  definition: Definition<C, E>,
): ClientCheck {
  const { id, title, needs, play, scenario = id } = definition;
  const judge = (steps: Steps<string>, journal: JournalView) => judgementOf(definition, steps, journal);
  const also = definition.ofKeptSign && [{ id: SIGN_SENT_IN }];
  return {
    scenario: { id: scenario, title, play: play as ClientScenario['play'], ...(needs && { needs }) },
    check: bound({ ...definition, judge, ...(also && { also }) }, scenario, CLIENT),
  };
}

/** A scenario besides that of the check, in which a client that keeps the user_sign sends it. */
const SIGN_SENT_IN = 'user-sign-outlives-session';

type FurtherCheck = CheckDefinition & { unshown?: (steps: Steps<string>) => string | undefined };

export const checkOf = (scenario: string, { unshown, ...definition }: FurtherCheck): Check => {
  const judge: typeof definition.judge = (steps, journal) =>
    definition.judge?.(steps, journal) ?? unlessShown(steps, unshown);
  return bound({ ...definition, judge }, scenario, CLIENT);
};

/** Nothing can be judged where the client has called neither server, or `unshown` says why. */
function unlessShown<S extends Pick<Steps<string>, 'own'>>(
  steps: S,
  unshown: ((steps: S) => string | undefined) | undefined,
): Judgement {
  if (callsIn(...steps.own()).length === 0) return { unclear: 'the client called neither server' };
  const because = unshown?.(steps);
  return because === undefined ? undefined : { notApplicable: because };
}

function judgementOf<C extends string, E extends string>(
  { id, scenario = id, ofKeptSign, judge, unshown }: Definition<C, E>,
  steps: Steps<string>,
  journal: JournalView,
): Judgement {
  if (ofKeptSign && !sendsSign(journal))
    throw new Unjudged({ outcome: 'not applicable', because: KEEPS_NO_SIGN });
  const found = journal.ending(scenario)?.stopped ? undefined : judge?.(steps);
  return found || unlessShown(steps, unshown);
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

export const whereReadRefused = ({ judge }: Expectation): Expectation => ({
  judge: (label, played) => (played.some(isReadRefused) ? judge(label, played) : undefined),
});

/** A fault proves by itself that the client is wrong, whatever could be played afterwards. */
export const proof = ({ judge }: Expectation, explains: readonly string[]): Expectation => ({
  judge(label, played) {
    const found = judge(label, played);
    return isFault(found) ? { ...found, isProof: true, explains } : found;
  },
});

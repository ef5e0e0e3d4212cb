/** A check of a client as one object: what the person does, what they must see, and what must be sent. */
import type { Check } from '../../engine/check/check.ts';
import {
  type About,
  checkOfOwn,
  evidenceOf,
  type Fault,
  failureOf,
  type Steps,
} from '../../engine/check/own-scenario.ts';
import { outcomes, type RedChange } from '../../engine/check/red-change.ts';
import type { Finding } from '../../engine/check/verdict.ts';
import type { ExchangeEntry, StepResult } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';
import type { Ability } from './drivers/browser/settings.ts';
import { type Screen, screens } from './drivers/driver.ts';
import type { ClientWorld } from './world.ts';

/** What the person must see after a step. */
export type Expectation = { screens: readonly Screen[]; isTold?: true };

/** The person sees one of these screens. */
export function sees(...wanted: readonly [Screen, ...Screen[]]): Expectation {
  return { screens: wanted };
}

/** The person is told in words what is the matter, on one of these screens. */
export function told(...wanted: readonly Screen[]): Expectation {
  return { screens: wanted.length > 0 ? wanted : screens, isTold: true };
}

type Definition<C extends string, E extends string> = About & {
  /** Steps after which the person must see a screen, without which the others prove nothing. */
  control?: Readonly<Record<C, Expectation>>;
  /** What must come of each step. */
  expect: Readonly<Record<E, Expectation>>;
  play: (world: ClientWorld<NoInfer<C | E>>) => Promise<void>;
  /** What the way of driving must have; what every way has unless given. */
  needs?: Ability;
  /**
   * True: judged only where the client sends a user_sign in some sign-in of the run. One that neither keeps
   * nor sends it is right: the authorization server knows it (decision 40).
   */
  ofKeptSign?: true;
  /** Judges further what the expectations do not say. Undefined: it is right. */
  judge?: (steps: Steps<NoInfer<C | E>>) => Fault | undefined;
  /** Says why the way in which the client is driven shows nothing to judge. Undefined: it does. */
  unshown?: (steps: Steps<NoInfer<C | E>>) => string | undefined;
  /** What to do about a fault, in one or two sentences. */
  advice: string;
  /** The smallest change to a right client's journal that must fail the check; derived unless given. */
  red?: RedChange;
};

export type ClientScenario = {
  readonly id: string;
  readonly title: string;
  readonly play: (world: ClientWorld) => Promise<void>;
  readonly needs?: Ability;
};

export type ClientCheck = { readonly check: Check; readonly scenario: ClientScenario };

/** Creates a check with its scenario, both of one id. */
export function check<const E extends string, const C extends string = never>(
  definition: Definition<C, E>,
): ClientCheck {
  const { id, title, red, needs } = definition;
  const [first = ''] = Object.keys(definition.expect);
  return {
    scenario: { id, title, play: definition.play as (world: ClientWorld) => Promise<void>, ...(needs && { needs }) },
    check: checkOfOwn(
      definition,
      (steps: Steps<C | E>, journal) => judge(definition, steps, journal),
      red ?? outcomes({ scenario: id, label: first }, () => SEES_NOTHING),
    ),
  };
}

/** A fault that these steps show. */
export const fault = (expected: string, actual: string, ...shownBy: readonly PlayedStep[]): Fault => ({
  expected,
  actual,
  shownBy,
});

/** An answer that is right nowhere. */
const SEES_NOTHING: StepResult = { kind: 'failed', what: 'unexpected-answer', detail: 'nothing is seen' };

function judge<C extends string, E extends string>(
  definition: Definition<C, E>,
  steps: Steps<C | E>,
  journal: JournalView,
): Finding {
  const { control, advice, id } = definition;
  const controls = Object.entries(control ?? {}) as [C, Expectation][];
  const expected = Object.entries(definition.expect) as [E, Expectation][];
  for (const [label, expectation] of controls) {
    const played = steps.of(label);
    if (isMet(expectation, played)) continue;
    const because = `the control "${label}" did not lead to ${expectation.screens.join(' or ')} (${seenIn(played)})`;
    return { outcome: 'inconclusive', because, evidence: played.evidence, blame: 'client' };
  }
  const fault = expected.flatMap(([label, expectation]) => faultOf(label, expectation, steps.all(label)) ?? [])[0];
  const shown = [...controls, ...expected].map(([label]) => (fault ? steps.all(label).at(-1) : steps.of(label)));
  if (definition.ofKeptSign && !sendsSign(journal)) return { outcome: 'not applicable', because: KEEPS_NO_SIGN };
  // The calls say more than the screens.
  const found = journal.ending(id)?.stopped ? undefined : definition.judge?.(steps);
  if (found) return failureOf(found, { blame: 'client', advice });
  if (fault) return failureOf(fault, { blame: 'client', advice: fault.advice ?? advice });
  if (callsIn(...steps.own()).length === 0) {
    return { outcome: 'inconclusive', because: 'the client called neither server', blame: 'client' };
  }
  const because = definition.unshown?.(steps);
  if (because !== undefined) return { outcome: 'not applicable', because };
  return { outcome: 'pass', evidence: evidenceOf(shown.flatMap((played) => played ?? [])) };
}

const KEEPS_NO_SIGN = 'the client sends no user_sign with a sign-in, which is left to it';

/** Whether a sign-in carries a signature, in whichever member. */
const sendsSign = (journal: JournalView) =>
  journal.exchanges('client->auth', 'auth.confirm_otp').some(({ request }) => request.body.includes('‹user-sign '));

/** The signature that a sign-in carries, as its pseudonym. */
export const signSentIn = (body = ''): string | undefined => /"ehr_user_sign"\s*:\s*"([^"]+)"/.exec(body)?.[1];

/** Of repeated steps the last one counts: it is where the person ends. */
function faultOf(
  label: string,
  expectation: Expectation,
  played: readonly PlayedStep[],
): (Fault & { advice?: string }) | undefined {
  const last = played.at(-1);
  if (!last || isMet(expectation, last)) return undefined;
  const words = expectation.isTold ? 'in words what is the matter, on' : 'on';
  const expected = `after "${label}" the person is told ${words} the screen ${expectation.screens.join(' or ')}`;
  const isThere = expectation.screens.some((screen) => screen === screenOf(last));
  return { expected, actual: seenIn(last), shownBy: [last], ...(isThere && { advice: WORDS_MISSING }) };
}

const WORDS_MISSING = 'Say in a sentence what is the matter and what to do; what programs say is for a log.';

function isMet({ screens: wanted, isTold }: Expectation, { result }: PlayedStep): boolean {
  if (result.kind !== 'done') return false;
  const { sees: seen = '', text = '' } = result.values;
  if (!wanted.some((each) => each === seen)) return false;
  return !isTold || seen === 'patient' || isSentence(text);
}

/** At least two words for a person. The name of an error, a number or a program's output explains nothing. */
export const isSentence = (text: string): boolean =>
  (/\p{L}{2,}\S*\s+\S*\p{L}{2,}/u.test(text) || WITHOUT_BLANKS.test(text)) && !OF_A_PROGRAM.test(text);

/** Words of a script that puts no blanks between them. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{4,}/u;

/** The JSON of a reply, or the lines of a stack. */
const OF_A_PROGRAM = /[{[]\s*"|Traceback \(|^\s*at .+:\d+/m;

/** What the person saw, in words. */
export function seenIn({ result }: PlayedStep): string {
  if (result.kind === 'done') return `the person sees the screen ${result.values.sees}: "${result.values.text}"`;
  return result.kind === 'failed' ? result.detail : result.kind;
}

/** A value of what the person saw. */
export function seenValue({ result }: PlayedStep, name: string): string | undefined {
  return result.kind === 'done' ? result.values[name] : undefined;
}

/** The screen that the person saw. */
export function screenOf({ result }: PlayedStep): string | undefined {
  return result.kind === 'done' ? result.values.sees : undefined;
}

/** The calls of these steps, in order, as "auth auth.logout". */
export function callsIn(...played: readonly PlayedStep[]): string[] {
  return played.flatMap(({ exchanges }) => exchanges.map(nameOf));
}

/** The exchanges of these steps with this call, such as "ehr patient.get_patient". */
export function exchangesIn(played: readonly PlayedStep[], name: string): ExchangeEntry[] {
  return played.flatMap(({ exchanges }) => exchanges.filter((exchange) => nameOf(exchange) === name));
}

function nameOf({ link, facts }: ExchangeEntry): string {
  return `${link.replace('client->', '')} ${facts.call?.method ?? 'no call'}`;
}

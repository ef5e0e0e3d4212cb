/** Makes the checks of an EHR server: one object says what is played, and what must come of each step. */
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../engine/check/check.ts';
import {
  type About,
  bound,
  type CheckDefinition,
  type Expectation,
  findingFrom,
  type RoleOfChecks,
} from '../../engine/check/flow.ts';
import type { Judgement, Shown, Steps } from '../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../engine/check/verdict.ts';
import { describe } from '../../engine/journal/describe-result.ts';
import type { StepResult } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';
import { isServerError, valuesOf } from './world/messages.ts';
import type { EhrWorld } from './world/world.ts';

/** `reason` is for the check that judges by which code a server refuses: it fails no step by itself. */
export type EhrExpectation = Expectation & {
  kind: 'done' | 'refused' | 'other';
  reason?: Reason | undefined;
};

export const done = expectation('done', 'succeeds', ({ result }) => result.kind === 'done');

export function refused(reason?: Reason): EhrExpectation {
  const words = reason === undefined ? 'is refused' : `is refused (${reason})`;
  return { ...expectation('refused', words, ({ result }) => result.kind === 'refused'), reason };
}

export function http(status: number): EhrExpectation {
  const words = `is answered with HTTP ${status}`;
  return expectation('other', words, ({ exchanges }) => exchanges[0]?.response?.status === status);
}

export const ends: EhrExpectation = { kind: 'other', judge: () => undefined };

export const survives: EhrExpectation = {
  kind: 'other',
  judge(_label, played) {
    const failed = played.find(({ exchanges, result }) => {
      const { status = 500 } = exchanges[0]?.response ?? {};
      return status >= 500 || isServerError(result);
    });
    return failed && { expected: 'it is refused, or served', actual: 'the server failed', shownBy: [failed] };
  },
};

export const entriesOf = <L extends string, T>(table: Readonly<Record<L, T>>) =>
  Object.entries(table) as [L, T][];

/** Expects the same of each of these labels, given as a list or as the keys of a table. */
export function labelled<L extends string>(
  labels: readonly L[] | Readonly<Record<L, unknown>>,
  expected: EhrExpectation,
) {
  const all = Array.isArray(labels) ? labels : Object.keys(labels);
  return Object.fromEntries(all.map((label) => [label, expected])) as Record<L, EhrExpectation>;
}

function expectation(
  kind: EhrExpectation['kind'],
  words: string,
  isMet: (played: PlayedStep) => boolean,
): EhrExpectation {
  return {
    kind,
    judge(label, played) {
      const unmet = played.filter((step) => !isMet(step));
      const worst = unmet.find(({ result }) => result.kind === 'done') ?? unmet[0];
      if (!worst) return undefined;
      const isProof = worst.result.kind === 'done';
      const actual = isProof ? 'it succeeded' : endOf(worst.result, kind);
      return { expected: `"${label}" ${words}`, actual, shownBy: [worst], isProof };
    },
  };
}

function endOf(result: StepResult, wanted: EhrExpectation['kind']): string {
  if (wanted !== 'refused' || result.kind !== 'refused') return describe(result);
  return `code ${result.code ?? `HTTP ${result.status}`} (${result.reason ?? 'without a reason'})`;
}

/** The JSON-RPC code of a reason, as a text: the results of steps hold it so. */
export function codeOf(reason: Reason): string {
  return String(errorTable[reason].code);
}

/** Steps that the set-up cannot play (`leftOut`) make a check inconclusive, and not a failure. */
const ROLE: RoleOfChecks = { party: 'EHR server', leftOut: 'inconclusive', done };

type Definition<C extends string, E extends string, F extends string> = About & {
  /** Labels of the steps that must succeed; otherwise the refusals of the others prove nothing. */
  control?: readonly C[];
  expect: Readonly<Record<E, EhrExpectation>>;
  /** Labels of steps that are not played in every run. */
  further?: readonly F[];
  play: (world: EhrWorld<NoInfer<C | E | F>>) => Promise<unknown>;
  /** Judges what the expectations do not say, after they are met. Undefined: nothing is wrong. */
  judge?: (steps: Steps<NoInfer<C | E | F>>) => Judgement;
  advice: string;
  explains?: Check['explains'];
  waitsMinutes?: number;
};

export type EhrCheck = {
  readonly check: Check;
  readonly scenario: EhrScenario;
  readonly expect: Readonly<Record<string, EhrExpectation>>;
};

export type EhrScenario = {
  readonly id: string;
  readonly title: string;
  readonly waitsMinutes: number;
  readonly play: (world: EhrWorld) => Promise<unknown>;
};

export function check<const E extends string, const C extends string = never, const F extends string = never>(
  definition: Definition<C, E, F>,
): EhrCheck {
  const { id, title, waitsMinutes = 0, play, expect } = definition;
  return {
    expect,
    scenario: { id, title, waitsMinutes, play: play as EhrScenario['play'] },
    check: bound(definition as CheckDefinition, id, ROLE),
  };
}

/** Creates one more check of the scenario of another check. Its labels are steps of that scenario. */
export function checkOf<const E extends string, const C extends string = never>(
  { scenario }: EhrCheck,
  definition: Omit<Definition<C, E, never>, 'play' | 'further' | 'waitsMinutes'>,
): EhrCheck {
  const { expect } = definition;
  return { expect, scenario, check: bound(definition as CheckDefinition, scenario.id, ROLE) };
}

/** Creates a check that judges the messages of all scenarios, or what the kit noted in them. */
export function checkOfAll(
  definition: About &
    Pick<Check, 'scenarios'> & {
      judge: (journal: JournalView) => Judgement;
      advice: string;
      /** Whether the check can judge a session that was only watched. False unless given. */
      watchable?: boolean;
    },
): Check {
  const { judge, advice, watchable = false, ...about } = definition;
  return {
    ...about,
    watchable,
    judge(journal) {
      const finding = findingFrom(judge(journal), { advice, blame: ROLE.party, passes: () => [] });
      if (finding.outcome === 'not applicable' || !finding.evidence) return finding;
      return { ...finding, evidence: finding.evidence.slice(0, MAX_EVIDENCE) };
    },
  };
}

/** Creates a judge: nothing may be wrong with the last steps of these labels. */
export const nothingWrong =
  <L extends string>(
    expected: string,
    labels: readonly NoInfer<L>[],
    wrong: (played: PlayedStep, steps: Steps<L>) => string | false | undefined,
  ) =>
  (steps: Steps<L>): Judgement => {
    for (const played of labels.map(steps.of)) {
      const actual = wrong(played, steps);
      if (actual !== undefined && actual !== false) return { expected, actual, shownBy: [played] };
    }
    return undefined;
  };

/** Creates a judge: the first value that the kit noted of each step must be '' or 0. */
export function nothingNoted<L extends string>(expected: string, ...labels: readonly NoInfer<L>[]) {
  return nothingWrong<L>(expected, labels, ({ step }, { observed }) => {
    const [fault] = Object.values(observed(step.label as L) ?? { fault: 'nothing was noted' });
    return fault !== '' && fault !== 0 && (labels.length > 1 ? `"${step.label}": ${fault}` : `${fault}`);
  });
}

/** Nobody but the patient of the step `first` may be in these steps; a step without a record is right. */
export const samePatient =
  <L extends string>(labels: readonly L[], first: L) =>
  ({ all, of }: Steps<L>): Judgement => {
    const { patient } = valuesOf(of(first));
    const other = labels
      .flatMap((label) => all(label))
      .find((played) => ![undefined, patient].includes(valuesOf(played).patient));
    if (!other) return undefined;
    const actual = `${valuesOf(other).patient}`;
    return { expected: `${patient}, the patient of the user`, actual, shownBy: [other] };
  };

type Wrong<T> = {
  /** Why there is nothing to judge, where `all` is empty. */
  none: string;
  wrong: (each: T) => string | false | undefined;
  /** What `all` are, in the plural. */
  of: string;
  expected: string;
};

/** Judges many messages or steps: none of them may be wrong. */
export function noneWrong<T extends Shown>(all: readonly T[], about: Wrong<T>): Judgement {
  const { none, wrong, of, expected } = about;
  if (all.length === 0) return { notApplicable: none };
  const shownBy = all.filter((each) => Boolean(wrong(each)));
  if (shownBy.length === 0) return { right: all };
  const words = [...new Set(shownBy.map(wrong))].slice(0, 3).join('; ');
  return { expected, actual: `${words} (${shownBy.length} of ${all.length} ${of})`, shownBy };
}

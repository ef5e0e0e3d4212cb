/**
 * A check of an EHR server with its flow, as one object: what is done, what must come of each step, and what
 * to do about it.
 */
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
import type { RedChange } from '../../engine/check/red-change.ts';
import type { Judgement, Steps } from '../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../engine/check/verdict.ts';
import { describe } from '../../engine/journal/describe-result.ts';
import type { StepResult } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';
import type { EhrWorld } from './world/world.ts';

/** What must come of a step. Another check judges by which code a refusal for the reason is told. */
export type EhrExpectation = Expectation & {
  kind: 'done' | 'refused' | 'other';
  reason?: Reason | undefined;
};

/** The step succeeds. */
export const done = expectation('done', 'succeeds', ({ result }) => result.kind === 'done');

/** The step is refused. The reason says by which code; another check judges the code. */
export function refused(reason?: Reason): EhrExpectation {
  const words = reason === undefined ? 'is refused' : `is refused (${reason})`;
  return { ...expectation('refused', words, ({ result }) => result.kind === 'refused'), reason };
}

/** The step is refused by the code of this reason, which tells what of several faults was found first. */
export function refusedBy(reason: Reason): EhrExpectation {
  const code = codeOf(reason);
  const isMet = ({ result }: PlayedStep) => result.kind === 'refused' && result.code === code;
  return { ...expectation('refused', `is refused by code ${code} (${reason})`, isMet), reason };
}

/**
 * The step is answered with this HTTP status.
 * @param orClosed whether the server may close the connection while the request is still being sent. A client
 * may then miss the answer.
 */
export function http(status: number, { orClosed = false } = {}): EhrExpectation {
  return expectation('other', `is answered with HTTP ${status}`, ({ result, exchanges }) => {
    const isClosed = result.kind === 'failed' && result.what === 'unreachable';
    return exchanges[0]?.response?.status === status || (orClosed && isClosed);
  });
}

/** The step ends in any way. */
export const ends: EhrExpectation = { kind: 'other', judge: () => undefined };

/** The entries of a table, by the labels of its steps. */
export const entriesOf = <L extends string, T>(table: Readonly<Record<L, T>>) =>
  Object.entries(table) as [L, T][];

/** The same of each of these labels. */
export function labelled<L extends string>(
  labels: readonly L[] | Readonly<Record<L, unknown>>,
  expected: EhrExpectation,
) {
  const all = Array.isArray(labels) ? labels : Object.keys(labels);
  return Object.fromEntries(all.map((label) => [label, expected])) as Record<L, EhrExpectation>;
}

/** Creates the expectation that each step of a label is met. A success that must not be is proof. */
function expectation(
  kind: EhrExpectation['kind'],
  words: string,
  isMet: (played: PlayedStep) => boolean,
): EhrExpectation {
  return {
    kind,
    judge(label, played) {
      const unmet = played.filter((each) => !isMet(each));
      const worst = unmet.find(({ result }) => result.kind === 'done') ?? unmet[0];
      if (!worst) return undefined;
      const isProof = worst.result.kind === 'done';
      const actual = isProof ? 'it succeeded' : endOf(worst.result, kind);
      return { expected: `"${label}" ${words}`, actual, shownBy: [worst], isProof };
    },
  };
}

/** A refusal by another code, in the words of the checks of codes. */
function endOf(result: StepResult, wanted: EhrExpectation['kind']): string {
  if (wanted !== 'refused' || result.kind !== 'refused') return describe(result);
  return `code ${result.code ?? `HTTP ${result.status}`} (${result.reason ?? 'without a reason'})`;
}

/** The JSON-RPC code of a reason, as results hold it. */
export function codeOf(reason: Reason): string {
  return String(errorTable[reason].code);
}

const ROLE: RoleOfChecks = { party: 'EHR server', leftOut: 'inconclusive', done };

type Definition<C extends string, E extends string, F extends string> = About & {
  /** Steps without whose success the others prove nothing. */
  control?: readonly C[];
  /** What must come of each step. */
  expect: Readonly<Record<E, EhrExpectation>>;
  /** Steps that are not played in every case. */
  further?: readonly F[];
  play: (world: EhrWorld<NoInfer<C | E | F>>) => Promise<unknown>;
  /** Judges further what the expectations do not say. Undefined: it is right. */
  judge?: (steps: Steps<NoInfer<C | E | F>>) => Judgement;
  /** What to do about a fault, in one or two sentences. */
  advice: string;
  /** A change to a right server's journal that must fail the check; derived unless given. */
  red?: RedChange;
  /** Whether it lets time pass on the server's clock. */
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
  /** How long it waits for the server's clock, in minutes. */
  readonly waitsMinutes: number;
  readonly play: (world: EhrWorld) => Promise<unknown>;
};

/** Creates a check with its flow, both of one id. */
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

/** Creates a check of all scenarios: of their messages, or of what the kit noted in them. */
export function checkOfAll(
  definition: About &
    Pick<Check, 'scenarios'> & {
      judge: (journal: JournalView) => Judgement;
      advice: string;
      /** Derived unless given. */
      red?: RedChange;
      watchable?: boolean;
    },
): Check {
  const { judge, advice, level = 'MUST', watchable = false, ...about } = definition;
  return {
    ...about,
    level,
    watchable,
    judge(journal) {
      const finding = findingFrom(judge(journal), { advice, blame: ROLE.party, passes: () => [] });
      if (finding.outcome === 'not applicable' || !finding.evidence) return finding;
      return { ...finding, evidence: finding.evidence.slice(0, MAX_EVIDENCE) };
    },
  };
}

/** Requires that nothing is wrong with the steps of these labels: `wrong` says what each shows instead. */
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

/** Requires that no fault was noted of these steps: the value noted of each is empty, or zero. */
export function nothingNoted<L extends string>(expected: string, ...labels: readonly NoInfer<L>[]) {
  return nothingWrong<L>(expected, labels, ({ step }, { observed }) => {
    const [fault] = Object.values(observed(step.label as L) ?? { fault: 'nothing was noted' });
    return fault !== '' && fault !== 0 && (labels.length > 1 ? `"${step.label}": ${fault}` : `${fault}`);
  });
}

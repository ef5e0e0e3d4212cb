/** The form of a flow of an EHR server: what is played, what must come of each step, and its checks. */
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../engine/check/check.ts';
import { checksIn, checksOf, type Judged, type RoleOfFlows } from '../../engine/check/flow.ts';
import { type Rule, type RuleWithout, rule } from '../../engine/check/rule.ts';
import type { Judgement, Shown, Steps } from '../../engine/check/steps.ts';
import type { Expects, StepResult } from '../../engine/journal/entry.ts';
import { describe } from '../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../engine/journal/view.ts';
import { isServerError, valuesOf } from './world/messages.ts';
import type { EhrWorld } from './world/world.ts';

/** What the steps of a flow must do. */
type Must = 'succeed' | 'be refused' | 'have the status' | 'not fail';

export type EhrFlow = {
  readonly id: string;
  readonly title: string;
  readonly waitsMinutes: number;
  readonly play: Definition['play'];
  readonly checks: readonly Check[];
};

const ROLE: RoleOfFlows = {
  party: 'EHR server',
  unmet(played, expects) {
    const wrong = played.filter((each) => !isMet(each, expects));
    const worst = wrong.find(({ result }) => result.kind === 'done') ?? wrong[0];
    if (!worst) return undefined;
    const isProof = worst.result.kind === 'done';
    const actual = isProof ? 'it succeeded' : endOf(worst.result, expects.must as Must);
    return { expected: `"${worst.step.label}" ${wordsOf(expects)}`, actual, shownBy: [worst], isProof };
  },
};

function isMet({ result, exchanges }: PlayedStep, { must, status }: Expects): boolean {
  const answered = exchanges[0]?.response?.status;
  if (must === 'succeed') return result.kind === 'done';
  if (must === 'be refused') return result.kind === 'refused';
  if (must === 'have the status') return answered === status;
  return (answered ?? 500) < 500 && !isServerError(result);
}

function wordsOf({ must, reason, status }: Expects): string {
  if (must === 'succeed') return 'succeeds';
  if (must === 'be refused') return reason === undefined ? 'is refused' : `is refused (${reason})`;
  return must === 'have the status' ? `is answered with HTTP ${status}` : 'is refused, or served';
}

function endOf(result: StepResult, must: Must): string {
  if (must === 'not fail') return 'the server failed';
  if (must !== 'be refused' || result.kind !== 'refused') return describe(result);
  return `code ${result.code ?? `HTTP ${result.status}`} (${result.reason ?? 'without a reason'})`;
}

/** The JSON-RPC code of a reason, as a text: the results of steps hold it so. */
export const codeOf = (reason: Reason): string => String(errorTable[reason].code);

export const isRefusedFor = (result: StepResult, reason: Reason): boolean =>
  result.kind === 'refused' && (result.reason === reason || result.code === codeOf(reason));

type Definition = {
  /** Plays the flow. @throws NotPlayable, ScenarioStopped */
  play: (world: EhrWorld) => Promise<unknown>;
  /** How long it waits where the clock of the server cannot be moved. */
  waitsMinutes?: number;
};

/** Makes a flow. Its title is that of its first check. */
export function flow(id: string, { play, waitsMinutes = 0, ...judged }: Definition & Judged): EhrFlow {
  const checks = checksOf(id, checksIn(id, judged), ROLE);
  return { id, title: checks[0]?.title ?? id, waitsMinutes, play, checks };
}

/** A rule of what happens in all flows. The list of flows makes the check. */
export type RuleOfAllFlows = (flows: readonly EhrFlow[]) => Check;

export const ruleOfAllFlows =
  <S extends Shown>(id: string, about: RuleWithout<S, 'id' | 'party' | 'scenarios'>): RuleOfAllFlows =>
  (flows) =>
    rule({ ...about, id, party: 'EHR server', scenarios: flows } as Rule<S>);

/** Creates a judge: nothing may be wrong with the last steps of these labels. */
export const nothingWrong =
  (
    expected: string,
    labels: readonly string[],
    wrong: (played: PlayedStep, steps: Steps) => string | false | undefined,
  ) =>
  (steps: Steps): Judgement => {
    for (const played of labels.map(steps.of)) {
      const actual = wrong(played, steps);
      if (actual !== undefined && actual !== false) return { expected, actual, shownBy: [played] };
    }
    return undefined;
  };

/** Creates a judge: the first value that the kit noted of each step must be '' or 0. */
export const nothingNoted = (expected: string, ...labels: readonly string[]) =>
  nothingWrong(expected, labels, ({ step }, { observed }) => {
    const [fault] = Object.values(observed(step.label) ?? { fault: 'nothing was noted' });
    return fault !== '' && fault !== 0 && (labels.length > 1 ? `"${step.label}": ${fault}` : `${fault}`);
  });

/** Nobody but the patient of the step `first` may be in these steps; a step without a record is right. */
export const samePatient =
  (labels: readonly string[], first: string) =>
  ({ all, of }: Steps): Judgement => {
    const { patient } = valuesOf(of(first));
    const other = labels
      .flatMap((label) => all(label))
      .find((played) => ![undefined, patient].includes(valuesOf(played).patient));
    if (!other) return undefined;
    const actual = `${valuesOf(other).patient}`;
    return { expected: `${patient}, the patient of the user`, actual, shownBy: [other] };
  };

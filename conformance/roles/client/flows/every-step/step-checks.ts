/** Judges each step of a person, in all scenarios: what is on the screen, and which calls an action makes. */

import type { RequirementId } from '#protocol/requirements.ts';
import type { Check } from '../../../../engine/check/check.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/judging.ts';
import type { RedChange } from '../../../../engine/check/red-change.ts';
import type { CheckLevel, Finding } from '../../../../engine/check/verdict.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { actionTable } from './action-table.ts';
import { screenTable } from './screen-table.ts';

/** A rule of single steps. */
export type StepCheck = {
  id: string;
  title: string;
  level?: CheckLevel;
  requirements: readonly [RequirementId, ...RequirementId[]];
  /** Scenarios that show it. `--only` plays no others. */
  scenarios: readonly string[];
  /** The steps that show it. */
  of: (played: PlayedStep) => boolean;
  /** Says what is wrong with a step, given the earlier ones of its scenario. */
  wrong: (played: PlayedStep, before: readonly PlayedStep[]) => string | undefined;
  expected: string;
  advice: string;
  red: RedChange;
};

export const stepChecks: readonly Check[] = [...screenTable, ...actionTable].map((row) => ({
  id: row.id,
  title: row.title,
  level: row.level ?? 'MUST',
  requirements: row.requirements,
  scenarios: row.scenarios,
  watchable: false,
  judge: (journal) => judge(row, journal),
  red: row.red,
}));

function judge(row: StepCheck, journal: JournalView): Finding {
  const shown: PlayedStep[] = [];
  const found: { step: PlayedStep; what: string }[] = [];
  for (const steps of byScenario(journal.allSteps())) {
    for (const [at, step] of steps.entries()) {
      if (!row.of(step)) continue;
      shown.push(step);
      const what = row.wrong(step, steps.slice(0, at));
      if (what !== undefined) found.push({ step, what });
    }
  }
  const evidenceOf = (steps: readonly PlayedStep[]) => steps.flatMap(({ evidence }) => evidence).slice(0, MAX_EVIDENCE);
  const [one] = found;
  if (one) {
    const { label, scenario } = one.step.step;
    const more = found.length > 1 ? ` (in ${found.length} steps)` : '';
    const actual = `${one.what}, after "${label}" of ${scenario}${more}`;
    const evidence = evidenceOf(found.map(({ step }) => step));
    return { outcome: 'fail', expected: row.expected, actual, evidence, blame: 'client', advice: row.advice };
  }
  if (shown.length > 0) return { outcome: 'pass', evidence: evidenceOf(shown) };
  return { outcome: 'inconclusive', because: 'no step that shows it has led anywhere', blame: 'client' };
}

function byScenario(steps: readonly PlayedStep[]): PlayedStep[][] {
  const scenarios = new Map<string, PlayedStep[]>();
  for (const step of steps) scenarios.set(step.step.scenario, [...(scenarios.get(step.step.scenario) ?? []), step]);
  return [...scenarios.values()];
}

/**
 * Puts each step of a journal together with its result and the HTTP exchanges that it caused, and says how a
 * step and the server under test ended. All checks use these words, so that a report shows one cause.
 */
import { attributionOf, scenariosByEntry } from './attribution.ts';
import type { Entry, ExchangeEntry, OutcomeEntry, ServerEntry, StepEntry, StepResult } from './entry.ts';
import { groupBy } from './group-by.ts';

export type PlayedStep = {
  step: StepEntry;
  result: StepResult;
  /** Milliseconds. */
  took: number;
  /** Milliseconds since the run began. */
  endedAt: number;
  exchanges: ExchangeEntry[];
  /** `seq` of the step entry, of its exchanges and of its outcome. */
  evidence: number[];
};

/** Removes the entries of earlier attempts of a scenario that was played again. */
export function lastAttempts(entries: readonly Entry[]): readonly Entry[] {
  const begins = new Map<string, number>();
  // Most runs repeat nothing: for them the search for the scenario of each exchange is saved.
  let again = false;
  for (const entry of entries) {
    if (entry.kind !== 'scenario' || entry.phase !== 'begin') continue;
    again ||= begins.has(entry.scenario);
    begins.set(entry.scenario, entry.seq);
  }
  if (!again) return entries;
  const scenarioBySeq = scenariosByEntry(entries);
  return entries.filter(({ seq }) => seq >= (begins.get(scenarioBySeq.get(seq) ?? '') ?? 0));
}

export function playedSteps(entries: readonly Entry[]): PlayedStep[] {
  const outcomes = outcomesIn(entries);
  const attributed = attributionOf(entries);
  const exchangesOf = groupBy(
    entries.filter((entry) => entry.kind === 'exchange'),
    ({ seq }) => attributed.get(seq)?.seq,
  );
  return entries.flatMap((step) => {
    const outcome = step.kind === 'step' ? outcomes.get(step.seq) : undefined;
    if (step.kind !== 'step' || !outcome) return [];
    const exchanges = exchangesOf.get(step.seq) ?? [];
    const evidence = [step.seq, ...exchanges.map(({ seq }) => seq), outcome.seq];
    return [{ step, result: outcome.result, took: outcome.took, endedAt: outcome.at, exchanges, evidence }];
  });
}

/** The outcome of each step that ended, by the `seq` of the step. */
export function outcomesIn(entries: readonly Entry[]): ReadonlyMap<number, OutcomeEntry> {
  return new Map(
    entries.flatMap((entry) => (entry.kind === 'outcome' ? [[entry.step, entry] as const] : [])),
  );
}

const isEnd = ({ result }: PlayedStep): boolean => result.kind === 'failed' && result.what === 'ended';

/** Whether the screen is empty: so answers an adapter whose client has ended. */
export const isBlank = ({ result }: PlayedStep): boolean =>
  result.kind === 'done' && result.values.sees === 'error' && result.values.text === '';

/** Empty screens in a row, up to the last step, that show an end: one alone is an error without words. */
const BLANK_SCREENS = 2;

/**
 * The step of a scenario in which the program ended: one that says so, or the first of the empty screens to
 * which all later actions lead. `undefined`: the program runs.
 */
export function endIn(steps: readonly PlayedStep[]): PlayedStep | undefined {
  const blank = steps.slice(steps.findLastIndex((step) => !isBlank(step)) + 1);
  return steps.find(isEnd) ?? (blank.length >= BLANK_SCREENS ? blank[0] : undefined);
}

export function describe(result: StepResult): string {
  switch (result.kind) {
    case 'done':
      return 'it succeeded';
    case 'refused':
      return `it was refused with HTTP ${result.status}${result.code ? `, code ${result.code}` : ''}${result.reason ? ` (${result.reason})` : ''}`;
    case 'failed':
      return `${result.what}: ${result.detail}`;
    case 'absent':
      return 'the server has no such step';
  }
}

/** Why a scenario was not played after the server had died for good. */
export const SERVER_GONE = 'the server under test is gone, so this was not played';

/** @example 'the server under test died meanwhile: it ended with code 1' */
export function diedMeanwhile({ ended, outside }: ServerEntry): string {
  if (outside) return `the server under test ${ended} meanwhile`;
  return `the server under test died meanwhile: it ${ended ?? 'ended'}`;
}

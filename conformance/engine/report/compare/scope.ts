/**
 * Finds out in which scenarios red checks are to be played again. A check that judges many scenarios needs
 * only those in which it was red, where these show all that it found.
 */
import type { Check } from '../../check/check.ts';
import { judge } from '../../check/judge.ts';
import type { Verdict } from '../../check/verdict.ts';
import type { Entry, Party } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import { JournalView } from '../../journal/view.ts';
import { byScenario } from '../scenarios.ts';
import { isSameFinding } from './again.ts';

/**
 * A check of fewer scenarios plays them all. It may need steps of each for a pass, and they take little time.
 */
export const MANY_SCENARIOS = 10;

/** The run in which the checks were red. */
export type Before = { run: Run; party: Party };

/**
 * Returns the checks, each with the scenarios in which it is to be played again.
 * @param red the verdicts that were red
 */
export function narrowed(checks: readonly Check[], red: readonly Verdict[], before: Before): Check[] {
  const ofMany = checks.filter((check) => isOfMany(check) && !check.acrossScenarios);
  if (!checks.some(isOfMany)) return [...checks];
  const parts = byScenario(before.run.entries);
  const redIn = new Map(ofMany.map((check) => [check, [] as string[]]));
  // One scenario at a time, by all checks: to prepare a journal takes longer than to judge it.
  for (const [scenario, entries] of parts) {
    const asked = ofMany.filter(({ scenarios }) => scenarios.includes(scenario));
    const alone = asked.map((check) => ({ ...check, scenarios: [scenario] }));
    for (const [at, { finding }] of judged(alone, entries, before).entries())
      if (finding.outcome === 'fail') redIn.get(asked[at] as Check)?.push(scenario);
  }
  const was = new Map(red.map((verdict) => [verdict.check, verdict]));
  return checks.map((check) => {
    if (isOfMany(check) && typeof check.acrossScenarios === 'function')
      return shownAlone(check, check.acrossScenarios, before);
    const few = redIn.get(check) ?? [];
    const verdict = was.get(check.id);
    return verdict && isShownBy(few, check, { verdict, parts, before })
      ? { ...check, scenarios: few }
      : check;
  });
}

const isOfMany = ({ scenarios }: Check) => scenarios.length > MANY_SCENARIOS;

/** The check with the scenarios that show alone what it found, by its own account. */
function shownAlone(
  check: Check,
  of: Exclude<Check['acrossScenarios'], true | undefined>,
  { run }: Before,
): Check {
  const alone = new Set(of(new JournalView(run.entries)));
  const few = check.scenarios.filter((id) => alone.has(id));
  return few.length > 0 ? { ...check, scenarios: few } : check;
}

type Narrowing = { verdict: Verdict; parts: ReadonlyMap<string, readonly Entry[]>; before: Before };

/** Whether these scenarios alone show what the check found, and the others show no fault. */
function isShownBy(few: readonly string[], check: Check, { verdict, parts, before }: Narrowing): boolean {
  const others = check.scenarios.filter((id) => !few.includes(id));
  if (few.length === 0 || others.length === 0) return false;
  const of = (scenarios: readonly string[]) =>
    judged([{ ...check, scenarios }], entriesOf(scenarios, parts), before)[0];
  const [inFew, inOthers] = [of(few), of(others)];
  return inFew !== undefined && isSameFinding(verdict, inFew) && inOthers?.finding.outcome !== 'fail';
}

/** The entries of several scenarios in their order, each once. */
function entriesOf(scenarios: readonly string[], parts: Narrowing['parts']): Entry[] {
  const all = new Set(scenarios.flatMap((id) => parts.get(id) ?? []));
  return [...all].sort((a, b) => a.seq - b.seq);
}

const judged = (checks: readonly Check[], entries: readonly Entry[], { run: { meta }, party }: Before) =>
  judge({ meta, entries: [...entries] }, { checks, party });

/** Plays a check on a party until it fails, for a case. */
import type { Check } from '../check/check.ts';
import { isDisturbed, judge } from '../check/judge.ts';
import type { Run } from '../journal/run-file.ts';
import { Tap } from './tap.ts';
import { type CaseOptions, type Told, Untellable } from './told.ts';

const oneOf = (check: Check, scenario: string): Check => ({ ...check, scenarios: [scenario] });

/** Checks of more scenarios are not played whole: a single one shows their fault, or none does. */
const MAX_TOGETHER = 5;

/** Plays the scenarios of the check until it fails in one; else all of them together. */
export async function failing({ check, party, blamed, onDoing }: CaseOptions): Promise<FailingRun> {
  const outcomes = new Set<string>();
  const isFew = check.scenarios.length > 1 && check.scenarios.length <= MAX_TOGETHER;
  const choices = check.scenarios.map((scenario) => oneOf(check, scenario));
  for (const played of isFew ? [...choices, check] : choices) {
    onDoing?.(`playing ${played.scenarios.join(', ')}`);
    const { tap, run, verdict } = await undisturbed(party, played, blamed);
    outcomes.add(verdict?.outcome ?? 'not judged');
    if (verdict?.finding.outcome !== 'fail') continue;
    const { finding } = verdict;
    const step = run.entries.find(({ kind, seq }) => kind === 'step' && finding.evidence.includes(seq));
    const scenario = (step?.kind === 'step' ? step.scenario : undefined) ?? played.scenarios[0] ?? '';
    return { told: { check, finding, scenario }, tap, run, played };
  }
  if (check.acrossScenarios && !isFew && check.scenarios.length > 1)
    throw new Untellable(
      `${check.id} cannot be told as a case: none of its ${check.scenarios.length} scenarios fails alone. It judges what they leave behind for each other.`,
    );
  throw new Untellable(
    `${check.id} does not fail here (${[...outcomes].join(', ')}), so there is nothing to tell.`,
  );
}

/** Plays the scenarios of a check, and again where this machine stood still meanwhile. */
export async function undisturbed(party: CaseOptions['party'], played: Check, blamed: string) {
  for (let times = 1; ; times++) {
    const tap = new Tap();
    const run = await party.play(played, tap);
    const [verdict] = judge(run, { checks: [played], party: blamed });
    if (times === MAX_TIMES || !verdict || !isDisturbed(verdict)) return { tap, run, verdict };
  }
}

/** A machine that is as busy as this three times would not play a script rightly either. */
const MAX_TIMES = 3;

/** A run in which the check fails, and in clear what it sent. */
type FailingRun = { told: Told; tap: Tap; run: Run; played: Check };

/** From a journal to verdicts: every check asked once, the same for a live run, a watched session and a saved journal. */

import type { Check } from './checks/check.ts';
import { checks } from './checks/index.ts';
import type { Run, RunMeta } from './journal/run-file.ts';
import { JournalView } from './journal/view.ts';
import type { Finding, Verdict } from './verdict.ts';

export type JudgeOptions = { only?: ((check: Check) => boolean) | undefined };

/** Judges a run by every check that applies to its mode. Pure: the same journal gives the same verdicts, byte for byte. */
export function judge({ meta, entries }: Run, { only = () => true }: JudgeOptions = {}): Verdict[] {
  const journal = new JournalView(entries);
  return checks
    .filter((check) => only(check) && (meta.mode === 'scenarios' || check.watchable))
    .map((check) => verdictOf(check, ifComplete(check, check.judge(journal), journal, meta)));
}

/** A pass says that nothing was found in the whole of it: what was broken off may have had the fault in its other half. */
function ifComplete(
  { scenarios }: Check,
  finding: Finding,
  journal: JournalView,
  { mode, finished }: RunMeta,
): Finding {
  if (mode === 'watch' || finding.outcome !== 'pass') return finding;
  const open = scenarios.find((scenario) => journal.brokenOff(scenario, finished));
  if (open === undefined) return finding;
  const because = `the run was broken off before the scenario ${open} had ended`;
  return { outcome: 'inconclusive', because, evidence: finding.evidence, blame: 'environment' };
}

function verdictOf({ id, title, level, requirements, scenarios }: Check, finding: Finding): Verdict {
  const about = { check: id, title, level, requirements, scenarios };
  if (finding.outcome === 'fail' && level !== 'MUST') return { ...about, outcome: 'warning', finding };
  return { ...about, outcome: finding.outcome, finding } as Verdict;
}

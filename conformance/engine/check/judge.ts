/**
 * Applies the checks to the journal of a run and returns their verdicts. Live runs, watched sessions and
 * saved journals are judged alike. What a check finds is weakened here where the run itself was disturbed:
 * by a request limit, a slow kit, a dead server, or an early end.
 */

import type { Party } from '../journal/entry.ts';
import { diedMeanwhile } from '../journal/played-steps.ts';
import type { Run, RunMeta } from '../journal/run-file.ts';
import { JournalView, MAX_ANSWER_MS } from '../journal/view.ts';
import type { Check } from './check.ts';
import type { Finding, Verdict } from './verdict.ts';
import { weightOf } from './weight.ts';

export type JudgeOptions = { checks: readonly Check[]; party: Party };

/**
 * Judges a run by every check that applies to its mode. Pure: the same journal gives the same verdicts, byte
 * for byte.
 */
export function judge(run: Run, options: JudgeOptions): Verdict[] {
  return [...judging(run, options)];
}

/** Judges as {@link judge} does, one check at a time: a long journal may take seconds for each check. */
export function* judging({ meta, entries }: Run, { checks, party }: JudgeOptions): Generator<Verdict, void> {
  const journal = new JournalView(entries);
  for (const check of checks)
    if (meta.mode === 'scenarios' || check.watchable)
      yield verdictOf(check, findingOf(check, journal, { meta, party }), journal);
}

type Judged = { meta: RunMeta; party: Party };

function findingOf(check: Check, journal: JournalView, { meta, party }: Judged): Finding {
  const finding = ifShown(foundBy(check, journal));
  if (meta.mode === 'watch') return finding;
  return ifComplete(
    check,
    unlessDied(check, unlessDisturbed(check, unlessLimited(finding, journal), journal), journal, party),
    journal,
    meta,
  );
}

/** A fault in a check itself is told in its place: it must not keep the other verdicts from anybody. */
function foundBy(check: Check, journal: JournalView): Finding {
  try {
    return check.judge(journal);
  } catch (error) {
    const because = `this check has a fault of its own, which we ask you to report: ${String(error)}`;
    return { outcome: 'inconclusive', because, blame: 'harness' };
  }
}

function ifShown(finding: Finding): Finding {
  if (finding.outcome !== 'pass' || finding.evidence.length > 0) return finding;
  return { outcome: 'inconclusive', because: 'nothing in the journal shows it', blame: 'harness' };
}

/**
 * Turns a pass into an inconclusive finding when a scenario of the check did not run to its end: the fault
 * might have shown in the rest.
 */
function ifComplete(
  { scenarios }: Check,
  finding: Finding,
  journal: JournalView,
  { finished }: RunMeta,
): Finding {
  if (finding.outcome !== 'pass') return finding;
  const unplayed = scenarios.find((scenario) => finished && journal.ending(scenario) === undefined);
  if (unplayed !== undefined) {
    const because = `the scenario ${unplayed} was not played, and the fault may have shown in it`;
    return { outcome: 'inconclusive', because, evidence: finding.evidence, blame: 'harness' };
  }
  const open = scenarios.find((scenario) => journal.brokenOff(scenario, finished));
  if (open === undefined) return finding;
  const because = `the run was broken off before the scenario ${open} had ended`;
  return { outcome: 'inconclusive', because, evidence: finding.evidence, blame: 'environment' };
}

/**
 * Turns a fault into an inconclusive finding when the server limited the requests of the kit's address (HTTP
 * 429). Such a limit is no fault: the kit asks more often than a client does.
 */
function unlessLimited(finding: Finding, journal: JournalView): Finding {
  if (finding.outcome !== 'fail' && finding.outcome !== 'inconclusive') return finding;
  const { limited } = journal;
  const evidence = limited.map(({ seq }) => seq).filter((seq) => finding.evidence?.includes(seq));
  const words = finding.outcome === 'fail' ? finding.actual : finding.because;
  if (limited.length === 0 || (evidence.length === 0 && !words.includes('HTTP 429'))) return finding;
  return { outcome: 'inconclusive', because: LIMITED, evidence, blame: 'environment' };
}

const LIMITED =
  'the server limits the requests of one address (HTTP 429): state server.requestsPerSecond in the adapter file (a lower one if it is there), or raise the limit for the test';

/**
 * A silence is a time in which the kit's own event loop stood still, so that the kit answered nothing. One
 * that is shorter than this share of a step's duration cannot be the reason why the step was late.
 */
const MIN_SILENCE_SHARE = 0.25;

function unlessDisturbed({ scenarios, ofContents }: Check, finding: Finding, journal: JournalView): Finding {
  if (finding.outcome === 'pass' || finding.outcome === 'not applicable') return finding;
  if (ofContents && finding.outcome === 'fail' && journal.areMessages(finding.evidence)) return finding;
  const unanswered = journal.unansweredMs(finding.evidence ?? []);
  if (unanswered > MAX_ANSWER_MS)
    return disturbed(`had not answered a call of the server after ${unanswered} ms`, finding);
  const silence = Math.max(0, ...scenarios.map((scenario) => journal.silenceIn(scenario)));
  const mayBeCaused =
    finding.outcome === 'inconclusive'
      ? silence > MAX_ANSWER_MS && !scenarios.some((scenario) => journal.isStoppedByRefusal(scenario))
      : finding.timeSensitive || journal.isCutShort(finding.evidence);
  if (!mayBeCaused) return finding;
  const took = Math.max(0, ...(finding.evidence ?? []).map((seq) => journal.tookAt(seq)));
  if (silence === 0 || silence < took * MIN_SILENCE_SHARE) return finding;
  return disturbed(`stood still for ${silence} ms meanwhile`, finding);
}

type Doubtful = Extract<Finding, { outcome: 'fail' | 'inconclusive' }>;

function disturbed(how: string, finding: Doubtful): Finding {
  const found = finding.outcome === 'fail' ? finding.actual : finding.because;
  return {
    outcome: 'inconclusive',
    because: `the kit itself ${how}, which may have caused it: ${found}`,
    evidence: finding.evidence ?? [],
    blame: 'harness',
  };
}

/**
 * Reports the death of the server under test once, by the check that looks for it. What was seen after the
 * death is neither a second fault nor a proof that anything is right.
 */
function unlessDied({ scenarios }: Check, finding: Finding, journal: JournalView, blame: Party): Finding {
  if (finding.outcome === 'not applicable') return finding;
  const [death] = scenarios.flatMap((scenario) => journal.deathIn(scenario) ?? []);
  if (!death) return finding;
  const { evidence = [] } = finding;
  if (finding.outcome === 'fail') {
    // A fault that was proven before the death stays a fault.
    const isOfTheDeath = journal.serverEvents.some(({ seq }) => evidence.includes(seq));
    if (isOfTheDeath || (!finding.timeSensitive && journal.isSound(evidence, death))) return finding;
  }
  const because = diedMeanwhile(death);
  const guilty = death.outside ? 'environment' : blame;
  return { outcome: 'inconclusive', because, evidence: [death.seq], blame: guilty };
}

export function isDisturbed({ finding }: Verdict): boolean {
  return (
    finding.outcome === 'inconclusive' &&
    finding.blame === 'harness' &&
    finding.because.startsWith('the kit itself')
  );
}

function verdictOf(check: Check, finding: Finding, journal: JournalView): Verdict {
  const { id, title, requirements, scenarios, shownBy = {} } = check;
  const { part, level } = weightOf(requirements);
  const unshown = requirements.filter((requirement) => {
    const method = shownBy[requirement];
    return method !== undefined && journal.exchanges('auth->ehr', method).length === 0;
  });
  const about = { check: id, title, part, level, requirements, scenarios };
  const named = { ...about, ...(unshown.length > 0 && { unshown }) };
  if (finding.outcome === 'fail' && level !== 'MUST') return { ...named, outcome: 'warning', finding };
  return { ...named, outcome: finding.outcome, finding } as Verdict;
}

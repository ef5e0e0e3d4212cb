/**
 * Applies the checks to the journal of a run and returns their verdicts. Live runs, watched sessions and
 * saved journals are judged alike. What a check finds becomes inconclusive here where the run itself was
 * disturbed: by a request limit, a slow kit, a dead server, or an early end.
 */
import type { Party } from '../journal/entry.ts';
import { diedMeanwhile } from '../journal/played-steps.ts';
import type { Run, RunMeta } from '../journal/run-file.ts';
import { JournalView, MAX_ANSWER_MS } from '../journal/view.ts';
import type { Check } from './check.ts';
import type { Finding, Verdict } from './verdict.ts';
import { weightOf } from './weight.ts';

type JudgeOptions = { checks: readonly Check[]; party: Party };

/** Judges a run by every check that applies to its mode. Pure: the same journal gives the same verdicts. */
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
  const found = ifShown(foundBy(check, journal));
  if (meta.mode === 'watch') return found;
  const unlimited = unlessLimited(check, found, journal);
  const undisturbed = unlessDisturbed(check, unlimited, journal);
  const survived = unlessDied(check, undisturbed, journal, party);
  return ifComplete(check, survived, journal, meta);
}

/** A fault in a check itself is told in its place: it must not keep the other verdicts from anybody. */
function foundBy(check: Check, journal: JournalView): Finding {
  try {
    return check.judge(journal);
  } catch (error) {
    return ownFault(`this check has a fault of its own, which we ask you to report: ${String(error)}`);
  }
}

function ifShown(finding: Finding): Finding {
  if (finding.outcome !== 'pass' || finding.evidence.length > 0) return finding;
  return ownFault('nothing in the journal shows it');
}

const ownFault = (because: string): Finding => ({ outcome: 'inconclusive', because, blame: 'harness' });

/** A scenario that did not run to its end makes a pass inconclusive: the rest might have shown the fault. */
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

/** A limit on the requests of one address (HTTP 429) is no fault: the kit asks more often than a client. */
function unlessLimited({ scenarios }: Check, finding: Finding, journal: JournalView): Finding {
  if (finding.outcome !== 'fail' && finding.outcome !== 'inconclusive') return finding;
  const { limited } = journal;
  const evidence = limited.map(({ seq }) => seq).filter((seq) => finding.evidence?.includes(seq));
  const isStop =
    finding.outcome === 'inconclusive' &&
    scenarios.some((scenario) => journal.isStoppedByLimit(scenario, finding.because));
  if (limited.length === 0 || (evidence.length === 0 && !isStop)) return finding;
  return { outcome: 'inconclusive', because: LIMITED, evidence, blame: 'environment' };
}

const LIMITED =
  'the server limits the requests of one address (HTTP 429): state server.requestsPerSecond in the adapter file (a lower one if it is there), or raise the limit for the test';

/** A silence of the kit that is shorter than this share of a step cannot be the reason why it was late. */
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

/** A finding that a disturbance of the run may have caused. */
type Doubtful = Extract<Finding, { outcome: 'fail' | 'inconclusive' }>;

function disturbed(how: string, finding: Doubtful): Finding {
  const found = finding.outcome === 'fail' ? finding.actual : finding.because;
  return {
    outcome: 'inconclusive',
    because: `the kit itself ${how}, which may have caused it: ${found}`,
    evidence: finding.evidence ?? [],
    blame: 'harness',
    isDisturbed: true,
  };
}

/** Reports the death of the server once, by the check that looks for it: what comes later proves nothing. */
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
  return finding.outcome === 'inconclusive' && finding.isDisturbed === true;
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

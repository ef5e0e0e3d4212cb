/** Plays the scenarios, judges the journal, and plays again what is unclear. */
import type { Check } from '../../engine/check/check.ts';
import { isDisturbed, judge } from '../../engine/check/judge.ts';
import type { Verdict } from '../../engine/check/verdict.ts';
import { isLeftByKit, scenariosByEntry } from '../../engine/journal/attribution.ts';
import type { RunMeta } from '../../engine/journal/run-file.ts';
import { JournalView } from '../../engine/journal/view.ts';
import type { Flow } from './flows/flow.ts';
import { Driver } from './people/driver.ts';
import { playAll } from './people/play.ts';
import type { OpenRun } from './run.ts';

const MAX_ATTEMPTS = 3;

/**
 * Plays all scenarios, then plays some of them again, each alone:
 * - a scenario that the kit itself may have disturbed, for example by a stall of its own event loop, or by a
 *   call that its EHR server left unanswered;
 * - a scenario during which the server under test died;
 * - a scenario that was inconclusive while others ran at the same time;
 * - a scenario in which something came too late, where the kit stood still since the scenarios were played;
 * - a scenario that stopped because another one had left the server broken; the server is restarted first.
 */
export async function playUntilClear(
  run: OpenRun,
  { scenarios, checks, meta }: { scenarios: readonly Flow[]; checks: readonly Check[]; meta: () => RunMeta },
): Promise<void> {
  const { bed } = run;
  const driver = new Driver(run.driver, { id: '' });
  await playAll(run.driver, scenarios);
  let silences = 0;
  for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
    // Judging keeps the event loop busy. No step is being played, so this stall must not be recorded.
    const serveAgain = bed.silences.pause();
    const entries = bed.recorder.entries();
    const journal = new JournalView(entries);
    if (journal.serverIsGone) return;
    const verdicts = judge({ meta: meta(), entries }, { checks, party: 'auth server' });
    serveAgain();
    const stoodStill = journal.silences.length > silences;
    silences = journal.silences.length;
    const isBroken = driver.canRestart && showsBreakdown(journal);
    const again = scenarios.filter(
      unclearIn(journal, verdicts, { isFirst: attempt === 2, stoodStill, isBroken }),
    );
    if (again.length === 0) return;
    for (const scenario of again) {
      if (isBroken) await driver.restartServer();
      await playAll(run.driver, [{ ...scenario, when: 'alone' }]);
    }
  }
}

/** `isFirst`: no other was made. `stoodStill`: the kit did so in it. `isBroken`: a restart may mend the server. */
type Attempt = { isFirst: boolean; stoodStill: boolean; isBroken: boolean };

/** Returns a predicate: whether a scenario is played again, for a reason that {@link playUntilClear} names. */
function unclearIn(
  journal: JournalView,
  verdicts: readonly Verdict[],
  { isFirst, stoodStill, isBroken }: Attempt,
): (scenario: Flow) => boolean {
  const disturbed = scenariosOf(verdicts.filter(isDisturbed));
  const left = scenariosLeft(journal);
  const unclear = scenariosOf(verdicts.filter(({ outcome }) => outcome === 'inconclusive'));
  // A scenario that showed a fault is not played again: a second attempt could hide the fault.
  const faults = verdicts.filter(({ finding }) => finding.outcome === 'fail');
  const faulty = scenariosOf(faults);
  const late = scenariosOf(faults.filter(isLate));
  const certain = scenariosOf(faults.filter((verdict) => !isLate(verdict)));
  const hasLinked = journal.allSteps('authenticate').some(({ result }) => result.kind === 'done');
  return ({ id, when }) => {
    if (stoodStill && late.has(id) && !certain.has(id)) return true;
    if (disturbed.has(id) || (left.has(id) && !faulty.has(id))) return true;
    // The reasons below count once: a scenario that was alone tells no more later.
    if (!isFirst) return false;
    const stopped = journal.ending(id)?.stopped;
    if (isBroken && stopped?.blame === 'auth server' && unclear.has(id)) return true;
    // What others did may be why this one stopped; but a server that never linked anybody stops each.
    const mayHelp = when === 'together' && (stopped?.blame !== 'auth server' || hasLinked);
    return journal.deathIn(id) !== undefined || (mayHelp && unclear.has(id) && !faulty.has(id));
  };
}

/** Whether a right step succeeded earlier, and the last one of that name failed. */
function showsBreakdown(journal: JournalView): boolean {
  return (['exchangeToken', 'reportLink'] as const).some((name) => {
    const undisturbed = journal.allSteps(name).filter(({ step }) => step.defect === undefined);
    const succeeded = undisturbed.map(({ result }) => result.kind === 'done');
    return succeeded.includes(true) && succeeded.at(-1) === false;
  });
}

/** The scenarios in which the kit's EHR server left a call without an answer, although no fault was due. */
function scenariosLeft(journal: JournalView): ReadonlySet<string> {
  const homes = scenariosByEntry(journal.entries);
  return new Set(
    journal
      .exchanges('auth->ehr')
      .filter(isLeftByKit)
      .map(({ seq }) => homes.get(seq) ?? ''),
  );
}

const isLate = ({ finding }: Verdict) => finding.outcome === 'fail' && finding.timeSensitive === true;

const scenariosOf = (verdicts: readonly Verdict[]) => new Set(verdicts.flatMap(({ scenarios }) => scenarios));

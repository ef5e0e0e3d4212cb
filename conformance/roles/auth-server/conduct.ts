/** Conducts a run: plays the scenarios, judges the journal, and replays scenarios that are unclear. */
import type { Check } from '../../engine/check/check.ts';
import { isDisturbed, judge } from '../../engine/check/judge.ts';
import type { Verdict } from '../../engine/check/verdict.ts';
import type { RunMeta } from '../../engine/journal/run-file.ts';
import { JournalView } from '../../engine/journal/view.ts';
import type { Flow } from './flows/flow.ts';
import { Driver } from './people/driver.ts';
import { playAll } from './people/play.ts';
import type { OpenRun } from './run.ts';

export type ConductOptions = { scenarios: readonly Flow[]; checks: readonly Check[]; meta: () => RunMeta };

/** A scenario is played at most this many times. */
const MAX_ATTEMPTS = 3;

/**
 * Plays all scenarios. The kit's servers do not serve while it judges. Replays, alone, a scenario that the
 * kit itself may have disturbed, that the server under test did not survive, that stayed inconclusive beside
 * others, or that a server stopped which works no more since another scenario: that one after a restart.
 */
export async function conduct(run: OpenRun, { scenarios, checks, meta }: ConductOptions): Promise<void> {
  await playAll(run.driver, scenarios);
  for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
    const serveAgain = run.bed.silences.pause();
    const entries = run.bed.recorder.entries();
    const journal = new JournalView(entries);
    if (journal.serverIsGone) return;
    const verdicts = judge({ meta: meta(), entries }, { checks, party: 'auth server' });
    serveAgain();
    const disturbed = scenariosOf(verdicts.filter(isDisturbed));
    const unclear = scenariosOf(verdicts.filter(({ outcome }) => outcome === 'inconclusive'));
    // A fault that was seen once is not taken back by a second attempt.
    const faulty = scenariosOf(verdicts.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning'));
    const driver = new Driver(run.driver, { id: '' });
    const broken = isBroken(journal) && driver.canRestart;
    const hasLinked = journal.allSteps('authenticate').some(({ result }) => result.kind === 'done');
    const again = scenarios.filter(({ id, when }) => {
      if (disturbed.has(id)) return true;
      // One replay is enough when nothing else runs: it shows whether this scenario kills the server.
      const stopped = journal.ending(id)?.stopped;
      if (attempt === 2 && broken && stopped?.blame === 'auth server' && unclear.has(id)) return true;
      // Beside others a request may go astray. Where nobody was linked, that is not the reason.
      const mayHelp = when === 'together' && (stopped?.blame !== 'auth server' || hasLinked);
      return (
        attempt === 2 &&
        (journal.deathIn(id) !== undefined || (mayHelp && unclear.has(id) && !faulty.has(id)))
      );
    });
    if (again.length === 0) return;
    for (const scenario of again) {
      if (broken) await driver.restartServer();
      await playAll(run.driver, [{ ...scenario, when: 'alone' }]);
    }
  }
}

/**
 * Whether a step that nothing is wrong with succeeded at first and fails at the end: what one scenario broke
 * stops the others, and only a restart shows what else is wrong.
 */
function isBroken(journal: JournalView): boolean {
  return (['exchangeToken', 'reportLink'] as const).some((name) => {
    const undisturbed = journal.allSteps(name).filter(({ step }) => step.defect === undefined);
    const succeeded = undisturbed.map(({ result }) => result.kind === 'done');
    return succeeded.includes(true) && succeeded.at(-1) === false;
  });
}

const scenariosOf = (verdicts: readonly Verdict[]) => new Set(verdicts.flatMap(({ scenarios }) => scenarios));

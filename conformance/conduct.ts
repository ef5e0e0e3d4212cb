/** Conducts a run from the first scenario to the last: plays, judges, and plays again what may have been spoilt by others or by a silence of the kit. */
import type { Check } from './checks/check.ts';
import type { RunMeta } from './journal/run-file.ts';
import { JournalView } from './journal/view.ts';
import { isDisturbed, judge } from './judge.ts';
import { playAll } from './player/play.ts';
import type { OpenRun } from './run.ts';
import type { Scenario } from './scenarios/scenario.ts';
import type { Verdict } from './verdict.ts';

export type ConductOptions = {
  scenarios: readonly Scenario[];
  checks: readonly Check[];
  meta: () => RunMeta;
};

/** A scenario is played so many times at most. */
const MAX_ATTEMPTS = 3;

/**
 * Plays all scenarios. Nothing is judged while the kit serves. Played again, alone, is what the kit cannot answer for, what
 * the server under test did not live through, and what remained unclear beside others.
 */
export async function conduct(run: OpenRun, { scenarios, checks, meta }: ConductOptions): Promise<void> {
  await playAll(run.driver, scenarios);
  for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
    const serveAgain = run.bed.silences.pause();
    const entries = run.bed.recorder.entries();
    const journal = new JournalView(entries);
    if (journal.serverIsGone) return;
    const verdicts = judge({ meta: meta(), entries }, { checks });
    serveAgain();
    const disturbed = scenariosOf(verdicts.filter(isDisturbed));
    const unclear = scenariosOf(verdicts.filter(({ outcome }) => outcome === 'inconclusive'));
    // A fault that was seen once stays seen.
    const faulty = scenariosOf(verdicts.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning'));
    const again = scenarios.filter(({ id, when }) => {
      if (disturbed.has(id)) return true;
      // Once is enough where nothing else is played: whether the server dies in this one, and what comes of it.
      const wasPlayedWhole = when === 'together' && journal.ending(id)?.stopped === undefined;
      return (
        attempt === 2 && (journal.deathIn(id) !== undefined || (wasPlayedWhole && unclear.has(id) && !faulty.has(id)))
      );
    });
    if (again.length === 0) return;
    await playAll(
      run.driver,
      again.map((scenario) => ({ ...scenario, when: 'alone' as const })),
    );
  }
}

const scenariosOf = (verdicts: readonly Verdict[]) => new Set(verdicts.flatMap(({ scenarios }) => scenarios));

/** `auth-server`: plays the clients of an authorization server and the EHR server, and judges it. */
import { loadAdapter } from '../../../roles/auth-server/adapter/file/load.ts';
import { conduct } from '../../../roles/auth-server/conduct.ts';
import { examine } from '../../../roles/auth-server/doctor/doctor.ts';
import type { Flow } from '../../../roles/auth-server/flows/flow.ts';
import { waitingTime } from '../../../roles/auth-server/player/play.ts';
import { type OpenRun, openRun } from '../../../roles/auth-server/run.ts';
import { duration } from '../../report/words.ts';
import { ask, clock, neededScenarios, tell } from './common.ts';
import { chosenFor, type JudgedRun, judgeRun, type RunOptions } from './judge-run.ts';

/** @returns the exit code */
export async function judgeAuthServer(options: RunOptions): Promise<number> {
  const { config, seed } = options;
  const checks = chosenFor('auth-server', options);
  const scenarios = neededScenarios(checks);
  const open = async (signal: AbortSignal): Promise<JudgedRun> => {
    const loaded = await loadAdapter(config, process.env);
    const run = await openRun({ loaded, clock, seed, env: process.env, signal, tell, ask });
    const { configuredIn: ehrConfiguredIn } = loaded.settings.ehr;
    return {
      recorder: run.bed.recorder,
      examine: (onDiagnosis) => examine({ ...run, ehrConfiguredIn, clock, onDiagnosis }),
      duration: durationOf(run, scenarios),
      play: (meta) => conduct(run, { scenarios, checks, meta }),
      meta: (about) => run.meta({ ...about, mode: 'scenarios' }),
      close: run.close,
    };
  };
  return judgeRun(options, { role: 'auth-server', total: scenarios.length, open });
}

function durationOf({ adapter }: OpenRun, scenarios: readonly Flow[]): string | undefined {
  const waiting = duration(waitingTime(adapter, scenarios) * 1_000);
  if (waitingTime(adapter, scenarios) === 0) return undefined;
  return adapter.has('advanceClock')
    ? `The run keeps below ${adapter.requestsPerSecond} requests a second: it takes about ${waiting}.`
    : `The clock of the server cannot be moved: this run waits for it, and for its limits, ${waiting}.`;
}

/** `ehr-server`: plays clients and the authorization server for an EHR server, and judges it. */
import { systemRandom } from '#protocol/time/random.ts';
import { examineEhr } from '../../../roles/ehr-server/doctor.ts';
import { ehrChecks } from '../../../roles/ehr-server/flows/index.ts';
import { openEhrRun } from '../../../roles/ehr-server/run.ts';
import { loadEhrFile } from '../../../roles/ehr-server/settings.ts';
import { duration } from '../../report/words.ts';
import { clock } from './common.ts';
import { chosenFor, type JudgedRun, judgeRun, type RunOptions } from './judge-run.ts';

export type EhrRunOptions = Omit<RunOptions, 'requirements'> & {
  /** Waits in real time where the server's clock cannot be moved. */
  slow: boolean;
};

/** @returns the exit code */
export async function judgeEhrServer(options: EhrRunOptions): Promise<number> {
  const { config, seed, slow } = options;
  const needed = new Set(chosenFor('ehr-server', options).flatMap(({ scenarios }) => scenarios));
  const played = ehrChecks.map(({ scenario }) => scenario).filter(({ id }) => needed.has(id));
  const open = async (signal: AbortSignal): Promise<JudgedRun> => {
    const loaded = loadEhrFile(config, process.env);
    const run = await openEhrRun({ loaded, clock, seed, random: systemRandom, env: process.env, signal, slow });
    const minutes = slow && !run.parts.canAdvance ? Math.max(...played.map(({ waitsMinutes }) => waitsMinutes)) : 0;
    return {
      ...run,
      examine: (onDiagnosis) => examineEhr(run, onDiagnosis),
      duration:
        minutes > 0
          ? `The clock of the server cannot be moved: this run waits for it, at least ${duration(minutes * 60_000)}.`
          : undefined,
      play: () => run.playAll(played),
    };
  };
  return judgeRun(options, { role: 'ehr-server', total: played.length + SET_UP, open });
}

/** The doctor's own scenario counts in the progress. */
const SET_UP = 1;

/** `client`: plays both servers for a client, and judges it. */
import { systemRandom } from '#protocol/time/random.ts';
import { examineClient } from '../../../roles/client/doctor.ts';
import { clientChecks } from '../../../roles/client/flows/index.ts';
import { openClientRun } from '../../../roles/client/run.ts';
import { loadClientFile } from '../../../roles/client/settings.ts';
import { clock } from './common.ts';
import { chosenFor, type JudgedRun, judgeRun, type RunOptions } from './judge-run.ts';

export type ClientOptions = Omit<RunOptions, 'requirements'>;

/** @returns the exit code */
export async function judgeClient(options: ClientOptions): Promise<number> {
  const needed = new Set(chosenFor('client', options).flatMap(({ scenarios }) => scenarios));
  const played = clientChecks.map(({ scenario }) => scenario).filter(({ id }) => needed.has(id));
  const open = async (signal: AbortSignal): Promise<JudgedRun> => {
    const { config, seed } = options;
    const loaded = loadClientFile(config, process.env);
    const run = await openClientRun({ loaded, clock, seed, random: systemRandom, env: process.env, signal });
    return {
      ...run,
      ...(loaded.settings.person && { duration: durationWords(played.length) }),
      examine: (onDiagnosis) => examineClient(run, onDiagnosis),
      play: () => run.playAll(played),
    };
  };
  return judgeRun(options, { role: 'client', total: played.length + SET_UP, open });
}

const durationWords = (count: number): string =>
  `You do each step of ${count} scenarios by hand: --only plays fewer of them, and Ctrl-C judges what was played.`;

/** The doctor's own scenario counts in the progress. */
const SET_UP = 1;

/** The role `ehr-server`: the kit plays the client and the authorization server. */
import { commandLine } from '#service/process/command-line/program-name.ts';
import { neededBy, SET_UP } from '../../engine/check/chosen.ts';
import { duration } from '../../engine/report/words.ts';
import type { Role } from '../../engine/role.ts';
import { examineEhr } from './doctor/doctor.ts';
import type { EhrFlow } from './flow.ts';
import { ehrFlows } from './flows/index.ts';
import { askEhrChoices, ehrFileText, leftToSet } from './init.ts';
import { judged } from './judged.ts';
import { type EhrRun, openEhrRun } from './run.ts';
import { loadEhrFile } from './settings.ts';

const CALLS_A_SCENARIO = 13;
const MAX_UNANNOUNCED_MS = 60_000;

function durationOf({ parts }: EhrRun, played: readonly EhrFlow[], isWaiting: boolean) {
  // All scenarios that wait do so at the same time: the longest decides.
  const minutes =
    isWaiting && !parts.canAdvance ? Math.max(...played.map(({ waitsMinutes }) => waitsMinutes)) : 0;
  if (minutes > 0)
    return `The clock of the server cannot be moved: this run waits for it, at least ${duration(minutes * 60_000)}.`;
  const calls = played.length * CALLS_A_SCENARIO;
  const ms = calls * parts.pace.callMs;
  if (ms < MAX_UNANNOUNCED_MS) return undefined;
  return `The server takes ${parts.pace.callMs} ms for a call, so this run of some ${calls} calls takes about ${duration(ms)}. --only plays a part of it, such as --only 4.3.`;
}

export const role: Role = {
  ...judged,
  async open({ config, checks, ...opening }) {
    const played = neededBy(checks, ehrFlows);
    const run = await openEhrRun({ loaded: loadEhrFile(config, opening.env), ...opening });
    return {
      ...run,
      total: played.length + SET_UP,
      examine: (onDiagnosis) => examineEhr(run, onDiagnosis),
      get duration() {
        return durationOf(run, played, opening.slow);
      },
      play: () => run.playAll(played),
    };
  },
  init: {
    file: 'my-ehr.yaml',
    async ask(asking, file) {
      const choices = await askEhrChoices(asking);
      return {
        text: ehrFileText(choices),
        left: [...leftToSet(choices), commandLine('conformance', `ehr-server --config ${file} --doctor`)],
      };
    },
  },
  // Imported only for a self-test: it needs the reference EHR server, a user's run does not.
  catalogue: async () => (await import('./self-test/self-test.ts')).ehrCatalogue,
};

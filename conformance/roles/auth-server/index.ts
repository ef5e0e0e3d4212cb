/** The role of an authorization server: how a run is opened, and what is judged. */
import { commandLine } from '#service/process/command-line/program-name.ts';
import { neededBy } from '../../engine/check/playing.ts';
import { duration } from '../../engine/report/words.ts';
import type { Role } from '../../engine/role.ts';
import { loadAdapter } from './adapter/file/load.ts';
import { examine } from './doctor/doctor.ts';
import type { Flow } from './flows/flow.ts';
import { scenarios } from './flows/index.ts';
import { fileText } from './init/file-text.ts';
import { askChoices, schemaFrom, variablesToSet } from './init/questions.ts';
import { judged } from './judged.ts';
import { waitingTime } from './people/play.ts';
import { playUntilClear } from './play-until-clear.ts';
import { type OpenRun, openRun } from './run.ts';

export const role: Role = {
  ...judged,
  async open({ config, checks: chosen, ...opening }) {
    const played = neededBy(chosen, scenarios);
    const loaded = await loadAdapter(config, opening.env);
    const run = await openRun({ loaded, ...opening });
    return {
      recorder: run.bed.recorder,
      total: played.length,
      examine: (onDiagnosis) => examine({ ...run, onDiagnosis }),
      duration: durationOf(run, played),
      play: (meta) => playUntilClear(run, { scenarios: played, checks: chosen, meta }),
      meta: (about) => run.meta(about),
      close: run.close,
    };
  },
  init: {
    file: 'my-server.yaml',
    async ask(asking, file) {
      const choices = await askChoices(asking);
      return {
        text: fileText(choices, schemaFrom(file)),
        left: [
          'Look through its steps: the paths and members there are a guess.',
          variablesToSet(choices),
          commandLine('conformance', `doctor --config ${file}`),
        ],
      };
    },
    async learn(exchanges, asking, file) {
      const { learnedFile } = await import('./learn/learn.ts');
      return learnedFile(exchanges, asking, file);
    },
  },
  // Loaded on demand: only a self-test needs the catalogue.
  catalogue: async () => (await import('./self-test/self-test.ts')).catalogue,
};

function durationOf({ adapter }: OpenRun, played: readonly Flow[]): string | undefined {
  const seconds = waitingTime(adapter, played);
  if (seconds === 0) return undefined;
  const waiting = duration(seconds * 1_000);
  return adapter.has('advanceClock')
    ? `The run keeps below ${adapter.settings.server.requestsPerSecond} requests a second: it takes about ${waiting}.`
    : `The clock of the server cannot be moved: this run waits for it, and for its limits, ${waiting}.`;
}

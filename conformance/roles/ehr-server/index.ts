/**
 * The role `ehr-server`: all that the engine needs to judge an EHR server. The kit plays the client and the
 * authorization server.
 */
import { commandLine } from '#service/process/command-line/program-name.ts';
import { neededBy, SET_UP } from '../../engine/check/chosen.ts';
import { duration } from '../../engine/report/words.ts';
import type { Role } from '../../engine/role.ts';
import { examineEhr } from './doctor.ts';
import { allEhrChecks, ehrChecks } from './flows/index.ts';
import { askEhrChoices, ehrFileText } from './init.ts';
import { NOT_JUDGED } from './not-judged.ts';
import { openEhrRun } from './run.ts';
import { loadEhrFile } from './settings.ts';
import { openWatchedEhr } from './watched.ts';

const scenarios = ehrChecks.map(({ scenario }) => scenario);

export const role: Role = {
  id: 'ehr-server',
  party: 'EHR server',
  checks: allEhrChecks,
  scenarios,
  notJudged: NOT_JUDGED,
  async open({ config, checks, ...opening }) {
    const played = neededBy(checks, scenarios);
    const run = await openEhrRun({ loaded: loadEhrFile(config, opening.env), ...opening });
    // All scenarios that wait do so at the same time: the longest decides.
    const isWaiting = opening.slow && !run.parts.canAdvance;
    const minutes = isWaiting ? Math.max(...played.map(({ waitsMinutes }) => waitsMinutes)) : 0;
    return {
      ...run,
      total: played.length + SET_UP,
      examine: (onDiagnosis) => examineEhr(run, onDiagnosis),
      duration:
        minutes > 0
          ? `The clock of the server cannot be moved: this run waits for it, at least ${duration(minutes * 60_000)}.`
          : undefined,
      play: () => run.playAll(played),
    };
  },
  watch: async ({ config, ...opening }) =>
    openWatchedEhr({ loaded: loadEhrFile(config, opening.env), ...opening }),
  init: {
    file: 'my-ehr.yaml',
    async ask(asking, file) {
      const choices = await askEhrChoices(asking);
      return {
        text: ehrFileText(choices),
        left: [
          'Name at least three patients of your test system under people.matching.',
          `Set ${choices.userVariable} and ${choices.passwordVariable} to what your server has.`,
          commandLine('conformance', `ehr-server --config ${file} --doctor`),
        ],
      };
    },
  },
  // Imported only for a self-test: it needs the reference EHR server, a user's run does not.
  catalogue: async () => (await import('./self-test/self-test.ts')).ehrCatalogue,
};

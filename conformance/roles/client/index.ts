/** The role of the client: a client application is judged, and the kit plays both servers for it. */
import { commandLine } from '#service/process/command-line/program-name.ts';
import { neededBy, SET_UP } from '../../engine/check/chosen.ts';
import type { Role } from '../../engine/role.ts';
import { examineClient } from './doctor.ts';
import { clientFlows } from './flows/index.ts';
import { askClientChoices, clientFileText } from './init.ts';
import { judged } from './judged.ts';
import { openClientRun } from './run.ts';
import { loadClientFile } from './settings.ts';

const TO_LOOK_AT = {
  program: 'Write the program: docs/files.md shows each line that it is given, and what it answers.',
  browser: 'Look through actions and screens: the words there are a guess.',
} as const;

export const role: Role = {
  ...judged,
  async open({ config, checks, ...opening }) {
    const played = neededBy(checks, clientFlows);
    const loaded = loadClientFile(config, opening.env);
    const run = await openClientRun({ loaded, ...opening });
    return {
      ...run,
      total: played.length + SET_UP,
      examine: (onDiagnosis) => examineClient(run, onDiagnosis),
      play: () => run.playAll(played),
    };
  },
  init: {
    file: 'my-client.yaml',
    async ask(asking, file) {
      const choices = await askClientChoices(asking);
      return {
        text: clientFileText(choices),
        left: [TO_LOOK_AT[choices.way], commandLine('conformance', `client --config ${file} --doctor`)],
      };
    },
  },
  catalogue: async () => (await import('./self-test/self-test.ts')).clientCatalogue,
};

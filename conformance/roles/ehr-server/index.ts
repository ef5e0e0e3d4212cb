/** The role `ehr-server`: the kit plays the client and the authorization server. */
import { commandLine } from '#service/process/command-line/program-name.ts';
import { neededBy, SET_UP } from '../../engine/check/playing.ts';
import type { Asking } from '../../engine/cli/commands/answers.ts';
import { baseUrl, text } from '../../engine/party/file/fields.ts';
import { duration } from '../../engine/report/words.ts';
import type { Role } from '../../engine/role.ts';
import { askVariables, type Choices, variablesToSet } from '../auth-server/init/questions.ts';
import { examineEhr } from './doctor/doctor.ts';
import type { EhrFlow } from './flow.ts';
import { ehrFlows } from './flows/index.ts';
import { judged } from './judged.ts';
import { type EhrRun, openEhrRun } from './run.ts';
import { loadEhrFile } from './settings.ts';

/** The calls of an average scenario, for the estimate of the duration. */
const CALLS_A_SCENARIO = 13;
/** The user is told the duration of a longer run. */
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
      // A getter: `examine` measures the pace after the run was opened.
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

/** The two variables are names of environment variables, not values. */
type EhrChoices = Pick<Choices, 'name' | 'userVariable' | 'passwordVariable'> & {
  url: string;
  /** The same as `url` where one endpoint serves both channels. */
  internalUrl: string;
  hasClock: 'no' | 'yes';
};

const CLOCKS = ['no', 'yes'] as const;

async function askEhrChoices({ text: ask, choice }: Asking): Promise<EhrChoices> {
  const name = await ask('Name of your EHR server, for reports', 'My EHR server', text.max(100));
  const url = await ask(
    'Its public endpoint, with the version segment',
    'http://127.0.0.1:4100/1.0-alpha/',
    baseUrl,
  );
  const internalUrl = await ask('Its endpoint for the authorization server', url, baseUrl);
  const variables = await askVariables(ask);
  const hasClock = await choice('Can its clock be moved by a request, in a test?', CLOCKS, {
    no: 'what takes minutes is played with --slow alone',
    yes: 'the whole run takes seconds',
  });
  return { name, url, internalUrl, ...variables, hasClock };
}

function ehrFileText({
  name,
  url,
  internalUrl,
  userVariable,
  passwordVariable,
  hasClock,
}: EhrChoices): string {
  const separate = `# The endpoint of the internal channel, for the authorization server alone.
internalUrl: ${JSON.stringify(internalUrl)}
`;
  return `# How the conformance kit reaches this EHR server. Every key: docs/files.md
name: ${JSON.stringify(name)}

server:
  # The whole public endpoint, with its version segment.
  url: ${JSON.stringify(url)}
  # The kit can start the server itself, stop it, and restart it to see what is kept:
  # start:
  #   command: [node, server.js]
  #   env:
  #     EHR_INTERNAL_USER: \${internalUser}
  #     EHR_INTERNAL_PASSWORD: \${internalPassword}
  #     # An empty folder, which the kit removes after the run.
  #     DATABASE: \${folder}/ehr.sqlite
  #   ready: { url: /healthz }
${internalUrl === url ? '' : separate}
# What the authorization server calls itself. Set both variables to what the server has.
internal:
  user: { env: ${userVariable} }
  password: { env: ${passwordVariable} }

# Only where the server decided otherwise:
# ttlUnit: seconds

# A web origin whose pages may call; without it what is about browsers is not judged.
# origin: http://localhost:4300

people:
  # At least three patients of a test system, whom nobody else uses meanwhile: the kit links each and removes the link.
  # With medCardId, letters beyond ASCII, and two of one phone, more is judged.
  matching:
    - { name: Anna, surname: Petrova, date: "1985-04-12", phone: "79990000001", gender: 1 }
    - { name: Ivan, surname: Sidorov, date: "2000-02-29", phone: "79990000002", gender: 0 }
    - { name: Oleg, surname: Sidorov, date: "2000-02-29", phone: "79990000002", gender: 0 }
  # Properties that fit two patients; patients who must never match, inactive or deceased; if there are any:
  # ambiguous: { name: Maria, surname: Ivanova, date: "1990-01-01", phone: "79990000004", gender: 1 }
  # inactive:
  #   - { name: Nina, surname: Orlova, date: "1933-05-05", phone: "79990000009", gender: 1 }
${hasClock === 'yes' ? CLOCK : ''}`;
}

const leftToSet = (choices: EhrChoices): string[] => [
  'Name at least three patients of your test system under people.matching.',
  variablesToSet(choices),
];

const CLOCK = `
control:
  # The request that moves the clock of the server forward.
  advanceClock:
    method: POST
    url: http://127.0.0.1:4101/clock
    json: { advance: "\${milliseconds}" }
`;

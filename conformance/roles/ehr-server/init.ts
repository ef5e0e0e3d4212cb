/** The questions that `init` asks about an EHR server, and the file that it writes from the answers. */

import type { Asking } from '../../engine/cli/commands/answers.ts';
import { baseUrl, text } from '../../engine/party/file/fields.ts';
import { askVariables, type Choices, variablesToSet } from '../auth-server/init/questions.ts';

/** The two variables are names of environment variables, not values. */
type EhrChoices = Pick<Choices, 'name' | 'userVariable' | 'passwordVariable'> & {
  url: string;
  /** The same as `url` where one endpoint serves both channels. */
  internalUrl: string;
  hasClock: 'no' | 'yes';
};

const CLOCKS = ['no', 'yes'] as const;

export async function askEhrChoices({ text: ask, choice }: Asking): Promise<EhrChoices> {
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

export function ehrFileText({
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
  # Properties that fit two patients, and one patient who must never match, if there are any:
  # ambiguous: { name: Maria, surname: Ivanova, date: "1990-01-01", phone: "79990000004", gender: 1 }
  # inactive: { name: Nina, surname: Orlova, date: "1933-05-05", phone: "79990000009", gender: 1 }
${hasClock === 'yes' ? CLOCK : ''}`;
}

export const leftToSet = (choices: EhrChoices): string[] => [
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

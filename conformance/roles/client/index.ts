/** The role of the client: a client application is judged, and the kit plays both servers for it. */
import { commandLine } from '#service/process/command-line/program-name.ts';
import { neededBy, SET_UP } from '../../engine/check/playing.ts';
import type { Asking } from '../../engine/cli/commands/answers.ts';
import { text, url, whole } from '../../engine/party/file/fields.ts';
import type { Role } from '../../engine/role.ts';
import { examineClient } from './doctor.ts';
import { clientFlows } from './flows/index.ts';
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

export const WAYS = ['program', 'browser'] as const;

type ClientChoices = {
  name: string;
  way: (typeof WAYS)[number];
  place: string;
  /** Ports at which the kit listens as authorization server and as EHR server, as digits; 0: a free port. */
  authPort: string;
  ehrPort: string;
};

const portText = text.refine(
  (value) => /^\d+$/.test(value) && whole(0, 65_535).safeParse(Number(value)).success,
  { error: 'must be a whole number from 0 to 65535' },
);

async function askClientChoices({ text: ask, choice }: Asking): Promise<ClientChoices> {
  const name = await ask('Name of your client, for reports', 'My client', text.max(100));
  const way = await choice('Who drives it?', WAYS, {
    program: 'a program that turns lines into actions',
    browser: 'the kit, in a browser, as a person uses the page',
  });
  const place =
    way === 'program'
      ? await ask('Command line that starts the program', './my-adapter', text)
      : await ask('Address of its page', 'http://127.0.0.1:8080/', url);
  // The kit gives a program the addresses as arguments, so free ports will do. A page has fixed addresses.
  const usual = (port: string) => (way === 'program' ? '0' : port);
  const authPort = await ask(
    'Port at which it finds the authorization server (0: any)',
    usual('4191'),
    portText,
  );
  const ehrPort = await ask('Port at which it finds the EHR server (0: any)', usual('4192'), portText);
  return { name, way, place, authPort, ehrPort };
}

function clientFileText({ name, way, place, authPort, ehrPort }: ClientChoices): string {
  return `# How the conformance kit drives this client. Every key: docs/files.md
name: ${JSON.stringify(name)}

${SECTIONS[way](place)}
# Where the kit listens as authorization server and as EHR server; 0: a free port.
ports: { auth: ${Number(authPort)}, ehr: ${Number(ehrPort)} }
`;
}

/** The words of a command line, of which one in quotes may have blanks. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

const ADDRESSES = ['authUrl', 'ehrUrl', 'storage'].map((name) => `\${${name}}`);

/** The addresses of the kit come last, unless the command line says where they stand. */
const withAddresses = (words: readonly string[]): string[] =>
  words.some((word) => ADDRESSES.some((address) => word.includes(address)))
    ? [...words]
    : [...words, ...ADDRESSES];

const SECTIONS: Readonly<Record<ClientChoices['way'], (place: string) => string>> = {
  program: (place) => `client:
  # The kit writes a line for each action of a person to its input, and reads a line of what they see then.
  command: ${JSON.stringify(withAddresses(wordsOf(place)))}
`,
  browser: (place) => `browser:
  address: ${JSON.stringify(place)}
  # The kit can serve the page itself:
  # start:
  #   command: [node, serve.js, --port, "\${port}", --auth-url, "\${authUrl}", --ehr-url, "\${ehrUrl}"]
  # Fields by their labels, buttons and links by their words. All words here are a guess.
  actions:
    signIn:
      - fill: { field: "Phone number", with: "\${phone}" }
      - press: "Send code"
    resend:
      - press: "Send a new code"
    enterCode:
      - fill: { field: "Code", with: "\${code}" }
      - press: "Confirm"
    fillForm:
      - fill: { field: "Given name", with: "\${name}" }
      - fill: { field: "Family name", with: "\${surname}" }
      - fill: { field: "Date of birth", with: "\${date}" }
      # Left out where the person states none.
      - choose: { field: "Gender", option: "\${gender?}" }
      - fill: { field: "Phone number", with: "\${phone}" }
      - press: "Find my record"
    readPatient:
      - reload: true
    logout:
      - press: ["Log out", "Try again"]
    disconnect:
      - press: ["Disconnect", "Try again"]
      - mayPress: "Yes, disconnect"
    deleteAccount:
      - press: ["Delete my data", "Try again"]
      - mayPress: "Yes, delete"
  # Texts that stand on one screen alone. Where none of them stands, the person sees an error.
  screens:
    code: ["Enter the code"]
    form: ["Tell us who you are"]
    patient: ["Your health record"]
    signedOut: ["Sign in"]
    error: [did not work]
  # What the page shows while it works.
  busy: [One moment]
`,
};

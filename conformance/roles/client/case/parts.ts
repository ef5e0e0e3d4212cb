/** What the script of a case of a client has beside what the person does. */
import { NOTE, SET_UP } from '../../../engine/case/acted/labels.ts';
import type { Flow } from '../../../engine/case/flow.ts';
import { headOf } from '../../../engine/case/head.ts';
import { memberName, quoted } from '../../../engine/case/js-text.ts';
import type { Told } from '../../../engine/case/make.ts';
import type { ScriptParts } from '../../../engine/case/script.ts';
import type { TracedCall } from '../../../engine/case/trace/traced-call.ts';
import { people } from '../people/people.ts';
import { VERSION } from '../servers/servers.ts';
import type { ClientSettings } from '../settings.ts';
import { programFunctions } from './played-person.ts';
import { openText, serverFunctions } from './played-servers.ts';
import { troubleText } from './troubles.ts';

/** The program of a file; in `env` the expressions of its variables, by name. */
export type ProgramText = {
  command: readonly string[];
  folder: string;
  env: Readonly<Record<string, string>>;
};

/** The parts of a script for a client that is a program. */
export function partsOf(
  { ports, timeouts }: Pick<ClientSettings, 'ports' | 'timeouts'>,
  { command, folder, env }: ProgramText,
  told: Told,
): ScriptParts {
  const variables = Object.entries(env).map(([name, js]) => `${memberName(name)}: ${js}`);
  return {
    head: headOf(
      told,
      [
        'The client is the party that is tested. This script starts it, tells it what a person does, and is both',
        'servers for it: the authorization server, and the EHR server. All people are invented.',
        '',
        'Before: let CLIENT_FOLDER be the folder in which the program of the client is started.',
      ],
      'client',
    ),
    constants: [
      `const AUTH_PORT = Number(process.env.AUTH_PORT ?? ${ports.auth});`,
      `const EHR_PORT = Number(process.env.EHR_PORT ?? ${ports.ehr});`,
      `const HOST = '127.0.0.1';`,
      `const PATH = '/${VERSION}/';`,
      `const FOLDER = process.env.CLIENT_FOLDER ?? ${quoted(folder)};`,
      `const COMMAND = () => [${command.map(argumentText).join(', ')}];`,
      `const ENV = ${variables.length === 0 ? '{}' : `{ ${variables.join(', ')} }`};`,
      `const TIMEOUT_MS = ${timeouts.actionMs};`,
      `const LEAVE_MS = ${timeouts.leaveMs};`,
      `const PATIENTS = ${JSON.stringify(Object.values(people).map(({ patient }) => patient))};`,
    ].join('\n'),
    drawnBy: () => undefined,
    functions: { ...serverFunctions, ...programFunctions },
    open: openText,
    callOf,
    controlled: (expression, call) =>
      call.label.search(SET_UP) === 0 ? withScreen(expression, call) : expression,
    urlOf: () => '',
  };
}

/** Templates of an argument, and what stands for them in the script. */
const TEMPLATES: Readonly<Record<string, string>> = {
  authUrl: 'urls.auth',
  ehrUrl: 'urls.ehr',
  storage: 'STORAGE',
  node: 'process.execPath',
};

/** An argument of the command as an expression. */
function argumentText(argument: string): string {
  const parts = argument.split(/\$\{(\w+)\}/);
  const written = parts.map((part, index) =>
    index % 2 === 1 ? (TEMPLATES[part] ?? "''") : part === '' ? '' : quoted(part),
  );
  return written.filter(Boolean).join(' + ') || "''";
}

/** What the kit notes between two actions, in the words of a script. */
export const NOTES = {
  trouble: 'a server is in trouble',
  calm: 'the trouble is over',
  advance: 'time passes',
  wait: 'time passes',
  disconnect: 'the record is disconnected on another device',
  changeRecord: 'the record changes at the EHR server',
  startOver: 'the client is installed again',
};

/** What a person does, or what happens meanwhile, as an expression. */
function callOf(call: TracedCall, flow: Flow, index: number): string {
  const { request, label, step } = call;
  const given = JSON.parse(request.body) as unknown[];
  if (request.path === `${NOTE}trouble`) return troubleText(...(given as Parameters<typeof troubleText>));
  const args = given.map((each) => flow.jsonOf(each, index));
  if (request.path.startsWith(NOTE)) return `${request.path.slice(NOTE.length)}(${args.join(', ')})`;
  const name = quoted(label.replaceAll(SET_UP, ''));
  if (step === 'leave') return `leave(${name})`;
  return `act(${name}, ${args.length === 1 ? args[0] : `[${args.join(', ')}]`})`;
}

/** Has a step that prepares the others lead to the screen to which it has led. */
function withScreen(expression: string, { response }: TracedCall): string {
  const [, screen] = /"sees":"(\w+)"/.exec(response?.body ?? '') ?? [];
  return screen === undefined ? expression : `${expression.slice(0, -1)}, ${quoted(screen)})`;
}

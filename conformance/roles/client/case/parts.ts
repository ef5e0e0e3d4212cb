/** What the script of a case of a client has beside what the person does. */
import { NOTE, SET_UP } from '../../../engine/case/acted/labels.ts';
import type { Flow } from '../../../engine/case/flow.ts';
import { headOf } from '../../../engine/case/head.ts';
import { memberName, quoted } from '../../../engine/case/js-text.ts';
import type { ScriptParts } from '../../../engine/case/script.ts';
import type { Told } from '../../../engine/case/told.ts';
import type { TracedCall } from '../../../engine/case/trace/traced-call.ts';
import type { Action } from '../drivers/driver.ts';
import { sentenceFor } from '../drivers/person/words.ts';
import { people } from '../people/people.ts';
import { VERSION } from '../servers/servers.ts';
import type { ClientSettings } from '../settings.ts';
import { handFunctions, programFunctions } from './played-person.ts';
import { openText, playedFunctions } from './played-servers.ts';
import { troubleText } from './troubles.ts';

/** The program of a file; in `env` the expressions of its variables, by name. */
export type ProgramText = {
  command: readonly string[];
  folder: string;
  env: Readonly<Record<string, string>>;
};

type Timed = Pick<ClientSettings, 'ports' | 'timeouts'>;

/** The parts of a script for a client that is a program. */
export function partsOf(settings: Timed, { command, folder, env }: ProgramText, told: Told): ScriptParts {
  const variables = Object.entries(env).map(([name, js]) => `${memberName(name)}: ${js}`);
  const before = [
    'The client is the party that is tested. This script starts it, tells it what a person does, and is both',
    'servers for it: the authorization server, and the EHR server. All people are invented.',
    '',
    'Before: let CLIENT_FOLDER be the folder in which the program of the client is started.',
  ];
  return {
    head: headOf(told, before, 'client'),
    constants: [
      constantsOf(settings),
      `const FOLDER = process.env.CLIENT_FOLDER ?? ${quoted(folder)};`,
      `const COMMAND = () => [${command.map(argumentText).join(', ')}];`,
      `const ENV = ${variables.length === 0 ? '{}' : `{ ${variables.join(', ')} }`};`,
    ].join('\n'),
    drawnBy: () => undefined,
    functions: { ...playedFunctions, ...programFunctions },
    open: openText(),
    callOf: (call, flow, index) => callOf(call, flow, index, actText),
    controlled: (expression, call) =>
      call.label.search(SET_UP) === 0 ? withScreen(expression, call) : expression,
    urlOf: () => '',
  };
}

/**
 * The parts of a script for a client that a person uses.
 * @param page where the client is opened, where that is known
 * @param onAsked is told what a person does where a sentence of the script asks for it
 */
export function handPartsOf(
  settings: Timed,
  page: string | undefined,
  { told, onAsked }: { told: Told; onAsked: (sentence: string, actions: readonly Action[]) => void },
): ScriptParts {
  const { auth, ehr } = settings.ports;
  const before = [
    'The client is the party that is tested. This script says what a person does with it, line by line, and is',
    'both servers for it: the authorization server, and the EHR server. All people are invented. Please do what',
    'each line says, and then press Enter.',
    '',
    'Before: let the client call the two servers at the addresses that the script tells' +
      `${auth === 0 || ehr === 0 ? '; AUTH_PORT and EHR_PORT fix them' : ''}.`,
  ];
  const opening = page === undefined ? '' : ` + ', client: ' + ${argumentText(page)}`;
  return {
    head: headOf(told, before, 'client'),
    constants: constantsOf(settings),
    drawnBy: () => undefined,
    functions: { ...playedFunctions, ...handFunctions },
    open: openText(
      `'Authorization server: ' + urls.auth + ', EHR server: ' + urls.ehr + '/${VERSION}/'${opening}`,
    ),
    isBlind: true,
    callOf: (call, flow, index) =>
      callOf(call, flow, index, (actions, typed) => askedText(actions, typed, onAsked)),
    urlOf: () => '',
  };
}

/** The constants of every script. */
const constantsOf = ({ ports, timeouts }: Timed) =>
  [
    `const AUTH_PORT = Number(process.env.AUTH_PORT ?? ${ports.auth});`,
    `const EHR_PORT = Number(process.env.EHR_PORT ?? ${ports.ehr});`,
    `const HOST = '127.0.0.1';`,
    `const PATH = '/${VERSION}/';`,
    `const TIMEOUT_MS = ${timeouts.actionMs};`,
    `const LEAVE_MS = ${timeouts.leaveMs};`,
    `const PATIENTS = ${JSON.stringify(Object.values(people).map(({ patient }) => patient))};`,
  ].join('\n');

/** Templates of an argument, and what stands for them in the script. */
const TEMPLATES: Readonly<Record<string, string>> = {
  authUrl: 'urls.auth',
  ehrUrl: 'urls.ehr',
  storage: 'STORAGE',
  node: 'process.execPath',
  port: "'PORT'",
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

/** Writes the arguments of a step. `js` has each action as an expression. */
type WriteActions = (actions: readonly Action[], js: readonly string[]) => string;

/** What a person does, or what happens meanwhile, as an expression. */
function callOf(call: TracedCall, flow: Flow, index: number, write: WriteActions): string {
  const { request, label, step } = call;
  const given = JSON.parse(request.body) as unknown[];
  if (request.path === `${NOTE}trouble`) return troubleText(...(given as Parameters<typeof troubleText>));
  const args = given.map((each) => flow.jsonOf(each, index));
  if (request.path.startsWith(NOTE)) return `${request.path.slice(NOTE.length)}(${args.join(', ')})`;
  const name = quoted(label.replaceAll(SET_UP, ''));
  if (step === 'leave') return `leave(${name})`;
  return `act(${name}, ${write(given as Action[], args)})`;
}

/** Actions for a program. */
const actText: WriteActions = (_actions, js) => (js.length === 1 ? String(js[0]) : `[${js.join(', ')}]`);

/** Actions for a person, as a sentence. A code is put into it when the script runs. */
function askedText(
  actions: readonly Action[],
  js: readonly string[],
  onAsked: (sentence: string, actions: readonly Action[]) => void,
): string {
  const [first, second] = actions;
  if (!first) return "''";
  const isTwice = second !== undefined && JSON.stringify(first) === JSON.stringify(second);
  const more = isTwice
    ? ' Do it twice, as fast as you can.'
    : second
      ? ` At once: ${sentenceFor(second)}`
      : '';
  if (first.do !== 'enterCode') {
    const sentence = `${sentenceFor(first)}${more}`;
    onAsked(sentence, actions);
    return quoted(sentence);
  }
  const code = /code: ([^}]+) }$/.exec(js[0] ?? '')?.[1] ?? (js[0]?.includes('code }') ? 'code' : "''");
  const [before = '', after = ''] = sentenceFor({ do: 'enterCode', code: '#' }).split('#');
  return `${quoted(before)}, ${code}, ${quoted(after + more)}`;
}

/** Has a step that prepares the others lead to the screen to which it has led. */
function withScreen(expression: string, { response }: TracedCall): string {
  const [, screen] = /"sees":"(\w+)"/.exec(response?.body ?? '') ?? [];
  return screen === undefined ? expression : `${expression.slice(0, -1)}, ${quoted(screen)})`;
}

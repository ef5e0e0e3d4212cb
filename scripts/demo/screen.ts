/**
 * The demo's screen once everything runs: where to go, which persona to use, where the code appears, how to
 * move time and how to stop.
 */
import { type Persona, type PersonaName, personaList } from '#mis-fixtures/personas.ts';
import { type ClockOffsets, describeOffsets } from './clock-offsets.ts';
import { commandAgain } from './command.ts';
import { addressesOf } from './parties.ts';
import { type DemoConfig, demoSettings } from './settings.ts';

/** What to expect, shorter than in the list of the fixtures. */
const EXPECTED_OUTCOMES: Readonly<Record<PersonaName, string>> = {
  anna: 'is matched',
  twins: 'the given name decides',
  namesakes: 'is never matched',
  alyoshin: 'is matched, е for ё',
  nunez: 'is matched',
  rufus: 'is matched, by card 123456 too',
  orphan: 'no correspondence entry',
  boris: 'is matched',
};

const GENDERS = ['male', 'female', 'other', 'unknown'];

export type ScreenParts = {
  /** The flags of this demo as they were typed. */
  readonly typed: readonly string[];
  readonly offsets: ClockOffsets;
  /** Address of the console with its token; undefined without a console. */
  readonly console?: string | undefined;
};

/** Returns the screen as text. Its last line starts with "Ready". */
export function screenOf(config: DemoConfig, { typed, offsets, console: consoleUrl }: ScreenParts): string {
  const { ehr, internal, auth, client } = addressesOf(config);
  const moved = describeOffsets(offsets);
  return [
    '',
    ...columns([
      ...(consoleUrl === undefined ? [] : [['Console', `${consoleUrl}  (all messages, live)`]]),
      ['Client', client],
      ['Messages', `${auth}/sms  (the codes appear here)`],
      ['EHR server', `${ehr}/1.0-alpha/  (for the authorization server alone: ${internal})`],
      ['Authorization server', `${auth}/`],
    ]),
    '',
    'Sign in with a phone below, then identify yourself as on its line:',
    ...columns(personaList.flatMap(personaRows)),
    '',
    ...columns([
      ...(consoleUrl === undefined ? [] : [['Trouble', 'npm run fault -- --help']]),
      ['Move time', `npm run clock -- advance 10m${controlFlags(config)}`],
      [
        'Start over',
        commandAgain(
          typed.filter((flag) => flag !== '--fresh'),
          '--fresh',
        ),
      ],
      ['Stop', 'Ctrl-C'],
    ]),
    ...(moved === undefined ? [] : ['', `The clock is ${moved}, as it was moved before. Starting over sets it right.`]),
    '',
    `Ready: open ${client} and sign in as ${personaList[0]?.signIn}.`,
    '',
  ].join('\n');
}

function personaRows({ name: persona, signIn, typed }: Persona): string[][] {
  return typed.map(({ name, surname, date, gender }, index) => [
    index === 0 ? signIn : '',
    `${name} ${surname}`.normalize('NFC'),
    date.slice(0, 10),
    GENDERS[gender] ?? '',
    index === 0 ? EXPECTED_OUTCOMES[persona] : '',
  ]);
}

/** Returns the flags of the clock command, when the control ports are not the default ones. */
function controlFlags(config: DemoConfig): string {
  const flags = [];
  const { ehrControlPort, authControlPort } = demoSettings;
  if (String(config.ehrControlPort) !== ehrControlPort.default)
    flags.push(`--ehr-control-port ${config.ehrControlPort}`);
  if (String(config.authControlPort) !== authControlPort.default)
    flags.push(`--auth-control-port ${config.authControlPort}`);
  return flags.map((flag) => ` ${flag}`).join('');
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

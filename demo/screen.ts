/** The demo's screen once everything runs. */
import { type Persona, type PersonaName, personaList } from '#mis-fixtures/personas.ts';
import { programName } from '#service/process/command-line/program-name.ts';
import { type ClockOffsets, describeOffsets } from './commands/clocks.ts';
import { addressesOf } from './run/parties.ts';
import { commandAgain, type DemoConfig, demoSettings, quoted } from './settings.ts';

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

export function screenOf(config: DemoConfig, { typed, offsets, console: consoleUrl }: ScreenParts): string {
  const { ehr, internal, auth, client } = addressesOf(config);
  const moved = describeOffsets(offsets);
  const again = typed.filter((flag) => flag !== '--fresh');
  const [first] = personaList;
  const ready = consoleUrl
    ? [
        `Ready: sign in as ${first?.signIn}, at the client alone or in the console, where all messages are:`,
        consoleUrl,
      ]
    : [`Ready: open ${client} and sign in as ${first?.signIn}.`];
  return [
    '',
    ...columns([
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
      ...(consoleUrl ? [['Trouble', `${programName('fault')}${dataFlag(config)} --help`]] : []),
      ['Move time', `${programName('clock')}${dataFlag(config)} advance 10m`],
      ['Start over', commandAgain(again, '--fresh')],
      ['Stop', 'Ctrl-C'],
    ]),
    ...(moved ? ['', `The clock is ${moved}, as it was moved before. Starting over sets it right.`] : []),
    '',
    ...ready,
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

/** Returns the flag by which another command finds this demo, when its data is not at the usual place. */
function dataFlag({ data }: DemoConfig): string {
  return data === demoSettings.data.default ? '' : ` --data ${quoted(data)}`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

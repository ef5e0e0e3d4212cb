import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { thrownBy } from '#testing/thrown.ts';
import {
  httpUrl,
  list,
  logLevel,
  onOff,
  origins,
  port,
  readSettings,
  SettingsError,
  type SettingsTable,
  wholeNumber,
  withoutCredentials,
} from './settings.ts';

const SECRET = 's3cr3t';
/** The last line of every complaint. */
const HELP = 'See "npm run party -- --help" for the options.';
const table = {
  port: { flag: '--port <number>', env: 'T_PORT', default: '4100', schema: port, help: 'port to listen on' },
  label: {
    flag: '--label <text>',
    env: 'T_LABEL',
    default: '',
    schema: z.string(),
    help: 'a label; may be empty',
  },
  limit: { flag: '--limit <number>', env: 'T_LIMIT', schema: wholeNumber(1, 9).optional(), help: 'a limit' },
  user: { flag: '--user <name>', env: 'T_USER', schema: z.string('must be text'), help: 'name of the user' },
  password: {
    flag: '--internal-password <secret>',
    env: 'T_PASSWORD',
    schema: z.string().min(8, 'is too short'),
    secret: true,
    help: 'the password',
  },
  testLogin: { flag: '--allow-test-login', env: 'T_TEST_LOGIN', schema: onOff, help: 'serves auth.login' },
} as const satisfies SettingsTable;
const program = { name: 'npm run party --', description: 'A party.', epilogue: 'Example:\n  npm run party' };
const given = { T_USER: 'anna', T_PASSWORD: 'long enough' };

const read = (argv: string[], env: Record<string, string | undefined> = given) =>
  readSettings(program, table, argv, env);

/** The error message for these settings, by lines. */
const problems = (argv: string[], env: Record<string, string | undefined> = given) =>
  thrownBy(SettingsError, () => read(argv, env)).message.split('\n');

test('without flags and environment the defaults hold, and what may be unset is', () => {
  expect(read([])).toStrictEqual({
    port: 4100,
    label: '',
    limit: undefined,
    user: 'anna',
    password: 'long enough',
    testLogin: false,
  });
});

test('a flag wins over its environment variable, which wins over the default', () => {
  const env = { ...given, T_PORT: '1', T_LABEL: 'env', T_LIMIT: '2' };
  expect(read([], env)).toMatchObject({ port: 1, label: 'env', limit: 2 });
  expect(
    read(['--port', '3', '--label=', '--limit', '4', '--internal-password=from a flag'], env),
  ).toMatchObject({ port: 3, label: '', limit: 4, password: 'from a flag' });
});

test('an empty environment variable is an empty text, not an unset one', () => {
  expect(read([], { ...given, T_LABEL: '' })).toMatchObject({ label: '' });
  expect(problems([], { ...given, T_PORT: '' })).toEqual([
    '--port (environment variable T_PORT) must be a whole number from 0 to 65535; given was "".',
    HELP,
  ]);
});

test('a switch is on by its flag, or its variable in any word', () => {
  expect(read(['--allow-test-login'], { ...given, T_TEST_LOGIN: 'off' })).toMatchObject({ testLogin: true });
  for (const word of ['1', 'true', 'yes', 'on'])
    expect(read([], { ...given, T_TEST_LOGIN: word })).toMatchObject({ testLogin: true });
  for (const word of ['0', 'false', 'no', 'off', ''])
    expect(read([], { ...given, T_TEST_LOGIN: word })).toMatchObject({ testLogin: false });
  expect(problems([], { ...given, T_TEST_LOGIN: 'maybe' })).toEqual([
    '--allow-test-login (environment variable T_TEST_LOGIN) must be on or off; given was "maybe".',
    HELP,
  ]);
});

test('all faults are told at once, with flag, variable and value', () => {
  expect(problems(['--port', '70000', '--limit', 'ten'], { T_PASSWORD: SECRET })).toEqual([
    '--port (environment variable T_PORT) must be a whole number from 0 to 65535; given was "70000".',
    '--limit (environment variable T_LIMIT) must be a whole number from 1 to 9; given was "ten".',
    '--user (environment variable T_USER) is not set. Please set it: name of the user.',
    '--internal-password (environment variable T_PASSWORD) is too short.',
    HELP,
  ]);
});

test('an unknown flag is refused, and the likely one is suggested', () => {
  expect(problems(['--prot', '1'])).toEqual(["unknown option '--prot'", '(Did you mean --port?)', HELP]);
  expect(problems(['--port'])).toEqual(["option '--port <number>' argument missing", HELP]);
  expect(problems(['4100'])).toEqual([expect.stringContaining('too many arguments'), HELP]);
});

test('a secret is in no message, however it was mistyped', () => {
  for (const argv of [
    ['--internal-password', SECRET],
    [`--internal-password=${SECRET}`],
    [`--internal-pasword=${SECRET}`],
    [`--internal-pasword=${SECRET}'='${SECRET}\n${SECRET}`],
    ['--internal-pasword', SECRET],
    ['--internal-password', 'long enough', SECRET],
    [`--allow-test-login=${SECRET}`],
    [SECRET],
  ]) {
    const told = problems(argv).join('\n');
    expect([argv, told]).toEqual([argv, expect.not.stringContaining(SECRET)]);
    expect(told).not.toBe('');
  }
  expect(problems([`--internal-pasword=${SECRET}`])[0]).toBe("unknown option '--internal-pasword'");
});

test('--help prints every flag with its variable and default, and reads nothing', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(read(['--help'], {})).toBeUndefined();
  const help = written.mock.calls
    .map(([text]) => text)
    .join('')
    .replace(/\s+/g, ' ');
  for (const { flag, env } of Object.values(table)) expect(help).toMatch(new RegExp(`${flag} .*env: ${env}`));
  expect(help).toContain('Usage: npm run party -- [options] A party.');
  expect(help).toContain('port to listen on (default: 4100, env: T_PORT)');
  expect(help).toContain('a label; may be empty (env: T_LABEL)');
  expect(help).toContain('Example: npm run party');
});

test('values in their form are read', () => {
  for (const text of ['1', '9', '005']) expect(wholeNumber(1, 9).parse(text)).toBe(Number(text));
  expect(list.parse(' a, b ,,c,')).toEqual(['a', 'b', 'c']);
  expect(list.parse('')).toEqual([]);
  const two = ['http://localhost:4300', 'https://ehr.example.org'];
  expect([origins.parse(two.join(', ')), origins.parse('')]).toEqual([two, []]);
  expect(httpUrl.parse('http://127.0.0.1:4100')).toBe('http://127.0.0.1:4100');
  expect(httpUrl.parse('https://ehr.example.org/base//')).toBe('https://ehr.example.org/base');
  for (const level of ['silent', 'error', 'warn', 'info', 'debug']) expect(logLevel.parse(level)).toBe(level);
});

test.each<[string, z.ZodType, unknown[], string]>([
  [
    'a whole number',
    wholeNumber(1, 9.5),
    ['0', '10', '-1', '+1', '1.0', '1e0', ' 1', '0x1', '', '9'.repeat(400), undefined, 5],
    'must be a whole number from 1 to 9',
  ],
  [
    'an origin',
    origins,
    '* null localhost:4300 http://localhost:4300/ http://localhost:80 HTTP://localhost http://a/b http://u:p@a'.split(
      ' ',
    ),
    'must be comma-separated origins such as http://localhost:4300',
  ],
  [
    'a URL',
    httpUrl,
    ['ftp://a', 'a', '', 'javascript:alert(1)', undefined],
    'must be an http or https address',
  ],
  ['a log level', logLevel, ['verbose'], 'must be silent, error, warn, info or debug'],
])('%s in another form is refused', (_what, schema, values, sentence) => {
  for (const value of values)
    expect(schema.safeParse(value).error?.issues[0]?.message, `${value}`).toBe(sentence);
});

test('the user and password of an address are never repeated', () => {
  const url = { flag: '--url <url>', env: 'T_URL', schema: httpUrl, help: 'an address' } as const;
  for (const password of ['s3cr3t', 'x@s3cr3t/y', 's3cr3t/y', '12/s3cr3t', 's3cr3t?#y']) {
    const given = `ftp://anna:${password}@h/x`;
    expect(() => readSettings(program, { url }, ['--url', given], {})).toThrow(/--url .*given was "ftp:/);
    expect(() => readSettings(program, { url }, ['--url', given], {})).not.toThrow(/s3cr3t|anna/);
  }
  expect(withoutCredentials('http://a:b@one,http://c:d@two/@')).not.toMatch(/[abcd]:|b@|d@/);
  expect(withoutCredentials('http://localhost:4300,http://127.0.0.1:4300')).toContain('localhost:4300,');
});

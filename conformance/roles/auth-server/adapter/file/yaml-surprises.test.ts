// biome-ignore-all lint/suspicious/noTemplateCurlyInString: adapter files name their values so
import { expect, test } from 'vitest';
import { type Given, problemsOf } from '../../../../engine/party/file/describe-issue.ts';
import { readYaml } from '../../../../engine/party/file/yaml-source.ts';
import { smallest } from '../testing/adapter-file.ts';
import { adapterSchema } from './schema/schema.ts';

/** Returns the error for the smallest file, one of whose sections is replaced. */
function said(section: 'people' | 'otp' | 'steps' | 'internal' | 'timeouts', yaml: string): string {
  const { [section]: _own, ...rest } = smallest as Record<string, unknown>;
  const text = `${Object.entries(rest)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n${section}:\n${yaml}\n`;
  const source = readYaml(text);
  if (Array.isArray(source)) return source.map(({ sentence }) => sentence).join('\n');
  const parsed = adapterSchema(() => 'value').safeParse(source.data);
  const problems = parsed.success ? source.surprises : problemsOf(parsed.error.issues, source as Given);
  return problems.map(({ path, sentence }) => `${path.join('.')}: ${sentence}`).join('\n');
}

const COMMENT = '# begins a comment in YAML: put it in quotes.';

test.each(['####', '7999 555 ####'])(
  'a phone pattern without quotes is told that # begins a comment: %s',
  (written) => {
    expect(said('people', `  phones: ${written}`)).toContain(COMMENT);
  },
);

test('a comment after a wrong value is no part of it', () => {
  expect(said('people', '  phones: 7999555 # few')).not.toContain(COMMENT);
});

test('a password that ends at a comment is told, and not shown', () => {
  const told = said('internal', '  user: u\n  insecureLiteral: true\n  password: hunter2 #more');
  expect(told).toBe(`internal.password: ends before #. ${COMMENT}`);
});

test.each([
  ['@team', 'Put the value in quotes.'],
  ['`a`', 'Put the value in quotes.'],
  ['%41', 'Put the value in quotes.'],
  ['a: b', 'A value with ": " in it must stand in quotes.'],
  ['!hunter2', 'A value that begins with ! must stand in quotes.'],
  ['*hunter2', 'A value that begins with * must stand in quotes.'],
  ['|hunter2', 'If it belongs to a value, put the whole value in quotes.'],
  ['"a" b', 'If it belongs to a value, put the whole value in quotes.'],
  ['[abc', 'A value that begins with [ or { is a list or a section: otherwise put it in quotes.'],
])('a value that YAML cannot read is told to stand in quotes: %s', (written, remedy) => {
  expect(said('internal', `  user: ${written}\n  password: x`)).toContain(remedy);
});

test('a tab before a key is told', () => {
  expect(said('internal', '  user: a\n\tpassword: b')).toContain('Indent with blanks.');
});

test('a possible secret is not shown where YAML cannot read it', () => {
  for (const sign of ['!', '|', '>'])
    expect(said('internal', `  user: u\n  password: ${sign}hunter2`)).not.toContain('hunter2');
});

test.each([
  ['0042', 42],
  ['0x1F', 31],
  ['1e3', 1000],
  ['+7999', 7999],
  ['1.10', 1.1],
  ['12345678901234567890', 12345678901234567000],
])('a number that would be sent otherwise than it is written is told: %s', (written, number) => {
  const steps = {
    ...(smallest.steps as object),
    requestOtp: { method: 'POST', path: '/otp', json: { phone: '${phone}', x: 'X' } },
  };
  const yaml = `  ${JSON.stringify(steps).slice(1, -1).replace('"X"', written)}`;
  expect(said('steps', `  { ${yaml} }`)).toBe(
    `steps.requestOtp.json.x: is read as the number ${number}. Write ${number}, or put it in quotes: "${written}"`,
  );
});

test('a section without a blank after its colon is told', () => {
  expect(said('people', '  phones:7999555####')).toContain('Write a blank after the colon.');
});

test.each(['yes', 'no', 'on'])('%s is no switch, and is told what is', (written) => {
  expect(said('otp', `  ask: ${written}`)).toContain(`must be true or false; given is "${written}"`);
});

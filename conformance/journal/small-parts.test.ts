import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { digest } from '#protocol/digest.ts';
import { randomToken, seededRandom } from '#protocol/random.ts';
import { findCanaries } from './canaries.ts';
import { explainDigest, mistakes } from './digest-diagnosis.ts';
import { entropyBound } from './entropy.ts';
import { type Run, readRun, writeRun } from './run-file.ts';

const PASSWORD = ' pässword ';
const SECRET = 'Sign-Of-Ann';
const named = [{ name: 'a user_sign', value: SECRET }];

test.each(mistakes.map((mistake) => [mistake.what, mistake] as const))('a digest is explained: %s', (what, mistake) => {
  expect(explainDigest(mistake.digest(PASSWORD, SECRET), PASSWORD, named)).toBe(
    `${what} (the secret being a user_sign)`,
  );
});

test('neither the right digest nor an unknown one is explained as a mistake', () => {
  expect(explainDigest(digest(PASSWORD, SECRET), PASSWORD, named)).toBeUndefined();
  expect(explainDigest('f'.repeat(40), PASSWORD, named)).toBeUndefined();
  expect(explainDigest(digest('pw', 'x'), 'pw', [{ name: 'x', value: 'x' }])).toBeUndefined();
});

const BOUND = 128;

test('random tokens of 256 bits are never flagged, in any alphabet, beside each other', () => {
  for (const encoding of ['base64url', 'base64', 'hex'] as const) {
    const random = seededRandom(encoding.length);
    const tokens = Array.from({ length: 200 }, () => Buffer.from(random(32)).toString(encoding));
    for (const [index, token] of tokens.entries())
      expect(entropyBound(token, tokens.slice(Math.max(0, index - 20), index))).toBeGreaterThanOrEqual(BOUND);
  }
  fc.assert(
    fc.property(fc.integer(), (seed) => entropyBound(randomToken(seededRandom(seed)), []) >= BOUND),
    { numRuns: 200 },
  );
});

test.each([
  ['short', ['Xy7-kQ2pLm9_aB4dEf0h', 'aB4dEf0hXy7-kQ2pLm9_']],
  ['a time stamp', ['1768467600123', '1768467600125']],
  [
    'a counter with a constant before it',
    ['Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy0001', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy0002'],
  ],
  ['one character again and again', ['a'.repeat(64), 'b'.repeat(64)]],
  ['two characters again and again', ['ab'.repeat(40), 'cd'.repeat(40)]],
  ['the same token', ['Xy7-kQ2pLm9_aB4dEf0hXy7-kQ2pLm9_aB4dEf0hXYZ', 'Xy7-kQ2pLm9_aB4dEf0hXy7-kQ2pLm9_aB4dEf0hXYZ']],
] as const)('a token is too weak that is %s', (_what, [first, second]) => {
  expect(entropyBound(second, [first])).toBeLessThan(BOUND);
});

test('patient data is found in each form, and its absence too', () => {
  const value = 'Ström Ü?>7';
  const utf8 = Buffer.from(value);
  const encoded = encodeURIComponent(value);
  const hidden: [string, string][] = [
    ['plain', value.toUpperCase()],
    ['JSON escapes', Array.from(value, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    ['JSON escapes of what is not ASCII', 'Str\\u00F6m \\u00dc?>7'],
    ['URL-encoded', encoded.toLowerCase()],
    ['form-encoded', encoded.replaceAll('%20', '+')],
    ['URL-encoded twice', encodeURIComponent(encoded)],
    ['hexadecimal', utf8.toString('hex').toUpperCase()],
    ['base64 at offset 0', utf8.toString('base64')],
    ['base64 at offset 1', Buffer.from(`x${value}y`).toString('base64')],
    ['base64 at offset 2', Buffer.from(`xx${value}yy`).toString('base64')],
    ['base64 at offset 2, URL alphabet', Buffer.from(`xx${value}yy`).toString('base64url')],
  ];
  for (const [form, text] of hidden)
    expect(
      findCanaries(Buffer.from(`<${text}>`), [value, 'Somebody']).map((found) => `${found.value} ${found.form}`),
    ).toContain(`${value} ${form}`);
  expect(findCanaries(Buffer.from('Strom U?>7'), [value])).toEqual([]);
});

const run: Run = {
  meta: {
    tool: '1',
    node: '20',
    startedAt: '2026-01-15T09:00:00.000Z',
    seed: 1,
    mode: 'scenarios',
    target: 'a server',
    configuration: {},
    abilities: { absentSteps: [], canAdvanceClock: true, otpLifetimeSeconds: undefined },
    finished: true,
  },
  entries: [{ kind: 'note', seq: 1, at: 0, scenario: undefined, text: 'ä' }],
};

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'run.json');
}

test('a saved run is read as it was written', () => {
  const name = file();
  writeRun(name, run);
  expect(JSON.stringify(readRun(name))).toBe(JSON.stringify(run));
});

test('a run that was altered by hand is refused, whatever was altered', () => {
  const name = file();
  writeRun(name, run);
  const text = readFileSync(name, 'utf8');
  for (const [from, to] of [
    ['"ä"', '"b"'],
    ['"seed": 1', '"seed": 2'],
    ['"finished": true', '"finished": false'],
    ['"seq": 1', '"seq": 2'],
  ] as const) {
    expect(text).toContain(from);
    writeFileSync(name, text.replace(from, to));
    expect(() => readRun(name)).toThrow('it was altered after it was written');
  }
});

test('what is no run is told apart from a run of another version', () => {
  const name = file();
  for (const text of ['no JSON', 'null', '[]', '7']) {
    writeFileSync(name, text);
    expect(() => readRun(name)).toThrow(`Failed to read ${name}`);
  }
  writeFileSync(name, JSON.stringify({ format: 'embedded-ehr-run/2', meta: {}, entries: [] }));
  expect(() => readRun(name)).toThrow('its format is "embedded-ehr-run/2"');
});

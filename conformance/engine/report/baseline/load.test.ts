import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../input-error.ts';
import { temporaryDirectory } from '../../journal/testing/directory.ts';
import { loadBaseline, parseBaseline } from './load.ts';

const checks = ['digest-shape', 'auth-info-ttl', 'exchange-token-digest'];
const ids = {
  checks,
  requirements: [
    { id: '2.3-ttl', source: 'interface' as const },
    { id: 'D2-rpc-is-200', source: 'field' as const },
    { id: 'D5-null-cred', source: 'field' as const },
  ],
};
const read = (text: string) => parseBaseline(text, 'known.yaml', ids);
const parse = (text: string) => read(text).failures;

test('a list of known failures is read, with where each stands', () => {
  const text =
    '# Acme 7.2\ndigest-shape: upper case, ticket 12, until release 5\nauth-info-ttl: |\n  ttl is a string,\n  until 2026-03-31\n';
  const [words, day] = ['upper case, ticket 12, until release 5', 'ttl is a string,\nuntil 2026-03-31'];
  expect(parse(text)).toEqual([
    { check: 'digest-shape', reason: words, place: 'known.yaml:2:1' },
    { check: 'auth-info-ttl', reason: day, lastDay: '2026-03-31', place: 'known.yaml:3:1' },
  ]);
});

test('flaky checks stand below a key of their own, with reason and end', () => {
  expect(
    parse('digest-shape: upper case, until release 5\nflaky:\n  auth-info-ttl: races, until 2026-03-31\n'),
  ).toEqual([
    { check: 'digest-shape', reason: 'upper case, until release 5', place: 'known.yaml:1:1' },
    {
      ...{ check: 'auth-info-ttl', reason: 'races, until 2026-03-31', lastDay: '2026-03-31' },
      ...{ place: 'known.yaml:3:3', isFlaky: true },
    },
  ]);
  expect(parse('flaky:\n')).toEqual([]);
});

test('contested requirements stand below a key of their own, with a reason', () => {
  const text = 'digest-shape: upper case, until release 5\nset-aside:\n  2.3-ttl: our ttl is a string\n';
  expect(read(text)).toMatchObject({
    failures: [{ check: 'digest-shape' }],
    setAside: { '2.3-ttl': 'our ttl is a string' },
  });
  expect(read('set-aside:\n  field: no deployed client\n').setAside).toEqual({
    ...{ 'D2-rpc-is-200': 'no deployed client', 'D5-null-cred': 'no deployed client' },
  });
  expect(() => read('set-aside:\n  2.3-tll: no\n')).toThrow(
    'known.yaml:2:3: There is no requirement "2.3-tll". Did you mean "2.3-ttl"?',
  );
  expect(() => read('set-aside:\n  2.3-ttl:\n')).toThrow('known.yaml:2:3: Please say why "2.3-ttl" does not');
  expect(() => read('set-aside: all\n')).toThrow('known.yaml:1:1: Please write one line');
});

test('a file with nothing but comments is an empty list', () => {
  expect(parse('# none yet\n')).toEqual([]);
});

test.each([
  [
    'a check that there is not',
    'x: 1\n',
    'known.yaml:1:1: There is no check "x". Please run with --list to see all of them.',
  ],
  [
    'a misspelt check',
    '\n  digest-shap: why, until then\n',
    'known.yaml:2:3: There is no check "digest-shap". Did you mean "digest-shape"?',
  ],
  [
    'a check in capitals',
    'Auth-Info-TTL: why, until then',
    'known.yaml:1:1: There is no check "Auth-Info-TTL". Did you mean "auth-info-ttl"?',
  ],
  [
    'a reason without an end',
    'digest-shape: because',
    'known.yaml:1:15: Please say why "digest-shape" is known to fail and until when that is accepted: "reason, until 2026-03-31".',
  ],
  ['no reason', 'digest-shape: ", until 2026-03-31"', 'known.yaml:1:15: Please say why'],
  ['nothing at all behind the check', 'digest-shape:\n', 'known.yaml:1:14: Please say why'],
  ['a number as reason', 'digest-shape: 12', 'known.yaml:1:15: Please say why'],
  ['a list as reason', 'digest-shape: [a, until b]', 'known.yaml:1:15: Please say why'],
  [
    'a day that does not exist',
    'digest-shape: x, until 2026-02-30',
    'known.yaml:1:15: There is no day "2026-02-30". Please write it as 2026-03-31.',
  ],
  [
    'a day in another form',
    'digest-shape: x, until 2026-3-1',
    'known.yaml:1:15: There is no day "2026-3-1".',
  ],
  [
    'a check listed twice',
    'digest-shape: a, until b\ndigest-shape: c, until d\n',
    'known.yaml:2:1: Map keys must be unique',
  ],
  [
    'a list instead of a map',
    '- digest-shape\n',
    'known.yaml:1:1: Please write one line "check-id: reason, until when" for each known failure.',
  ],
  ['a key that is no text', '? [a]\n: b\n', 'known.yaml:1:3: The id of a check is expected here.'],
  [
    'a flaky check without an end',
    'flaky:\n  digest-shape: races',
    'known.yaml:2:17: Please say why "digest-shape" is known to fail and until when that is accepted',
  ],
  [
    'a list of flaky checks without reasons',
    'flaky: [digest-shape]',
    'known.yaml:1:1: Please write one line "check-id: reason, until when" below "flaky" for each flaky check.',
  ],
  [
    'a check that is listed as failing and as flaky',
    'digest-shape: a, until b\nflaky: { digest-shape: "c, until d" }',
    'known.yaml:2:10: "digest-shape" is listed as a known failure already.',
  ],
  ['what is not YAML', 'digest-shape: "a\n', 'known.yaml:2:1: Missing closing "quote'],
])('%s is refused with its place and the remedy', (_what, text, message) => {
  expect(() => parse(text)).toThrow(message);
  expect(() => parse(text)).toThrow(InputError);
});

test('a file that is another file is refused', () => {
  expect(() => parse(`# ${'x'.repeat(300_000)}`)).toThrow('known.yaml: larger than 262144 characters.');
});

test('a file is read by its name, and a missing one is told', () => {
  const file = join(temporaryDirectory(), 'known.yaml');
  expect(() => loadBaseline(file, ids)).toThrow(`Failed to read ${file}`);
  writeFileSync(file, 'digest-shape: x, until y');
  expect(loadBaseline(file, ids).failures).toHaveLength(1);
});

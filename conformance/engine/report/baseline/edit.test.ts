import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { withEntries, withoutEntries } from './edit.ts';
import { readReason } from './given.ts';
import { parseBaseline } from './load.ts';

const checks = ['digest-shape', 'auth-info-ttl', 'wrong-code-refused', 'resend-limited'];
const ids = { checks, requirements: [{ id: '2.3-ttl', source: 'interface' as const }] };
const parse = (text: string) => parseBaseline(text, 'known.yaml', ids).failures;

const FILE = `# Acme 7.2

# digests
digest-shape: "upper case, until release 5" # ticket 12

# sessions
auth-info-ttl: a string, until 2027-03-31
# these come and go
flaky:
  resend-limited: by chance, until 2027-03-31
set-aside:
  2.3-ttl: ours is a string

# the end
`;
const ADDED = 'wrong-code-refused: taken, until 2027-03-31\n';

test('a new entry stands behind the known failures, and all else stays', () => {
  const text = withEntries(FILE, { 'wrong-code-refused': 'taken, until 2027-03-31' });
  expect(text).toBe(FILE.replace('# these come', `${ADDED}# these come`));
});

test.each([
  ['an empty file', '', ADDED],
  ['a file of comments', '# none yet\n', `# none yet\n\n${ADDED}`],
  ['a list without entries', '{}\n', ADDED],
  [
    'a file of flaky checks',
    'flaky:\n  digest-shape: x, until y\n',
    `flaky:\n  digest-shape: x, until y\n${ADDED}`,
  ],
])('%s gets a new entry', (_what, text, expected) => {
  expect(withEntries(text, { 'wrong-code-refused': 'taken, until 2027-03-31' })).toBe(expected);
});

test('an entry goes with the comments on it, and all else stays', () => {
  expect(withoutEntries(FILE, ['auth-info-ttl'])).toBe(FILE.replace(/\n# sessions\nauth-info-ttl.*\n/, ''));
  expect(withoutEntries(FILE, ['digest-shape'])).toBe(FILE.replace(/# digests\ndigest-shape.*\n\n/, ''));
});

test('a flaky check and one that is not listed are not removed', () => {
  expect(withoutEntries(FILE, ['resend-limited', 'wrong-code-refused'])).toBe(FILE);
});

test('a heading above several entries stays when the first of them goes', () => {
  const entries = ['# sessions', '', '# strings', 'digest-shape: a, until b', 'auth-info-ttl: c, until d'];
  const text = (lines: string[]) => ['wrong-code-refused: e, until f', ...lines, ''].join('\n');
  const [heading, empty, , , second] = entries as [string, string, string, string, string];
  expect(withoutEntries(text(entries), ['digest-shape'])).toBe(text([heading, empty, second]));
  const below = ['# of its own', second];
  expect(withoutEntries(text([...entries.slice(0, 4), ...below]), ['digest-shape'])).toBe(
    text([heading, empty, ...below]),
  );
  expect(withoutEntries(text(entries), ['digest-shape', 'auth-info-ttl'])).toBe(text([heading]));
});

test('a list without its last entry can be read', () => {
  expect(parse(withoutEntries('digest-shape: a, until b\n', ['digest-shape']))).toEqual([]);
});

/** Pieces that mean something to YAML, or to the list. */
const ODD = [
  '"',
  "'",
  ': ',
  ':',
  ' #',
  '#',
  'until',
  ', until',
  ',',
  ' ',
  '- ',
  '?',
  '|',
  '>',
  '&',
  '*',
  '!',
];
const ODDER = [
  '%',
  '@',
  '`',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '~',
  'null',
  'true',
  '12',
  '---',
  '...',
  '<<',
  'é',
  '😀',
];
const reasons = fc.oneof(
  fc
    .array(fc.constantFrom(...ODD, ...ODDER, '\u00a0', '\ufeff', 'мама'), { maxLength: 12 })
    .map((all) => all.join('')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** The reason as an entry has it; undefined where it is refused. */
function accepted(reason: string): string | undefined {
  try {
    return readReason('--reason', reason);
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

test('whatever reason is accepted, the file reads back as it was written', () => {
  fc.assert(
    fc.property(reasons, (reason) => {
      const why = accepted(reason);
      fc.pre(why !== undefined);
      const text = withEntries(FILE, { 'wrong-code-refused': `${why}, until 2027-04-30` });
      const entry = parse(text).find(({ check }) => check === 'wrong-code-refused');
      expect(entry).toMatchObject({ reason: `${why}, until 2027-04-30`, lastDay: '2027-04-30' });
      expect(withoutEntries(text, ['wrong-code-refused'])).toBe(FILE);
      const again = withEntries(text, {});
      expect(again).toBe(text);
    }),
    { numRuns: 200 },
  );
});

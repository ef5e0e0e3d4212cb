import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeRun } from '../testing/fake-run.ts';
import { Progress } from './progress.ts';
import { cut, hanging, paintFor, widthOf, wrap } from './terminal.ts';

test('lines are never longer than the width, and no word is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,30}$/)),
      fc.integer({ min: 10, max: 60 }),
      (words, width) => {
        const lines = wrap(words.join(' '), width);
        expect(lines.every((line) => line.length <= width)).toBe(true);
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
      },
    ),
  );
});

test('no word begins a line by a line break, or as a command', () => {
  expect(wrap('a b\nc', 80)).toEqual(['a b c']);
  expect(wrap('aaaa ::error::b', 6)).toEqual(['aaaa', '\\u003a:erro', 'r::b']);
});

test('the lines of a paragraph hang below its first, however its head is coloured', () => {
  expect(hanging('\u001b[2mto do \u001b[22m', 'mend it and run again soon', 26)).toEqual([
    '\u001b[2mto do \u001b[22mmend it and run',
    '      again soon',
  ]);
});

test('colours appear on a terminal only, and not when NO_COLOR has a value', () => {
  const red = (isTTY: boolean, env: Record<string, string>) => paintFor({ isTTY }, env)('red', 'x');
  expect(red(true, {})).toBe('\u001b[31mx\u001b[39m');
  expect(red(true, { NO_COLOR: '' })).toContain('\u001b');
  expect(red(true, { NO_COLOR: '1' })).toBe('x');
  expect(red(true, { TERM: 'dumb' })).toBe('x');
  expect(red(false, {})).toBe('x');
});

test('the width follows the screen within what can be read', () => {
  expect([undefined, 20, 80, 300].map((columns) => widthOf({ columns }))).toEqual([80, 40, 80, 100]);
});

test('what is cut says so', () => {
  expect(cut('abcdef', 6)).toBe('abcdef');
  expect(cut('abcdefg', 6)).toBe('abcde…');
  expect(cut('😀😀😀', 2)).toBe('😀…');
});

const { run } = fakeRun({ crowd: 1 });
const plain = (_style: unknown, text: string) => text;

/** The progress on a screen, and what is written there. */
function progressing(screen: { isTTY?: boolean; columns?: number } = {}, total?: number) {
  const parts: string[] = [];
  const write = (text: string) => parts.push(text);
  return { parts, progress: new Progress({ screen: { write, ...screen }, paint: plain, total }) };
}

function written(screen: { isTTY: boolean; columns?: number }, total?: number): string[] {
  const { parts, progress } = progressing(screen, total);
  for (const entry of run.entries) progress.entry(entry);
  progress.end();
  return parts;
}

test('without a terminal waiting is one line, whatever the number of scenarios', () => {
  const lines = written({ isTTY: false });
  expect(lines.filter((line) => !line.includes(': playing '))).toEqual([
    'Playing the scenarios: the report comes at the end.\n',
    'The clock of the server cannot be moved: waiting instead.\n',
  ]);
  expect(written({ isTTY: false }, 20)[0]).toBe('Playing 20 scenarios: the report comes at the end.\n');
});

test('each half minute a build log has what is played and left', () => {
  const { parts, progress } = progressing({}, 3);
  const scenario = (id: string, phase: 'begin' | 'end', at: number) =>
    progress.entry({ kind: 'scenario', seq: at, at, scenario: id, phase });
  scenario('first', 'begin', 1_000);
  scenario('second', 'begin', 2_000);
  scenario('first', 'end', 3_000);
  // Played again, it is one of three all the same.
  scenario('first', 'begin', 4_000);
  scenario('first', 'end', 30_999);
  expect(parts).toHaveLength(1);
  for (const at of [31_000, 40_000])
    progress.entry({ kind: 'note', seq: at, at, scenario: 'second', text: 'Waits.' });
  expect(parts[1]).toBe('31.0 s: playing second; 1 of 3 scenarios are left.\n');
  expect(parts).toHaveLength(3);
});

test('a repeated remark is shown once, and of many the first ten', () => {
  const { parts, progress } = progressing();
  const texts = ['Wait 3 s.', 'Wait 5 s.', ...[...'abcdefghijkl'].map((letter) => `No. ${letter}.`)];
  for (const text of texts) progress.entry({ kind: 'note', seq: 1, at: 0, scenario: undefined, text });
  expect(parts.slice(0, 2)).toEqual(['Wait 3 s.\n', 'No. a.\n']);
  expect(parts).toHaveLength(10);
});

test('on a terminal one line changes, fits, and tells the place in the whole', () => {
  const parts = written({ isTTY: true, columns: 50 }, 20);
  const status = parts.filter((part) => part.startsWith('\r\u001b[2K[')).map((part) => part.slice(5));
  expect(status[0]).toBe('[ 1/20] first-link');
  expect(status).toContain('[ 2/20] returning-user · Bea signs in first');
  expect(Math.max(...status.map((line) => line.length))).toBe(49);
  expect(status.every((line) => !line.includes('\n'))).toBe(true);
});

test('a line of its own first takes the changing line away', () => {
  const { parts, progress } = progressing({ isTTY: true });
  for (const entry of run.entries.slice(0, 1)) progress.entry(entry);
  progress.line('Enter the code now.');
  expect(parts.slice(-2)).toEqual(['\r\u001b[2K', 'Enter the code now.\n']);
});

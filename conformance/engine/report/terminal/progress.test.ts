import { expect, test } from 'vitest';
import { fakeRun } from '../testing/fake-run.ts';
import { progressOn } from './progress.ts';

const { run } = fakeRun({ crowd: 1 });
const plain = (_style: unknown, text: string) => text;

function written(options: { isTTY: boolean; columns?: number }, total?: number): string[] {
  const parts: string[] = [];
  const progress = progressOn({
    screen: { write: (text) => parts.push(text), ...options },
    paint: plain,
    total,
  });
  for (const entry of run.entries) progress.entry(entry);
  progress.end();
  return parts;
}

test('without a terminal waiting is one line, whatever the number of scenarios', () => {
  const lines = written({ isTTY: false });
  expect(lines).toEqual([
    'Playing the scenarios: the report comes at the end.\n',
    'The clock of the server cannot be moved: waiting instead.\n',
  ]);
  expect(written({ isTTY: false }, 20)[0]).toBe('Playing 20 scenarios: the report comes at the end.\n');
});

test('a repeated remark is shown once, and of many the first ten', () => {
  const parts: string[] = [];
  const progress = progressOn({ screen: { write: (text) => parts.push(text) }, paint: plain });
  for (const [seq, text] of [
    'Wait 3 s.',
    'Wait 5 s.',
    ...[...'abcdefghijkl'].map((letter) => `No. ${letter}.`),
  ].entries())
    progress.entry({ kind: 'note', seq, at: 0, scenario: undefined, text });
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
  const parts: string[] = [];
  const progress = progressOn({ screen: { write: (text) => parts.push(text), isTTY: true }, paint: plain });
  for (const entry of run.entries.slice(0, 1)) progress.entry(entry);
  progress.line('Enter the code now.');
  expect(parts.slice(-2)).toEqual(['\r\u001b[2K', 'Enter the code now.\n']);
});

import { expect, test } from 'vitest';
import { fakeRun } from '../testing/fake-run.ts';
import { progressOn } from './progress.ts';

const { run } = fakeRun({ crowd: 1 });
const plain = (_style: unknown, text: string) => text;

function written(options: { isTTY: boolean; columns?: number }, total?: number): string[] {
  const parts: string[] = [];
  const progress = progressOn({ screen: { write: (text) => parts.push(text), ...options }, paint: plain, total });
  for (const entry of run.entries) progress.entry(entry);
  progress.end();
  return parts;
}

test('without a terminal each scenario has a line when it begins and one when it ends', () => {
  const lines = written({ isTTY: false });
  expect(lines.slice(0, 3)).toEqual([
    'begin  first-link\n',
    'played first-link  10 messages, 78 ms\n',
    'begin  returning-user\n',
  ]);
  expect(lines).toContain('The clock of the server cannot be moved: waiting instead.\n');
  expect(lines.join('')).not.toContain('\u001b');
});

test('without a terminal a beginning tells its place in the whole, where that is known', () => {
  const begun = written({ isTTY: false }, 20).filter((line) => line.startsWith('begin'));
  expect(begun.slice(0, 2)).toEqual(['begin  first-link (1 of 20)\n', 'begin  returning-user (2 of 20)\n']);
});

test('a scenario that stopped, or was not played, says why', () => {
  const text = written({ isTTY: false }).join('');
  expect(text).toMatch(/stopped variation-12 .*\n {7}the step "link: report" ought to succeed and did not\n/);
  expect(text).toContain('deletion not played: the server has no deleteUser\n');
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

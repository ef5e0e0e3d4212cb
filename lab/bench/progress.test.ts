import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { showProgress } from './progress.ts';

function shownOn(isTTY: boolean) {
  const written: string[] = [];
  const stream = Object.assign(
    new Writable({ write: (text, _encoding, done) => done(void written.push(String(text))) }),
    {
      isTTY,
    },
  );
  let time = 5_000;
  const progress = showProgress(stream, () => time);
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { written, progress, pass };
}

test('without a terminal a line comes every fifteen seconds', () => {
  const { written, progress, pass } = shownOn(false);
  progress.log('one');
  pass(14_999);
  progress.log('two');
  pass(1);
  progress.log('three');
  pass(60_000);
  progress.log('four');
  progress.end();
  expect(written).toEqual(['0:00 one\n', '0:15 three\n', '1:15 four\n']);
});

test('on a terminal one line is written over, and removed at the end', () => {
  const { written, progress, pass } = shownOn(true);
  progress.log('one');
  pass(100);
  progress.log('two');
  progress.end();
  expect(written).toEqual(['\r\x1b[2K0:00 one', '\r\x1b[2K0:00 two', '\r\x1b[2K']);
});

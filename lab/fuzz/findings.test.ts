import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { fuzzCli } from './cli.ts';

test('a file to replay that is missing, or holds no finding, is used wrongly', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'findings-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [missing, other] = [join(directory, 'missing.json'), join(directory, 'other.json')];
  writeFileSync(other, '{}');
  for (const [file, why] of [
    [missing, 'there is no such file'],
    [other, 'it holds no finding'],
  ] as const) {
    const output = new PassThrough({ encoding: 'utf8' });
    const parts = { out: output, err: output, signal: new AbortController().signal, clock: manualClock() };
    const code = await fuzzCli(['replay', file], { ...parts, freshSeed: () => 1 });
    expect([code, output.read()]).toEqual([
      2,
      `Failed to replay ${file}: ${why}. Please name a file that npm run fuzz has written.\n`,
    ]);
  }
});

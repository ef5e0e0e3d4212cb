import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type MovableClock, movableClock, systemClock } from '#protocol/time/clock.ts';
import { openControl } from '#service/http/control.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import {
  type ClockedServers,
  describeOffsets,
  keepOffsets,
  readDuration,
  readOffsets,
  restoreOffsets,
  writeDuration,
} from './clocks.ts';

const DAY_MS = 86_400_000;
let file: string;

beforeEach(() => {
  const directory = temporaryFolder();
  file = join(directory, 'clock-offsets.json');
});

/** Starts two servers whose clocks are right. */
async function started(): Promise<{ servers: ClockedServers; ehr: MovableClock; auth: MovableClock }> {
  const [ehr, auth] = [movableClock(systemClock), movableClock(systemClock)];
  const portOf = async (clock: MovableClock) => {
    const control = await openControl(clock, 0, '--control-port');
    onTestFinished(() => control.stop());
    return control.port;
  };
  const servers = {
    ehr: { title: 'the EHR server', port: await portOf(ehr) },
    auth: { title: 'the authorization server', port: await portOf(auth) },
  };
  return { servers, ehr, auth };
}

const daysAhead = (clock: MovableClock) => Math.round((clock.now() - Date.now()) / DAY_MS);

test('moved clocks are moved by as much at the next start', async () => {
  const before = await started();
  onTestFinished(keepOffsets(before.servers, file));
  before.ehr.advance(800 * DAY_MS);
  before.auth.advance(DAY_MS);
  await vi.waitUntil(() => readOffsets(file).auth !== 0, { timeout: 10_000 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ehr: 800 * DAY_MS, auth: DAY_MS });

  const after = await started();
  await restoreOffsets(after.servers, readOffsets(file));
  expect([daysAhead(after.ehr), daysAhead(after.auth)]).toEqual([800, 1]);
});

test('clocks that are set right again are kept no more', async () => {
  writeFileSync(file, JSON.stringify({ ehr: DAY_MS, auth: DAY_MS }));
  const { servers } = await started();
  onTestFinished(keepOffsets(servers, file));
  await vi.waitUntil(() => readOffsets(file).ehr === 0, { timeout: 10_000 });
  expect(readOffsets(file)).toEqual({ ehr: 0, auth: 0 });
});

test('a broken file is named with its remedy', () => {
  writeFileSync(file, '{"ehr":"soon"}');
  expect(() => readOffsets(file)).toThrow(/clock-offsets\.json. Please delete it, or .* --fresh\.$/);
});

test('what was moved is said in words', () => {
  expect(describeOffsets({ ehr: 0, auth: 0 })).toBeUndefined();
  expect(describeOffsets({ ehr: 1.5 * DAY_MS, auth: 1.5 * DAY_MS })).toBe('1d12h ahead');
  expect(describeOffsets({ ehr: -60_000, auth: 0 })).toBe('EHR server 1m behind, authorization server right');
});

test('a duration is read to the millisecond', () => {
  expect(readDuration('9m59.999s')).toBe(599_999);
  expect(readDuration('10m')).toBe(600_000);
  expect(readDuration('1d12h')).toBe(129_600_000);
  expect(readDuration('1h30m5s250ms')).toBe(5_405_250);
  expect(readDuration('0.001s')).toBe(1);
  expect(readDuration('0s')).toBe(0);
});

test('what is no duration is not read', () => {
  for (const text of ['', '10', 'm', '10 m', '-10m', '10min', '5s10m', '5s5s', '1.m', 'ten minutes', '1e3s'])
    expect(readDuration(text), text).toBeUndefined();
});

test('a duration is written as it is read, to the second', () => {
  for (const text of ['1d12h', '10m', '366d', '1h30m5s', '0s'])
    expect(writeDuration(readDuration(text) ?? Number.NaN)).toBe(text);
  expect(writeDuration(59_999)).toBe('1m');
});

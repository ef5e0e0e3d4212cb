import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { example, judged } from './testing/cli.ts';

/** A terminal shows no more lines of a run with many red checks. */
const MAX_LINES = 120;

/** For each fault of the twin a check that finds it. e2e/ehr-servers-page.test.ts plays the right server. */
const FOUND = ['exchange-token-used-once', 'link-ends-every-session', 'no-read-outlives-ending'];

/** All that the faults break, but for the walk of the state table, which takes long. */
const RED = [
  ...FOUND,
  ...[
    'read-follows-new-link',
    'nobody-removed-by-params',
    'disconnect-removes-link',
    'like-users-kept-apart',
  ],
  ...['exchange-token-opened-once-at-once', 'logout-ends-its-exchange-tokens'],
  ...['disconnect-ends-exchange-tokens', 'session-token-compared-in-full'],
];

test('the plain EHR server says what is missing, and lists its flags', () => {
  const start = (...flags: string[]) =>
    spawnSync(process.execPath, [example('plain-ehr/server.mjs'), ...flags], { encoding: 'utf8' });
  expect(start()).toMatchObject({ status: 2, stderr: expect.stringContaining('are needed') });
  expect(start('--wrong')).toMatchObject({ status: 2, stderr: expect.stringContaining('--wrong') });
  expect(start('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--patients FILE') });
});

test('three faults of an EHR server are few causes, on one screen', { timeout: 120_000 }, async () => {
  const only = [...RED, 'exchange-token-unknown'].join(',');
  const config = example('plain-ehr-faulty.yaml');
  const { code, output, causes, red } = await judged('ehr-server', config, '--only', only);
  expect(code).toBe(1);
  expect(red.map(({ check }) => check)).toEqual(expect.arrayContaining(FOUND));
  expect(red.length).toBeGreaterThan(8);
  expect(causes.length).toBeGreaterThanOrEqual(3);
  expect(causes.length).toBeLessThanOrEqual(6);
  expect(causes.flatMap(({ checks }) => checks).sort()).toEqual(red.map(({ check }) => check).sort());
  expect(output.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
});

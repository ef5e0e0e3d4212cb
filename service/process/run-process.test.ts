import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useProgram } from '#testing/programs/use-program.ts';

const PARTY = fileURLToPath(new URL('testing-party.ts', import.meta.url));

const startParty = (...args: string[]) => useProgram(['--import', 'tsx', PARTY, ...args]);

test('unusable settings end the process with code 2 and sentences', async () => {
  const err = '--port must be a number.\n--host is not set.\n';
  expect(await startParty('bad-settings').ended).toMatchObject({ code: 2, signal: null, out: '', err });
});

test('a start that fails ends with code 1 and one sentence', async () => {
  const err = 'Failed to open the database: it is locked.\n';
  expect(await startParty('fails-after-opening').ended).toMatchObject({
    code: 1,
    signal: null,
    out: '',
    err,
  });
});

test('a process ended as it becomes ready stops cleanly, with code 0', async () => {
  const party = startParty('serve', 'cleanly');
  await party.says(/ready/);
  expect(await party.stop()).toMatchObject({
    code: 0,
    signal: null,
    out: 'ready\nstopping\nstopped\n',
    err: '',
  });
});

test('a process whose stop hangs is ended when the limit has passed', async () => {
  const party = startParty('serve', 'never', '20');
  await party.says(/ready/);
  const err = 'Failed to stop within 0.02 s: gave up waiting.\n';
  expect(await party.stop()).toMatchObject({ code: 1, signal: null, out: 'ready\nstopping\n', err });
});

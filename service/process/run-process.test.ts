import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useProgram } from '#testing/programs/use-program.ts';

const PARTY = fileURLToPath(new URL('testing-party.ts', import.meta.url));

const startParty = (...args: string[]) => useProgram(['--import', 'tsx', PARTY, ...args]);

test('a start that fails ends with code 1 and one sentence', async () => {
  const err = 'Failed to open the database: it is locked.\n';
  expect(await startParty('fails').ended).toMatchObject({ code: 1, signal: null, out: '', err });
});

test('a process ended as it becomes ready stops cleanly, with code 0', async () => {
  const party = startParty('serves');
  await party.says(/ready/);
  expect(await party.stop()).toMatchObject({
    code: 0,
    signal: null,
    out: 'ready\nstopping\nstopped\n',
    err: '',
  });
});

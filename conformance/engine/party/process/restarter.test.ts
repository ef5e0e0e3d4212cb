import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openRestarter } from './restarter.ts';

test('the command of a script restarts the server, and waits for it', async () => {
  let restarts = 0;
  const { command, close } = await openRestarter(async () => {
    await new Promise(setImmediate);
    restarts++;
  });
  const script = `require('node:child_process').execSync(${JSON.stringify(command)})`;
  const code = await new Promise((resolve) => new Worker(script, { eval: true }).on('exit', resolve));
  await close();
  expect([code, restarts]).toEqual([0, 1]);
});

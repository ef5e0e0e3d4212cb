import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('a server dies with the process that started it, and leaves nothing behind', async () => {
  const script = `import { startPostgres } from '#testing/postgres/postgres.ts';
    const { pid, url } = await startPostgres();
    console.log(JSON.stringify({ pid, folder: new URL(url).searchParams.get('host') }));`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  const { pid, folder } = JSON.parse(line) as { pid: number; folder: string };
  expect([isAlive(pid), existsSync(folder)]).toEqual([true, true]);
  parent.kill('SIGKILL');
  await expect
    .poll(() => [isAlive(pid), existsSync(folder)], { timeout: 10_000, interval: 50 })
    .toEqual([false, false]);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

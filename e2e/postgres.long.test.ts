import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { isRunning } from '#service/process/signals.ts';
import { useProgram } from '#testing/programs/use-program.ts';

test('a server dies with the process that started it, and leaves nothing behind', async () => {
  const script = `import { startPostgres } from '#testing/postgres/postgres.ts';
    const { pid, url } = await startPostgres();
    console.log(JSON.stringify({ pid, folder: new URL(url).searchParams.get('host') }));`;
  const parent = useProgram(['--import', 'tsx', '--input-type=module', '-e', script], { cwd: root });
  const [line] = await parent.says(/^.*(?=\n)/, 'out');
  const { pid, folder } = JSON.parse(line) as { pid: number; folder: string };
  expect([isRunning(pid), existsSync(folder)]).toEqual([true, true]);
  parent.child.kill('SIGKILL');
  await expect
    .poll(() => [isRunning(pid), existsSync(folder)], { timeout: 10_000, interval: 50 })
    .toEqual([false, false]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runOn } from '#testing/postgres/databases.ts';
import { startPostgres } from '#testing/postgres.ts';
import { usePostgres } from '#testing/use-postgres.ts';

const shared = usePostgres();

test('each database of the shared server is empty and has a name of its own', async () => {
  const [one, other] = await Promise.all([shared.createDatabase(), shared.createDatabase()]);
  await runOn(one, 'CREATE TABLE t (n int)');
  const tables = `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'`;
  expect([await runOn(one, tables), await runOn(other, tables)]).toEqual([[{ n: 1 }], [{ n: 0 }]]);
});

test('what was committed is there after every kind of stop', async () => {
  const postgres = await startPostgres({ settings: { fsync: 'off' } });
  onTestFinished(() => postgres.close());
  const url = await postgres.createDatabase();
  await runOn(url, 'CREATE TABLE t (kind text)');
  const kinds = ['fast', 'immediate', 'kill'] as const;
  for (const kind of kinds) {
    await runOn(url, `INSERT INTO t VALUES ('${kind}')`);
    await postgres.stop(kind);
    await expect(runOn(url, 'SELECT 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    await postgres.start();
  }
  expect(await runOn(url, 'SELECT kind FROM t')).toEqual(kinds.map((kind) => ({ kind })));
});

test('a server dies with the process that started it, and leaves nothing behind', async () => {
  const script = `import { startPostgres } from '#testing/postgres.ts';
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

test('a server that cannot start says why', async () => {
  await expect(startPostgres({ settings: { max_connections: 'many' } })).rejects.toThrow(
    /PostgreSQL did not start:[\s\S]*max_connections/,
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

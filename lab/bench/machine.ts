/** The machine and the versions behind the figures, without the machine's name. */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '#service/sqlite.ts';
import type { Results } from './report/results.ts';

const GIB = 2 ** 30;
const PACKAGES = ['express', 'better-sqlite3', 'zod', 'pino'];

export function describeMachine(pinned: boolean): Results['machine'] {
  const db = openSqlite(':memory:');
  const sqlite = db.prepare('SELECT sqlite_version()').pluck().get() as string;
  db.close();
  return {
    cores: availableParallelism(),
    cpu: (cpus()[0]?.model ?? 'unknown').trim().replace(/\s+/g, ' '),
    memoryGib: Math.round((10 * totalmem()) / GIB) / 10,
    system: `${type()} ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`.trim(),
    node: process.versions.node,
    sqlite,
    pinned,
  };
}

export function installedVersions(root: string): Record<string, string> {
  return Object.fromEntries(
    PACKAGES.map((name) => {
      const file = join(root, 'node_modules', name, 'package.json');
      return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
    }),
  );
}

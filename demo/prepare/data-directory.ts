/** The directory of the demo's data: created when missing, and used by one demo at a time. */
import { join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { otherThanFile } from '#service/process/files/file-kind.ts';
import { makeDirectory } from '#service/process/files/writing.ts';
import { openSqlite, sqliteProblem } from '#service/sqlite.ts';
import { commandAgain, type DemoConfig, demoSettings, portsOf } from '../settings.ts';

export type DataDirectory = {
  at(name: string): string;
  /** Why no database can be kept in it: the parties keep everything in memory then. */
  readonly whyInMemory: string | undefined;
  /** Releases the directory for another demo. The system does the same when this process ends. */
  release(): void;
};

/** Takes the directory. @throws SettingsError when it cannot be used, or another demo uses it */
export function takeDataDirectory(config: DemoConfig, typed: readonly string[]): DataDirectory {
  const directory = resolve(config.data);
  const at = (name: string) => join(directory, name);
  const whyInMemory = sqliteProblem();
  let lock: Database | undefined;
  try {
    makeDirectory(directory, 0o700);
    // Opening a named pipe would wait for ever.
    if (otherThanFile(at('demo.lock')))
      throw Object.assign(new Error('demo.lock is no file'), { code: 'demo.lock' });
    // Only one process can hold a file lock of SQLite, and it ends with that process.
    lock = whyInMemory === undefined ? openSqlite(at('demo.lock'), { timeout: 0 }) : undefined;
    lock?.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw new SettingsError(
      code === 'SQLITE_BUSY' ? inUse(directory, config, typed) : notOurs(config, code),
      { cause },
    );
  }
  return { at, whyInMemory, release: () => void lock?.close() };
}

function inUse(directory: string, config: DemoConfig, typed: readonly string[]): string {
  const ports = portsOf(config).flatMap(({ flag, freePort }) => [flag, String(freePort)]);
  const besides = commandAgain(typed, '--data', `${config.data}-2`, ...ports);
  return `Another demo uses the data in ${directory}. Please stop it, or give this one a directory and ports of its own:\n  ${besides}`;
}

function notOurs({ data }: DemoConfig, code: string | undefined): string {
  return `--data (environment variable ${demoSettings.data.env}) must name a directory that can be written to, or made; given was "${data}" (${code}).`;
}

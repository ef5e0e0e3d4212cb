import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { thrownBy } from '#testing/thrown.ts';
import { isSqliteError, loadSqliteFor, openSqlite, SqliteUnavailable } from './sqlite.ts';

const NODE_20 = { node: '20.20.2', napi: '9' };
const NODE_24 = { node: '24.21.0', napi: '10' };

/** A file of a project that has this better-sqlite3 installed. */
function projectWith(version: string | undefined, program = 'throw new Error("must not be loaded")'): string {
  const project = temporaryFolder();
  if (version !== undefined) {
    const directory = join(project, 'node_modules', 'better-sqlite3');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'better-sqlite3', version }));
    writeFileSync(join(directory, 'index.js'), program);
  }
  return join(project, 'program.js');
}

const problemOf = (from: string, versions: { node: string; napi: string }) =>
  thrownBy(SqliteUnavailable, () => loadSqliteFor(from, versions)).message;

test('the installed module opens a database, and its errors are known', () => {
  const db = openSqlite(':memory:');
  expect(db.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
  const thrown = thrownBy(Error, () => db.prepare('SELECT nothing'));
  expect(isSqliteError(thrown) && thrown.code).toBe('SQLITE_ERROR');
  expect(isSqliteError(new Error('SQLITE_ERROR'))).toBe(false);
  db.close();
});

test('a module for another Node is not loaded, the right one is named', () => {
  expect(problemOf(projectWith('13.2.0'), NODE_20)).toBe(
    'better-sqlite3 13.2.0 does not run on Node 20.20.2. Please run "npm install better-sqlite3@12.11.1", then this again',
  );
  expect(problemOf(projectWith('12.11.1'), NODE_24)).toBe(
    'better-sqlite3 12.11.1 does not run on Node 24.21.0. Please run "npm install better-sqlite3@13.2.0", then this again',
  );
});

test('where no module is installed, the sentence names the one to install', () => {
  expect(problemOf(projectWith(undefined), NODE_20)).toContain('"npm install better-sqlite3@12.11.1"');
  expect(problemOf(projectWith(undefined), NODE_24)).toBe(
    'better-sqlite3 is not installed. Please run "npm install better-sqlite3@13.2.0", then this again',
  );
});

test('a Node without the interface is told which Node to install', () => {
  for (const node of ['22.13.1', '21.7.3', '23.5.0'])
    expect(problemOf(projectWith('13.2.0'), { node, napi: '9' })).toBe(
      `Node ${node} cannot load better-sqlite3. Please install Node 22.14, 24 or newer (or 20.19) from https://nodejs.org`,
    );
});

test('an uncompiled module is told with the command that compiles it', () => {
  const uncompiled =
    'module.exports = class { constructor() { throw new Error("Could not locate the bindings file. Tried:\\n a\\n b"); } };';
  const command = '"npm explore better-sqlite3 -- npm run build-release", then this again';
  const problem = problemOf(projectWith('12.11.1', uncompiled), NODE_20);
  expect(problem).toContain('better-sqlite3 12.11.1 is not compiled for Node 20.20.2');
  expect(problem).toContain(
    '(Could not locate the bindings file). Please install python3, make and a C++ compiler',
  );
  expect(problem).toContain(command);
  const elsewhere = problemOf(projectWith('13.2.0', uncompiled), NODE_24);
  expect(elsewhere).toContain(`on this system, ${process.platform} on ${process.arch}`);
  expect(elsewhere).toContain(command);
});

test('the versions that are asked for are those that package.json offers to npm', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const asked = [NODE_20, NODE_24].map(
    (versions) => /better-sqlite3@([\d.]+)/.exec(problemOf(projectWith(undefined), versions))?.[1],
  );
  expect(dependencies['better-sqlite3']?.split(' || ')).toEqual(asked);
});

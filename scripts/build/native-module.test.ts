import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../set-up/set-up.mjs';

/** The one module that loads better-sqlite3, as a rule of the project says. */
const LOADER = 'service/sqlite.ts';

/** Each with a module that must be among the loaded ones, so that the graph is not empty by mistake. */
const ENTRIES = {
  'conformance/main.ts': 'conformance/engine/input-error.ts',
  'conformance/roles/auth-server/index.ts': 'ehr-server/store/memory.ts',
  'conformance/roles/judge.ts': 'conformance/roles/auth-server/judged.ts',
  'mock-client/main.ts': 'mock-client/server.ts',
  'msw/index.ts': 'mock-auth-server/store/memory.ts',
};

/** It has to load the module. */
const CONTROL = 'mis-fixtures/main.ts';

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [...Object.keys(ENTRIES), CONTROL],
  bundle: true,
  splitting: true,
  outdir: 'nowhere',
  write: false,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  metafile: true,
  logLevel: 'silent',
});

/** The modules that are loaded with `entry`, in the order of finding, each with the one that imports it. */
function loadedWith(entry: string): Map<string, string> {
  const importers = new Map([[entry, '']]);
  for (const file of importers.keys())
    for (const { path, kind } of metafile.inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import' && !importers.has(path)) importers.set(path, file);
  return importers;
}

/** The way from the entry to a module. Empty if it is not loaded. */
function wayTo(file: string, importers: Map<string, string>): string[] {
  const way: string[] = [];
  for (let at = importers.has(file) ? file : ''; at !== ''; at = importers.get(at) ?? '') way.unshift(at);
  return way;
}

for (const [entry, part] of Object.entries(ENTRIES))
  test(`${entry} is loaded without the native module`, () => {
    const importers = loadedWith(entry);
    expect(wayTo(part, importers)).not.toEqual([]);
    expect(wayTo(LOADER, importers)).toEqual([]);
    expect(wayTo('better-sqlite3', importers)).toEqual([]);
  });

test('a static import of the native module would be found, over however many files', () => {
  const importers = loadedWith(CONTROL);
  expect(wayTo(LOADER, importers).length).toBeGreaterThan(1);
});

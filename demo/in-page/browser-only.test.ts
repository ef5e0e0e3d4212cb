import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';

/** The programs of the browser, without the pages. */
const ENTRIES = ['demo/in-page/worker.ts', 'demo/in-page/network.ts', 'demo/in-page/client/frame.ts'];

/** Lists the modules from outside of the project, each with the file that imports it. */
async function importedFrom(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints, bundle: true, write: false, outdir: 'nowhere', format: 'esm' },
    ...{ platform: 'node', packages: 'external', metafile: true, logLevel: 'silent' },
  });
  return Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ external }) => external).map(({ path }) => `${path} < ${file}`),
  );
}

test('nothing of Node is imported in the page that the whole demo runs in', async () => {
  const imported = await importedFrom(ENTRIES);
  expect(imported.some((line) => line.startsWith('zod '))).toBe(true);
  expect(imported.filter((line) => !/^(?:zod|@noble\/hashes\/\S+) /.test(line))).toEqual([]);
});

test('an import of Node would be found, however far away', async () => {
  const imported = await importedFrom(['console/server/open-console.ts']);
  expect(imported).toContain('node:http < conformance/engine/wire/proxy.ts');
});

import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { answerTo } from '#console/server/api-routes.ts';
import { scenarios } from '#console/server/scenarios/list.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { openPageWorld } from './world.ts';

async function open() {
  const opened = openPageWorld({
    clientFrame: '/client/',
    machineClock: systemClock,
    random: seededRandom(1),
    version: '0',
    runtime: 'test',
  });
  await opened.world.watch();
  return opened;
}

test('every scenario plays to its end between parties in one process', async () => {
  const { world } = await open();
  expect(scenarios.length).toBeGreaterThanOrEqual(24);
  for (const { id } of scenarios) {
    await world.player.play(id);
    await world.player.settled();
    expect([id, world.player.state]).toEqual([id, expect.objectContaining({ phase: 'done' })]);
    const red = world.judge.verdicts().filter(({ outcome }) => outcome !== 'pass');
    // What an attacker does in the name of the authorization server is told as its fault.
    expect([id, red.length > 0]).toEqual([id, id === 'taken-over']);
  }
});

test('a snapshot brings back what both servers held, until it is deleted', async () => {
  const { world } = await open();
  await world.player.play('first-link');
  await world.player.settled();
  const { tables } = await world.stateWatch.current();
  const counts = (of: typeof tables) => of.map(({ party, table, total }) => `${total} ${party} ${table}`);
  const { id } = await world.situation.takeSnapshot('linked');
  // As the console does before a reset.
  await world.player.takeOver();
  const emptied = await world.situation.reset();
  expect(emptied.tables.map(({ total }) => total)).toEqual([0, 0, 0, 0, 0]);
  expect(counts((await world.situation.restore(id)).tables)).toEqual(counts(tables));
  // The exchange token is used up.
  expect(counts(tables)).toEqual([
    '0 ehr exchangeTokens',
    '1 ehr sessions',
    '1 ehr links',
    '1 auth sessions',
    '1 auth correspondence',
  ]);
  const { status, json } = await answerTo(world, {
    method: 'DELETE',
    path: `snapshots/${id}`,
    showsSecrets: false,
    body: undefined,
  });
  expect([status, json]).toEqual([200, '[]']);
  await expect(world.situation.restore(id)).rejects.toThrow('There is no such snapshot');
});

/** The programs of the browser, without the pages. */
const ENTRIES = ['demo/in-page/worker.ts', 'demo/in-page/network.ts', 'demo/in-page/client/frame.ts'];

/** Lists the modules from outside of the project, each with the file that imports it. */
async function importedFrom(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    write: false,
    outdir: 'nowhere',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    logLevel: 'silent',
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

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { networkFlags, runNpm } from './run-npm.mjs';

test('a registry that refuses is told, with what to do', async () => {
  const cwd = temporaryFolder();
  const itself = { name: 'small', version: '1.0.0', dependencies: { nowhere: '1.0.0' } };
  const nowhere = { version: '1.0.0', resolved: 'http://127.0.0.1:9/nowhere-1.0.0.tgz' };
  const lock = { lockfileVersion: 3, packages: { '': itself, 'node_modules/nowhere': nowhere } };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(itself));
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify({ ...itself, ...lock }));
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  vi.stubEnv('npm_config_cache', join(cwd, 'cache'));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const place = { cwd, addHelper: () => undefined };
  const flags = await networkFlags(place);
  expect(flags).toEqual(['--offline']);
  await expect(runNpm('Installing', ['ci', ...flags], place)).rejects.toThrow(
    /^The package registry could not be reached\. Please check the network \(npm ping\), then run this again\.$/,
  );
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test, vi } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { buildPages } from './build-pages.ts';

test('a page with a module beside its sources is not bundled', async () => {
  const folder = temporaryFolder();
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  mkdirSync(join(folder, 'page'));
  write('page/vite.config.mjs', 'export default { root: import.meta.dirname };');
  write('page/index.html', '<script type="module" src="./main.js"></script>');
  write('page/main.js', "import { text } from '../other.js';\ndocument.title = text;");
  write('other.js', "export const text = 'one';");
  const build = (...names: string[]) =>
    buildPages(
      join(folder, 'page/vite.config.mjs'),
      names.map((name) => relative(root, join(folder, name))),
    );
  // Vite says there that it failed.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await expect(build('page')).rejects.toThrow('other.js is bundled, and is none of the sources');
  const first = await build('page', 'other.js');
  expect(await build('page', 'other.js')).toEqual({ ...first, fresh: false });
  write('other.js', "export const text = 'two';");
  expect((await build('page', 'other.js')).directory).not.toBe(first.directory);
});

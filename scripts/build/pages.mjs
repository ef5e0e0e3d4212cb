/** Bundles pages with Vite before the programs that serve them, because an installed package has no Vite. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recordFile } from './freshness.mjs';
import { KIT } from './programs.mjs';

const clientPage = {
  /** The module that finds or builds the pages. In a built program it is replaced by the pages found here. */
  finder: 'mock-client/build.ts',
  build: 'buildClient',
};
const consolePage = { finder: 'console/page/build.ts', build: 'buildConsolePage' };

const pagesOf = { 'ehr-client': clientPage, [KIT]: clientPage, demo: consolePage };

/** Bundles the pages of a program unless they exist. `inputs` receives their sources. */
export async function builtPages(root, program, inputs) {
  const pages = pagesOf[program];
  if (pages === undefined) return { needs: [], replaced: {} };
  const { finder, build } = pages;
  const { tsImport } = await import('tsx/esm/api');
  const found = await tsImport(pathToFileURL(join(root, finder)).href, import.meta.url);
  const made = await found[build]();
  for (const [file, content] of made.inputs) inputs.set(file, content);
  const name = basename(made.directory);
  const text = `
    import { fileURLToPath } from 'node:url';
    export const ${build} = async () => ({
      directory: fileURLToPath(new URL(${JSON.stringify(`dist/${name}`)}, import.meta.url)),
      fresh: false,
    });`;
  return { needs: [`${distOf(pages)}/${name}/index.html`], replaced: { [finder]: text } };
}

const distOf = ({ finder }) => `${dirname(finder)}/dist`;

/** Returns the directories of pages bundled from earlier sources, relative to the root. */
export function otherPages(root) {
  return Object.entries(pagesOf).flatMap(([program, pages]) => {
    const { needs } = JSON.parse(readFileSync(join(root, recordFile(program)), 'utf8'));
    return readdirSync(join(root, distOf(pages)))
      .filter((name) => !needs.some((file) => file.includes(`/${name}/`)))
      .map((name) => `${distOf(pages)}/${name}`);
  });
}

/** Removes those pages, so that a package does not contain them. Running servers may still need theirs. */
export function removeOtherPages(root) {
  for (const page of otherPages(root)) rmSync(join(root, page), { recursive: true, force: true });
}

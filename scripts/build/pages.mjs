/** Bundles pages with Vite before the programs that serve them, because an installed package has no Vite. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readInputs, recordFile } from './freshness.mjs';
import { KIT } from './programs.mjs';

const clientPage = {
  /** The module that finds or builds the pages. In a built program it is replaced by the pages found here. */
  finder: 'mock-client/build.ts',
  build: 'buildClient',
  /** The directories of which the pages are built, beside the packages. */
  sources: ['mock-client', 'protocol'],
};
const consolePage = {
  finder: 'console/page/build.ts',
  build: 'buildConsolePage',
  sources: ['console/page', 'console/api', 'mock-client/ui/styles', 'protocol'],
};

const pagesOf = { 'ehr-client': clientPage, [KIT]: clientPage, demo: consolePage };

/** Bundles the pages of a program unless they exist. `inputs` receives their sources. */
export async function builtPages(root, program, inputs) {
  const pages = pagesOf[program];
  if (pages === undefined) return { needs: [], replaced: {} };
  const { finder, build, sources } = pages;
  const files = sources
    .flatMap((room) => filesBelow(root, room))
    .filter((file) => !/\.test\.tsx?$/.test(file));
  for (const [file, content] of readInputs(root, files)) inputs.set(file, content);
  const { tsImport } = await import('tsx/esm/api');
  const found = await tsImport(pathToFileURL(join(root, finder)).href, import.meta.url);
  const name = basename((await found[build]()).directory);
  const text = `
    import { fileURLToPath } from 'node:url';
    export const ${build} = async () => ({
      directory: fileURLToPath(new URL(${JSON.stringify(`dist/${name}`)}, import.meta.url)),
      fresh: false,
    });`;
  return { needs: [`${distOf(pages)}/${name}/index.html`], replaced: { [finder]: text } };
}

const distOf = ({ finder }) => `${dirname(finder)}/dist`;

function filesBelow(root, directory) {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'dist' ? [] : filesBelow(root, path);
    return [path];
  });
}

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

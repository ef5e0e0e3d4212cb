/** Bundles the client's pages with Vite at build time, because an installed package has no Vite. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readInputs, recordFile } from './freshness.mjs';

/** The directories of which the pages are built, beside the packages. */
const ROOMS = ['mock-client', 'protocol'];

/** The module that finds or builds the pages. In the built program it is replaced by the pages found here. */
const FINDER = 'mock-client/build.ts';

/**
 * Bundles the pages unless they exist.
 * @param {Map<string, Buffer>} inputs receives the sources of the pages
 */
export async function clientPages(root, inputs) {
  const files = ROOMS.flatMap((room) => filesBelow(root, room)).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const [file, content] of readInputs(root, files)) inputs.set(file, content);
  const { tsImport } = await import('tsx/esm/api');
  const { buildClient } = await tsImport(join(root, FINDER), import.meta.url);
  const name = basename((await buildClient()).directory);
  const text = `
    import { fileURLToPath } from 'node:url';
    export const buildClient = async () => ({
      directory: fileURLToPath(new URL(${JSON.stringify(`dist/${name}`)}, import.meta.url)),
      fresh: false,
    });`;
  return { needs: [`mock-client/dist/${name}/index.html`], replaced: { [FINDER]: text } };
}

function filesBelow(root, directory) {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'dist' ? [] : filesBelow(root, path);
    return [path];
  });
}

/**
 * Removes pages bundled from earlier sources, so that a package does not contain them. Running servers may
 * still need theirs.
 */
export function removeOtherPages(root) {
  const { needs } = JSON.parse(readFileSync(join(root, recordFile('ehr-client')), 'utf8'));
  const pages = join(root, 'mock-client', 'dist');
  for (const name of readdirSync(pages)) {
    if (!needs.some((file) => file.includes(`/${name}/`)))
      rmSync(join(pages, name), { recursive: true, force: true });
  }
}

/**
 * The files of the viewer, with its script bundled into one text. A built program has this module replaced by
 * these texts, because an installed package has neither the sources nor esbuild.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8');
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The texts of the viewer. `sources` are the files of its script, relative to the root of the project. */
function bundle() {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [pathOf('main.ts')],
    absWorkingDir: pathOf('../../../..'),
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    charset: 'ascii',
    // The first browsers with `light-dark` and what else the viewer needs.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    metafile: true,
    logLevel: 'silent',
  });
  const script = outputFiles[0]?.text ?? '';
  return {
    page: textOf('page.html'),
    style: textOf('style.css'),
    script,
    sources: Object.keys(metafile.inputs),
  };
}

let files: ReturnType<typeof bundle> | undefined;

export function viewerFiles(): ReturnType<typeof bundle> {
  files ??= bundle();
  return files;
}

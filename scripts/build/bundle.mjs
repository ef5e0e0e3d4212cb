/** Builds one file of `dist/bin` with esbuild. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFile, commonInputs, recordFile, recordOf, stampOf } from './freshness.mjs';
import { builtPages } from './pages.mjs';
import { leanPackages, ownModules, packedViewer } from './plugins.mjs';
import { isOfKit, KIT, mainOf, programDirectory } from './programs.mjs';

/** Packages that stay in `node_modules`: they are large, and few programs need them. */
const EXTERNAL = ['@faker-js/faker', 'vite'];

const NODE = 'node20.19';

/** CommonJS packages expect a `require` in scope. */
const BANNER =
  "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);";

/** Files are renamed into place when complete, the record last, so that none is ever broken. */
export async function bundle(root, name) {
  const inputs = commonInputs(root);
  const pages = await builtPages(root, name, inputs);
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...sourceOf(root, name, [packedViewer(root, inputs), ownModules(root, inputs, pages.replaced)]),
    absWorkingDir: root,
    outfile: join(root, builtFile(name)),
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: NODE,
    external: [...EXTERNAL, `./${KIT}.js`],
    minifyWhitespace: true,
    minifySyntax: true,
    // On an uncaught error Node prints the line that threw it.
    lineLimit: 160,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: name === 'express' ? BANNER : `#!/usr/bin/env node\n${BANNER}` },
    logLevel: 'silent',
  });
  const [map, code] = ['.map', '.js'].map((end) => outputFiles.find(({ path }) => path.endsWith(end)).text);
  putInPlace(root, [
    [`${builtFile(name)}.map`, map],
    [builtFile(name), code + stampOf(inputs)],
    [recordFile(name), recordOf(inputs, pages.needs)],
  ]);
}

function sourceOf(root, name, modules) {
  if (isOfKit(name)) {
    const contents = `import { start } from './${KIT}.js';\nawait start[${JSON.stringify(name)}]();`;
    return { stdin: { contents, resolveDir: root } };
  }
  const entry = mainOf(name);
  if (entry === undefined)
    return { stdin: { contents: "export { default } from 'express';", resolveDir: root } };
  return {
    entryPoints: [join(root, entry)],
    inject: [join(root, 'scripts/build/prelude.mjs')],
    plugins: [leanPackages, ...modules],
  };
}

function putInPlace(root, files) {
  mkdirSync(join(root, programDirectory), { recursive: true });
  const workshop = mkdtempSync(join(root, 'dist', '.building-'));
  try {
    for (const [index, [file, text]] of files.entries()) {
      const made = join(workshop, String(index));
      writeFileSync(made, text, { mode: file.endsWith('.js') ? 0o755 : 0o644 });
      renameSync(made, join(root, file));
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

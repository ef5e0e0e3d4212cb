/** The esbuild plugins for own modules and for packages: they make one file that starts fast. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programDirectory } from './programs.mjs';

/** Runs in the built file, so its address is that of the built file. */
const PRELUDE = 'scripts/build/prelude.mjs';

/** Includes own modules unchanged, each with its own address. `read` receives each as it was compiled. */
export function ownModules(root, read, replaced) {
  return {
    name: 'own modules',
    setup(build) {
      build.onLoad({ filter: /\.(?:ts|mjs|json)$/ }, async ({ path }) => {
        const file = relative(root, path).replaceAll('\\', '/');
        if (file.startsWith('../') || /(?:^|\/)node_modules\//.test(file)) return undefined;
        const content = readFileSync(path);
        read.set(file, content);
        const text = replaced[file] ?? content.toString('utf8');
        const loader = extname(file) === '.mjs' ? 'js' : extname(file).slice(1);
        const module = { contents: text, loader, resolveDir: dirname(path) };
        return file === PRELUDE || !text.includes('import.meta.url')
          ? module
          : withOwnAddress(build, file, module);
      });
    },
  };
}

/** The module that bundles the viewer of reports. Beside it are the files of which the viewer is made. */
const VIEWER = 'conformance/engine/report/viewer';

/** Replaces that module by what it makes: an installed package has neither the sources nor esbuild. */
export function packedViewer(root, read) {
  return {
    name: 'packed viewer',
    setup(build) {
      build.onLoad({ filter: /[\\/]report[\\/]viewer[\\/]files\.ts$/ }, async ({ path }) => {
        const { tsImport } = await import('tsx/esm/api');
        const { viewerFiles } = await tsImport(pathToFileURL(path).href, import.meta.url);
        const { sources, ...files } = viewerFiles();
        const own = ['files.ts', 'page.html', 'style.css'].map((name) => `${VIEWER}/${name}`);
        for (const file of [...own, ...sources]) read.set(file, readFileSync(join(root, file)));
        const contents = `export const viewerFiles = () => (${JSON.stringify(files)});`;
        return { contents, loader: 'js' };
      });
    },
  };
}

/** Replaces `import.meta.url`: a module that looks for a file beside itself means its own address. */
async function withOwnAddress(build, file, module) {
  const own = JSON.stringify(relative(programDirectory, file).replaceAll('\\', '/'));
  const { code } = await build.esbuild.transform(module.contents, {
    loader: module.loader,
    define: { 'import.meta.url': 'ownAddress' },
    banner: `const ownAddress = new URL(${own}, import.meta.url).href;`,
    sourcefile: basename(file),
    sourcemap: 'inline',
    sourcesContent: false,
  });
  return { ...module, contents: code, loader: 'js' };
}

/** Packages that stay in `node_modules`: only some runs need them. */
const REQUIRED = /^(?:msw|pg|pg-copy-streams|prom-client)$/;

/** An `import` of an external package runs at the start, even of a lazy module. A `require` does not. */
export const leanPackages = {
  name: 'lean packages',
  setup(build) {
    build.onResolve({ filter: REQUIRED }, ({ path }) => ({ path, namespace: 'required' }));
    build.onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `const load = require;\nmodule.exports = load(${JSON.stringify(path)});`,
    }));
    build.onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined;
      return { path: path === 'express' ? './express.js' : path, external: true };
    });
    // The programs need one of zod's fifty languages.
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    // Transports of pino are threads that write the log elsewhere. The parties write their lines themselves.
    build.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]transport\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('A built program has no log transports.'); };",
    }));
  },
};

/**
 * The esbuild plugins for the project's own modules and for packages: they make one file that starts fast.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, relative } from 'node:path';
import { programDirectory } from './programs.mjs';

/** Runs in the built file, so its address is that of the built file. */
const PRELUDE = 'scripts/build/prelude.mjs';

/**
 * Includes the project's own modules unchanged, and gives each its own address.
 * @param {string} root of the project
 * @param {Map<string, Buffer>} read receives the content of each module by its path from the root, exactly as
 * it was compiled, even if the file changes a moment later
 * @param {Record<string, string>} replaced modules that get another text
 */
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

/**
 * Replaces `import.meta.url`, which would be the address of the built file: a module that looks for a file
 * beside itself means its own.
 */
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

/**
 * Leaves packages that a start does not need out of the file. An `import` of an external package is executed
 * at the start, even if only a lazily loaded module needs it; a `require` is not.
 */
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

/**
 * Starts the mock authorization server of this project for the adapter files in this folder. A clone of the
 * repository builds the program first; a package contains it built.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const builder = new URL('scripts/build/built-program.mjs', root);

const built = existsSync(builder)
  ? pathToFileURL(
      await (await import(builder.href)).builtProgram(fileURLToPath(root), 'mock-auth-server/main.ts'),
    )
  : new URL('dist/bin/ehr-auth-server.js', root);
await import(built.href);

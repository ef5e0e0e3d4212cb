/** Starts the web client of this project, the client under test of the example file web-client.yaml. */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const builder = new URL('scripts/build/built-program.mjs', root);

// A clone has the builder, which builds the client first. The published package has the built file alone.
const built = existsSync(builder)
  ? pathToFileURL(await (await import(builder.href)).builtProgram(fileURLToPath(root), 'mock-client/main.ts'))
  : new URL('dist/bin/ehr-client.js', root);
await import(built.href);

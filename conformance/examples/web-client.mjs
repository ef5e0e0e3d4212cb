/** Starts the built web client for web-client.yaml. A clone builds it first. */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const builder = new URL('scripts/build/built-program.mjs', root);

const built = existsSync(builder)
  ? pathToFileURL(await (await import(builder.href)).builtProgram(fileURLToPath(root), 'mock-client/main.ts'))
  : new URL('dist/bin/ehr-client.js', root);
await import(built.href);

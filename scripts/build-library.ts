/** `npm run build:library`: builds what other projects import from this package. */
import { join } from 'node:path';
import { buildLibrary } from './library/build.ts';
import { libraryDirectory, libraryExports } from './library/entries.ts';
import { root } from './set-up.mjs';

await buildLibrary(root, join(root, libraryDirectory));
process.stdout.write(`Built ${Object.keys(libraryExports()).join(', ')} in ${libraryDirectory}\n`);

/** `npm run build:library`: builds what other projects import from this package. */
import { join } from 'node:path';
import { root } from '../../set-up/set-up.mjs';
import { buildLibrary, libraryDirectory, libraryExports } from './build.ts';

await buildLibrary(root, join(root, libraryDirectory));
process.stdout.write(`Built ${Object.keys(libraryExports()).join(', ')} in ${libraryDirectory}\n`);

/** `npm test`: sets the project up, then runs every check and suite. */
import { start } from './set-up.mjs';

start('scripts/test.ts');

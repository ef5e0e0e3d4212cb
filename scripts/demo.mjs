/** `npm run demo`: sets the project up, then runs the demo. */
import { start } from './set-up.mjs';

start('scripts/demo.ts');

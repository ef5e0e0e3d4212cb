/** `npm run e2e`: sets the project up, then runs the end-to-end suites. */
import { start } from './set-up.mjs';

start('scripts/e2e.ts');

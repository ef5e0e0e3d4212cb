/** Sets the project up, then runs the program named first on the command line with the flags behind it. */
import { start } from './set-up/set-up.mjs';

const [program, ...flags] = process.argv.slice(2);
start(program, flags);

/** `npm run lint`, second half: reports violations of the project's own rules, each with file and line. */

import { root } from '../set-up/set-up.mjs';
import { checkRules } from './rules.ts';

const findings = checkRules(root);
for (const { file, line, message } of findings) process.stdout.write(`${file}:${line} ${message}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;

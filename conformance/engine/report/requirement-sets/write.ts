/**
 * Writes a frozen set of all current checks:
 * `node scripts/run.mjs conformance/engine/report/requirement-sets/write.ts 1.0`.
 * Never write a released set again.
 */
import { writeFileSync } from 'node:fs';
import { checks } from '../../../roles/auth-server/checks/index.ts';
import { rowsOf } from '../matrix.ts';
import { setOf } from './sets.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^\d+\.\d+$/.test(name)) throw new Error('Please name the set by its version, such as 1.0.');
const file = new URL(`${name}.json`, new URL('./', import.meta.url));
writeFileSync(file, `${JSON.stringify(setOf(checks, rowsOf(checks)), null, 2)}\n`);

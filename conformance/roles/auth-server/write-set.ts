/**
 * Writes a requirement set: a list of all current checks of authorization servers under a version, frozen so
 * that later runs can be judged by the same list. The command is
 *
 * `node scripts/run.mjs conformance/roles/auth-server/write-set.ts 1.0`. Never write a released set again.
 */
import { writeFileSync } from 'node:fs';
import { rowsOf } from '../../engine/report/matrix.ts';
import { setOf } from '../../engine/report/requirement-sets/sets.ts';
import { checks } from './checks.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^\d+\.\d+$/.test(name))
  throw new Error('Please name the set by its version, such as 1.0.');
const file = new URL(`${name}.json`, new URL('../../engine/report/requirement-sets/', import.meta.url));
writeFileSync(file, `${JSON.stringify(setOf(checks, rowsOf(checks, 'auth-server')), null, 2)}\n`);

/**
 * Writes a requirement set: a list of all current checks of every role under a version, frozen so that later
 * runs can be judged by the same list. The command is
 *
 * `node scripts/run.mjs conformance/roles/write-set.ts 2.0`. Never write a released set again.
 */
import { writeFileSync } from 'node:fs';
import { rowsOf } from '../engine/report/matrix.ts';
import { setOf } from '../engine/report/requirement-sets/sets.ts';
import { judgedRoles } from './judge.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^\d+\.\d+$/.test(name))
  throw new Error('Please name the set by its version, such as 2.0.');
const roles = Object.fromEntries(
  Object.values(judgedRoles).map(({ id, checks }) => [id, setOf(checks, rowsOf(checks, id))]),
);
const file = new URL(`${name}.json`, new URL('../engine/report/requirement-sets/', import.meta.url));
writeFileSync(file, `${JSON.stringify({ roles }, null, 2)}\n`);

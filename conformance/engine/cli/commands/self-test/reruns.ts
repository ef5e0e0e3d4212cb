/** The command `self-test --rerun`: proves that a rerun of what was red agrees with a whole run. */
import { requireFile } from '#service/process/files/writing.ts';
import { EXIT } from '../../../check/verdict.ts';
import { type RerunRow, rerunRows } from '../../../defects/drawn/rerun.ts';
import { count } from '../../../report/words.ts';
import type { Role } from '../../../role.ts';
import { breakable, clock } from '../common.ts';
import { type DrawnCommand, keep } from './self-test.ts';

/**
 * Plays a whole run for each of `sample` drawn defects, and its red checks again, on the defect and on the
 * right party.
 * @returns 0 when every rerun agrees with the whole runs, else 1
 */
export async function runReruns(role: Role, { seed, sample, only, json }: DrawnCommand): Promise<number> {
  if (json !== undefined) requireFile('--json', json);
  const onRow = (row: RerunRow, done: number, total: number) =>
    void process.stdout.write(`${String(done).padStart(3)}/${total} ${rerunLine(row)}\n`);
  const options = { clock, seed: 1, signal: breakable(), drawSeed: seed, sample, only, onRow };
  const rows = await rerunRows(await role.catalogue(), options);
  const score = scoreOfReruns(rows, role.scenarios.length);
  process.stdout.write(`\n${score.sentence}\n`);
  keep(json, { role: role.id, seed, ...score, rows });
  return score.ok ? EXIT.conformant : EXIT.notConformant;
}

function rerunLine({ id, red, scenarios, disagreements }: RerunRow): string {
  const about = `${id}: ${red} red, ${count(scenarios, 'scenario')} again`;
  return disagreements.length === 0
    ? `ok  ${about}`
    : `NOT ${about}\n        ${disagreements.join('\n        ')}`;
}

/**
 * The score of reruns in numbers and in one sentence.
 * @param all how many scenarios a whole run plays
 */
export function scoreOfReruns(rows: readonly RerunRow[], all: number) {
  const agreed = rows.filter(({ disagreements }) => disagreements.length === 0).length;
  const red = rows.reduce((sum, row) => sum + row.red, 0);
  const played = rows.reduce((sum, row) => sum + row.scenarios, 0);
  const share = rows.length === 0 ? 0 : Math.round((100 * played) / (rows.length * all));
  const sentence = `Of ${rows.length} whole runs with one defect, the rerun of what was red agrees in ${agreed}: each of ${red} checks is still broken with the defect, and on the right party it is what a whole run says. The reruns played ${share} % of the scenarios.`;
  const ok = rows.length > 0 && agreed === rows.length;
  return { ok, runs: rows.length, agreed, red, share, sentence };
}

/** The command `self-test --rerun`: proves that a rerun of what was red agrees with the run before. */
import { requireFile } from '#service/process/files/writing.ts';
import { EXIT } from '../../../check/verdict.ts';
import { type RerunRow, rerunRows } from '../../../defects/drawn/rerun.ts';
import { count } from '../../../report/words.ts';
import type { Role } from '../../../role.ts';
import { breakable, clock } from '../common.ts';
import { type DrawnCommand, keep } from './self-test.ts';

/**
 * Plays a run for each of `sample` drawn defects, and its red checks again, on the defect and on the right
 * party.
 * @param command `others` is how many scenarios a run plays beside those of its check; all unless given
 * @returns 0 when every rerun agrees, else 1
 */
export async function runReruns(
  role: Role,
  { seed, sample, only, json, others }: DrawnCommand & { others?: number },
): Promise<number> {
  if (json !== undefined) requireFile('--json', json);
  const onRow = (row: RerunRow, done: number, total: number) =>
    void process.stdout.write(`${String(done).padStart(3)}/${total} ${rerunLine(row)}\n`);
  const options = { clock, seed: 1, signal: breakable(), drawSeed: seed, sample, only, others, onRow };
  const rows = await rerunRows(await role.catalogue(), options);
  const score = scoreOfReruns(rows, { others, all: role.scenarios.length });
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

/** How many scenarios the first runs played beside those of their checks, and how many there are. */
type FirstRuns = { others: number | undefined; all: number };

/** The score of reruns in numbers and in one sentence. */
export function scoreOfReruns(rows: readonly RerunRow[], { others, all }: FirstRuns) {
  const agreed = rows.filter(({ disagreements }) => disagreements.length === 0).length;
  const red = rows.reduce((sum, row) => sum + row.red, 0);
  const played = rows.reduce((sum, row) => sum + row.scenarios, 0);
  const runs =
    others === undefined ? 'whole runs' : `runs of the scenarios of one check and ${others} drawn ones`;
  const sentence = `Of ${rows.length} ${runs} with one defect, the rerun of what was red agrees in ${agreed}: of ${red} checks, each that found a fault finds one again with the defect, and is fixed on the right party. The reruns played ${count(played, 'scenario')}, of ${rows.length} times ${all}.`;
  const ok = rows.length > 0 && agreed === rows.length;
  return { ok, runs: rows.length, agreed, red, played, sentence };
}

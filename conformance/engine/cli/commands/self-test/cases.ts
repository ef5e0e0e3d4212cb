/** The command `self-test --case`: proves that failing checks can be told as scripts that stand alone. */
import { requireFile } from '#service/process/files/writing.ts';
import { EXIT } from '../../../check/verdict.ts';
import { type CaseRow, caseRows } from '../../../defects/drawn/cases.ts';
import type { Role } from '../../../role.ts';
import { breakable, clock, Stop } from '../common.ts';
import { type DrawnCommand, keep } from './self-test.ts';

/** The share of defects that must be told, and the most calls that the median case has. */
const [MIN_SHARE, MAX_MEDIAN_CALLS] = [0.95, 8];

/**
 * Tells the check of each of `sample` drawn defects as a case.
 * @returns 0 when enough of them are told, in few calls, else 1
 */
export async function runCases(role: Role, { seed, sample, only, json }: DrawnCommand): Promise<number> {
  if (json !== undefined) requireFile('--json', json);
  if (!role.cases)
    throw new Stop(`--case: a check of the role ${role.id} cannot be told as a script.`, {
      exitCode: EXIT.notSetUp,
    });
  const onRow = ({ id, check, calls, found }: CaseRow, done: number, total: number) =>
    void process.stdout.write(
      `${String(done).padStart(3)}/${total} ${calls === undefined ? 'NOT' : 'ok '} ${id} (${check})${calls === undefined ? '' : `, calls: ${calls}`}\n        ${found}\n`,
    );
  const options = { clock, seed: 1, signal: breakable(), drawSeed: seed, sample, only, onRow };
  const rows = await caseRows(await role.catalogue(), await role.cases(), options);
  const score = scoreOfCases(rows);
  process.stdout.write(`\n${score.sentence}\n`);
  keep(json, { role: role.id, seed, ...score, rows });
  return score.ok ? EXIT.conformant : EXIT.notConformant;
}

/** The score in numbers and in one sentence. */
export function scoreOfCases(rows: readonly CaseRow[]) {
  const calls = rows.flatMap((row) => row.calls ?? []).sort((a, b) => a - b);
  const median = calls[Math.floor(calls.length / 2)] ?? 0;
  const sentence = `Of ${rows.length} defects, ${calls.length} are told by a script that fails on the defect and holds on the right party. The median script has ${median} calls.`;
  const ok = calls.length > 0 && calls.length >= MIN_SHARE * rows.length && median <= MAX_MEDIAN_CALLS;
  return { ok, defects: rows.length, told: calls.length, median, sentence };
}

/** `self-test`: every defect must be found, no harmless variant may change a verdict; prints the matrix and the score. */
import { writeFileSync } from 'node:fs';
import { type SelfTestRow, selfTest } from '../self-test/self-test.ts';
import { EXIT } from '../verdict.ts';
import { breakable, clock } from './common.ts';

export type SelfTestCommand = { seed: number; share?: { part: number; of: number }; only?: string; json?: string };

/** @returns 0 when all rows are as they must be, else 1 */
export async function runSelfTest({ seed, share, only, json }: SelfTestCommand): Promise<number> {
  const rows = await selfTest({
    clock,
    seed,
    signal: breakable(),
    ...(share && { share }),
    only,
    onRow: (row, done, total) => process.stdout.write(`${String(done).padStart(3)}/${total} ${line(row)}\n`),
  });
  const score = scoreOf(rows);
  process.stdout.write(`\n${score.sentence}\n`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ seed, ...score, rows }, null, 1)}\n`);
  return score.ok ? EXIT.conformant : EXIT.notConformant;
}

/** The score in numbers and in one sentence. */
export function scoreOf(rows: readonly SelfTestRow[]) {
  const of = (kind: SelfTestRow['kind']) => rows.filter((row) => row.kind === kind);
  const good = (kind: SelfTestRow['kind']) => of(kind).filter(({ ok }) => ok).length;
  const ok = rows.every((row) => row.ok);
  const sentence = `${good('defect')} of ${of('defect').length} defects found by the check that names them, ${good('harmless')} of ${of('harmless').length} harmless variants left every verdict as it was, the reference server ${good('reference') === 1 ? 'passed' : 'DID NOT PASS'}.`;
  return {
    ok,
    defects: of('defect').length,
    defectsFound: good('defect'),
    harmless: of('harmless').length,
    harmlessUnharmed: good('harmless'),
    sentence,
  };
}

function line({ kind, id, check, ok, found }: SelfTestRow): string {
  return `${ok ? 'ok ' : 'NOT'} ${kind.padEnd(9)} ${id.padEnd(32)} ${(check ?? '').padEnd(34)} ${found}`;
}

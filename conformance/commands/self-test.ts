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
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(scoreFile(seed, rows), null, 2)}\n`);
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

/** What `--json` writes: the score, and for each variant by its kind whether it is as it must be. */
export function scoreFile(seed: number, rows: readonly SelfTestRow[]) {
  const of = (kind: SelfTestRow['kind']) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ id, ok }) => [id, ok]));
  return {
    seed,
    ...scoreOf(rows),
    rows: { reference: of('reference'), defect: of('defect'), harmless: of('harmless') },
  };
}

function line({ kind, id, check, ok, found }: SelfTestRow): string {
  return `${ok ? 'ok ' : 'NOT'} ${kind.padEnd(9)} ${id.padEnd(32)} ${(check ?? '').padEnd(34)} ${found}`;
}

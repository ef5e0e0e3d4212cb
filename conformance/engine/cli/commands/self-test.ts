/**
 * The command `self-test`: proves the kit on parties with a known difference. Every defect must be found by
 * its check, and no harmless variant may change a verdict.
 */
import { systemClock } from '#protocol/time/clock.ts';
import { EXIT } from '../../check/verdict.ts';
import { SelfTest, type SelfTestRow } from '../../defects/self-test.ts';
import { InputError } from '../../input-error.ts';
import type { RoleEntry } from '../../role.ts';
import { breakable } from './process.ts';

type SelfTestCommand = {
  seed: number;
  /** Plays only variants whose id contains one of these texts, which commas separate. */
  only?: string;
};

/** Shows a line for each party that it plays. Returns 0 when all are ok, else 1. */
export async function runSelfTest(
  roles: readonly RoleEntry[],
  { seed, only }: SelfTestCommand,
): Promise<number> {
  const rows: SelfTestRow[] = [];
  const onRow = (row: SelfTestRow, done: number, total: number) =>
    void process.stdout.write(`${String(done).padStart(3)}/${total} ${line(row)}\n`);
  const options = { clock: systemClock, seed, signal: breakable(), only, onRow };
  for (const entry of roles) {
    const role = await entry.load();
    process.stdout.write(`${role.id}\n`);
    rows.push(...(await new SelfTest(await role.catalogue()).rows(options)));
  }
  if (rows.length === 0)
    throw new InputError(`--only ${only} chooses nothing: no variant has this in its id.`);
  process.stdout.write(`\n${counted(rows)}\n`);
  return rows.every(({ ok }) => ok) ? EXIT.conformant : EXIT.notConformant;
}

function counted(rows: readonly SelfTestRow[]): string {
  const of = (kind: SelfTestRow['kind']) => {
    const own = rows.filter((row) => row.kind === kind);
    return `${own.filter(({ ok }) => ok).length} of ${own.length}`;
  };
  return `${of('defect')} defects found by the check that names them, ${of('harmless')} harmless variants left every verdict as it was, ${of('reference')} right parties passed.`;
}

function line({ kind, id, check, ok, found }: SelfTestRow): string {
  return `${ok ? 'ok ' : 'NOT'} ${kind.padEnd(9)} ${id.padEnd(32)} ${(check ?? '').padEnd(34)} ${found}`;
}

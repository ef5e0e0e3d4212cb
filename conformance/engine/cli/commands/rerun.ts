/** The command `rerun`: plays the checks that were red in a report again, and says what became of each. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, type Outcome } from '../../check/verdict.ts';
import { harmless } from '../../harmless.ts';
import { InputError } from '../../input-error.ts';
import { redIn } from '../../report/lookup.ts';
import { type Report, readReport } from '../../report/schema/schema.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
import { paintedSign, paintFor } from '../../report/terminal/terminal.ts';
import { count } from '../../report/words.ts';
import { entryOf, type RoleEntry } from '../../role.ts';
import { judgeIn } from './judge-run.ts';
import { breakable } from './process.ts';

const became: Readonly<Record<Outcome, string>> = {
  pass: 'fixed',
  fail: 'still broken',
  warning: 'still broken',
  inconclusive: 'could not be judged',
  'not applicable': 'could not be judged',
};

/** Plays the red checks of a report again. Returns 0 when all are fixed, 2 when it is not set up, else 1. */
export async function rerun(
  file: string,
  { slow }: { slow: boolean },
  roles: readonly RoleEntry[],
): Promise<number> {
  const report = readReport(file);
  requireRepeatable(file, report);
  const screen = process.stdout;
  const red = redIn(report).map(({ check }) => check);
  if (red.length === 0) {
    screen.write(`Nothing is red in ${file}.\n`);
    return EXIT.conformant;
  }
  const { meta, summary } = report;
  const role = await entryOf(roles, meta.role).load();
  const config = configOf(file, report);
  const only = red.filter((id) => role.checks.some((check) => check.id === id)).join(',');
  let again: Report | undefined;
  if (only !== '') {
    const options = { config, only, seed: meta.seed, demands: summary.demands, slow, doctorOnly: false };
    const exitCode = await judgeIn(options, role, {
      signal: breakable(),
      reporter: (total) => consoleReporter({ screen, env: process.env, total }),
      onReport: (made) => {
        again = made;
      },
    });
    if (exitCode === EXIT.notSetUp) return exitCode;
  }
  const outcomes = new Map(again?.verdicts.map(({ check, outcome }) => [check, outcome]));
  const paint = paintFor(screen, process.env);
  screen.write(`\n${count(red.length, 'check was', 'checks were')} red:\n`);
  for (const check of red) {
    // A check that this version of the kit lacks could not be judged.
    const outcome = outcomes.get(check) ?? 'not applicable';
    screen.write(`${paintedSign(outcome, paint)} ${harmless(check)}: ${became[outcome]}\n`);
  }
  return red.every((check) => outcomes.get(check) === 'pass') ? EXIT.conformant : EXIT.notConformant;
}

function requireRepeatable(file: string, { meta, summary: { conclusion } }: Report): void {
  if (meta.mode === 'watch')
    throw new InputError(
      `${file} is of a session that a person clicked through, which cannot be played again. Please name the report of a run.`,
    );
  if (conclusion === 'not set up' || conclusion === 'nothing judged')
    throw new InputError(
      `${file} judges nothing: its conclusion is "${conclusion}". Please judge the party first.`,
    );
}

function configOf(file: string, { meta }: Report): string {
  const config = meta.file === undefined ? undefined : join(dirname(file), meta.file);
  if (config !== undefined && existsSync(config)) return config;
  const found =
    config === undefined ? 'names no file about the party' : `names ${config}, which is not there`;
  throw new InputError(`${file} ${found}. Please judge the party again.`);
}

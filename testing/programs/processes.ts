/** The parties as separate processes, for tests that kill them or look at what they show on their ports. */
import { join } from 'node:path';
import { patientInserter } from '#ehr-server/mis/insert.ts';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { builtProgram } from '#scripts/build/built-program.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import type { StartedProgram } from './program.ts';
import { useProgram } from './use-program.ts';

export function populate(file: string): void {
  const db = openDatabase(file);
  prepareMisSchema(db);
  const insert = patientInserter(db);
  for (const { patients } of personaList) patients.forEach(insert);
  db.close();
}

/**
 * Starts a party in a process of its own for one test. `urls` are the addresses on its ready line: the public
 * one, then the internal one.
 * @param through a command line that runs the one after it, for example to set limits
 */
export async function launchParty(
  main: string,
  env: Readonly<Record<string, string>>,
  through: readonly string[] = [],
): Promise<StartedProgram & { urls: string[] }> {
  // `through` may limit what a build needs, so an outdated program is built before.
  if (through.length > 0) await builtProgram(root, main);
  const program = useProgram([join(root, 'scripts/run.mjs'), main], { env, through });
  const [line] = await program.says(/^.*http:\/\/127\.0\.0\.1:\d+.*\n/m, 'out');
  return { ...program, urls: line.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [] };
}

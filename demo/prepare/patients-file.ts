/** The population of a demo that keeps everything in memory, because no database file can be opened. */
import { rmSync, writeFileSync } from 'node:fs';
import { type PopulationPlan, population } from '#mis-fixtures/population.ts';

/** Writes the patients of this plan to a JSON file that only this user can read. Replaces an earlier one. */
export function writePatients(file: string, plan: PopulationPlan): void {
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify([...population(plan)]), { mode: 0o600, flag: 'wx' });
}

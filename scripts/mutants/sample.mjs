/**
 * Draws the mutants of a run by a seed. Stryker loads this module in processes that cannot read TypeScript.
 */
import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';

/**
 * Draws mutants at random. The same seed draws the same ones, in whatever order they are given.
 * @param {readonly (import('./score.ts').MutantPlace & { id: string, mutatorName: string })[]} mutants
 * @param {{ count: number, seed: number, root: string }} draw `root` is the directory of the project
 * @returns {Set<string>} the ids of the drawn ones
 */
export function sampleOf(mutants, { count, seed, root }) {
  const ranked = mutants.map((mutant) => ({ id: mutant.id, rank: rankOf(mutant, seed, root) }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return new Set(ranked.slice(0, count).map(({ id }) => id));
}

function rankOf({ fileName, location: { start, end }, mutatorName, replacement }, seed, root) {
  const file = relative(root, fileName).split(sep).join('/');
  const place = [start.line, start.column, end.line, end.column].join(':');
  return createHash('sha256').update([seed, file, place, mutatorName, replacement].join('\n')).digest('hex');
}

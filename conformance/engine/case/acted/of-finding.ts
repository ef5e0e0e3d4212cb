/** Tells which differences of two clients are the fault that a check found; others are a way of their own. */
import type { Finding } from '../../check/verdict.ts';
import type { Fact } from '../fact.ts';

/** The methods that a fact names, and the last name of the place in a message. */
const NAMED = [/\b[a-z_]+\.[a-z_]+\b/g, /(?<= has in \/(?:\S+\/)?)[^\s/]+/g];

/**
 * Whether a fact is about what the finding of a check says. Right clients differ from each other in their
 * calls, so a fact of another step or of another method blames nobody.
 */
export function isOfFinding(
  { expected, actual }: Pick<Finding & { outcome: 'fail' }, 'expected' | 'actual'>,
  { key, text }: Fact,
  near: ReadonlySet<string>,
): boolean {
  const named = NAMED.flatMap((pattern) => text.replaceAll(`"${key}"`, '').match(pattern) ?? []);
  return near.has(key) && named.every((name) => `${expected} ${actual}`.includes(name));
}

/**
 * Makes the phones of the invented users whom the kit signs in. A run uses each phone once. Runs with other
 * seeds begin at other phones, so that the server's limits for each phone do not disturb the next run.
 */
import { seededRandom } from '#protocol/time/random.ts';
import type { Phones } from '../adapter.ts';
import type { AdapterSettings } from './schema/schema.ts';

/**
 * Returns the phones that an adapter file gives: its list in the order of the file, or the phones that its
 * pattern makes. The phone without a correspondence entry is left out; only one check uses it.
 */
export function phonesOf(
  { phones, unknown, withoutCorrespondence }: AdapterSettings['people'],
  seed: number,
): Phones {
  const strangers = unknown === undefined ? undefined : phonesOfPattern(unknown, seed);
  const unknownPhone = (index: number) => strangers?.(index);
  if (typeof phones === 'string')
    return {
      phone: phonesOfPattern(phones, seed, withoutCorrespondence),
      phoneCount: Number.POSITIVE_INFINITY,
      unknownPhone,
    };
  const list = phones.filter((phone) => phone !== withoutCorrespondence);
  return { phone: (index) => list[index] as string, phoneCount: list.length, unknownPhone };
}

/**
 * Returns a function from an index, counted from 0, to a phone of the pattern, in which every # is a digit.
 * Throws RangeError for an index beyond the last phone of the pattern.
 * @param without a phone that is never returned
 * @example phonesOfPattern('7999555####', 7)(0) // '79995554031'
 */
export function phonesOfPattern(pattern: string, seed: number, without?: string): (index: number) => string {
  const digits = pattern.split('#').length - 1;
  const count = 10 ** digits;
  // Six random bytes are a number far above `count`, and one that JavaScript represents exactly.
  const begin = seededRandom(seed)(6).reduce((sum, byte) => sum * 256 + byte, 0) % count;
  const at = (index: number) => filled(pattern, String((begin + index) % count).padStart(digits, '0'));
  const skipped = without === undefined ? undefined : indexOf(pattern, without, begin, count);
  const available = skipped === undefined ? count : count - 1;
  return (index) => {
    if (index >= available)
      throw new RangeError(
        `The pattern ${pattern} has ${available} phones, and one more is needed. Please give it more #.`,
      );
    return at(skipped !== undefined && index >= skipped ? index + 1 : index);
  };
}

/** Replaces the # of the pattern by the digits, from left to right. */
function filled(pattern: string, digits: string): string {
  let next = 0;
  return pattern.replaceAll('#', () => digits.charAt(next++));
}

/** The index of a phone in this run, which begins at `begin`; undefined when the pattern does not make it. */
function indexOf(pattern: string, phone: string, begin: number, count: number): number | undefined {
  const [wanted, given] = [pattern.replace(/^\+/, ''), phone.replace(/^\+/, '')];
  if (wanted.length !== given.length) return undefined;
  const digits: string[] = [];
  for (const [index, character] of [...wanted].entries()) {
    if (character === '#') digits.push(given.charAt(index));
    else if (character !== given.charAt(index)) return undefined;
  }
  return (Number(digits.join('')) - begin + count) % count;
}

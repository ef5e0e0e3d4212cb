/** The phones of the invented users. Each run draws others: a server remembers those of earlier runs. */
import type { Random } from '#protocol/time/random.ts';
import type { Phones } from '../adapter.ts';
import type { AdapterSettings } from './schema/schema.ts';

/** The phones of an adapter file, without the one that has no correspondence entry. */
export function phonesOf(
  { phones, unknown, withoutCorrespondence }: AdapterSettings['people'],
  random: Random,
): Phones {
  const strangers = unknown === undefined ? undefined : phonesOfPattern(unknown, random);
  const unknownPhone = (index: number) => strangers?.(index);
  if (typeof phones === 'string')
    return {
      phone: phonesOfPattern(phones, random, withoutCorrespondence),
      phoneCount: Number.POSITIVE_INFINITY,
      unknownPhone,
    };
  const list = phones.filter((phone) => phone !== withoutCorrespondence);
  return { phone: (index) => list[index] as string, phoneCount: list.length, unknownPhone };
}

/** Returns the phone of each index; every # of the pattern is a digit. RangeError beyond the last. */
export function phonesOfPattern(
  pattern: string,
  random: Random,
  without?: string,
): (index: number) => string {
  const digits = pattern.split('#').length - 1;
  const count = 10 ** digits;
  // Six random bytes are a number far above `count`, and one that JavaScript represents exactly.
  const begin = random(6).reduce((sum, byte) => sum * 256 + byte, 0) % count;
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

/** Finds the code in the text of a message, and normalizes the phone that it went to. */
import { phoneKey } from '#protocol/wire/matching.ts';
import { type Candidate, candidatesIn, statedCode } from './numbers-in-text.ts';

/** The code of a message, and what else in it could be one, with # for each digit. */
export type FoundCode = { code: string | undefined; others: readonly string[] };

/**
 * Finds the code in a message: the first group of the pattern, or its whole match. Without a pattern, the
 * only number that can be the code. Where several can, none is chosen: a wrong code would be refused, and
 * the server blamed for it.
 */
export function findCode(text: string, pattern: string | undefined): FoundCode {
  const candidates = candidatesIn(text);
  const match = pattern === undefined ? undefined : new RegExp(pattern, 'u').exec(text);
  const code =
    pattern === undefined ? (statedCode(text) ?? onlyCode(candidates)) : (match?.[1] ?? match?.[0]);
  const digits = code?.replace(/\P{Nd}/gu, '');
  return { code, others: candidates.filter((each) => each.digits !== digits).map(({ shape }) => shape) };
}

/** Says why a message has no code. */
export function noCodeIn(
  others: readonly string[],
  { pattern, at }: { pattern: string | undefined; at: string },
) {
  if (pattern !== undefined) return `the pattern ${pattern} finds no code in it`;
  const write = `Write ${at}, a regular expression whose group is the code, such as "code is (\\\\d{6})"`;
  if (others.length === 0) return `no number of four to eight digits in it can be the code. ${write}`;
  if (others.length === 1) return `it is not sure that ${others[0]} is the code. ${write}`;
  return `several candidates in it could be the code: ${others.join(', ')}. ${write}`;
}

function onlyCode(candidates: readonly Candidate[]): string | undefined {
  const certain = candidates.length === 1 ? candidates : candidates.filter(({ isDoubtful }) => !isDoubtful);
  const [first] = certain;
  if (certain.length !== 1 || !first?.isPlain) return undefined;
  if (candidates.length === 1) return first.isDoubtful && !first.isNamed ? undefined : first.digits;
  return first.isNamed && !candidates.some((each) => each !== first && each.isNamed)
    ? first.digits
    : undefined;
}

/** A phone in the normal form used to compare phones here. */
export function phoneOf(text: string): string {
  return phoneKey(text) ?? text.replace(/\D/g, '');
}

/**
 * Finds the one-time code in the text of a message that the server under test sent, and normalizes phones so
 * that two spellings of one phone are equal.
 */
import { phoneKey } from '#protocol/wire/matching.ts';
import { type Candidate, candidatesIn, statedCode } from './numbers-in-text.ts';

/**
 * The code of a message, undefined where none was found for sure, and the other numbers of the message that
 * could be the code, with # for each digit.
 */
export type FoundCode = { code: string | undefined; others: readonly string[] };

/**
 * Finds the code in a message: the first group of the pattern, or the whole match of a pattern without
 * groups. Without a pattern it is the only number that can be the code. Where several numbers can be it, none
 * is chosen: the server would rightly refuse a wrong number, and be blamed for the refusal.
 */
export function findCode(text: string, pattern: string | undefined): FoundCode {
  const candidates = candidatesIn(text);
  const match = pattern === undefined ? undefined : new RegExp(pattern, 'u').exec(text);
  const code =
    pattern === undefined ? (statedCode(text) ?? onlyCode(candidates)) : (match?.[1] ?? match?.[0]);
  const digits = code?.replace(/\P{Nd}/gu, '');
  return {
    code,
    others: candidates.filter((candidate) => candidate.digits !== digits).map(({ shape }) => shape),
  };
}

/**
 * Says why a message has no code, and what to do; the sentence begins after "and".
 * @param others the candidates that {@link findCode} returned
 * @param what.at the key of the adapter file at which a pattern can be written
 */
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

/**
 * Chooses the code among the candidates. Candidates that seldom are a code, such as a year, are put aside
 * first. The one that remains is the code if the message has no other number, or if a word for a code stands
 * beside this number alone.
 */
function onlyCode(candidates: readonly Candidate[]): string | undefined {
  const certain = candidates.length === 1 ? candidates : candidates.filter(({ isDoubtful }) => !isDoubtful);
  const [first] = certain;
  if (certain.length !== 1 || !first?.isPlain) return undefined;
  if (candidates.length === 1) return first.isDoubtful && !first.isNamed ? undefined : first.digits;
  return first.isNamed && !candidates.some((each) => each !== first && each.isNamed)
    ? first.digits
    : undefined;
}

/** Returns a phone in a form in which equal phones are equal texts; for other texts, their digits. */
export function phoneOf(text: string): string {
  return phoneKey(text) ?? text.replace(/\D/g, '');
}

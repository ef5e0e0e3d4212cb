/** Finds the one-time code in the text of a message, and normalizes phones. */
import { phoneKey } from '#protocol/wire/matching.ts';
import { type Candidate, candidatesIn, statedCode } from './numbers-in-text.ts';

/** The code, if it is sure, and the other numbers that could be it, with # for each digit. */
export type FoundCode = { code: string | undefined; others: readonly string[] };

/** By the pattern, or the only number that can be the code: a wrong guess would blame the server. */
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

/** Says why a message has no code, after "and". `at`: the key for a pattern. */
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

/** The code among the candidates: doubtful ones, such as a year, are put aside first. */
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

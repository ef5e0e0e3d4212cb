/** Writes the test of a fact as a condition of a POSIX shell. */
import { shellQuoted, shellWord, Unsayable } from './shell-words.ts';

/** The name of a member in an answer, and which of this name it is: a number from 1, or `$` for the last. */
export type MemberPlace = { name: string; nth: string };

/** Where the value at a pointer stands in the answer to call number `answer`, counted from 1. */
export type PlaceOf = (answer: number, pointer: string) => MemberPlace;

type TestRule = readonly [pattern: RegExp, write: (found: readonly string[], placeOf: PlaceOf) => string];

/** The command that prints a member of the answer of this number. */
export const memberCommand = (answer: number, { name, nth }: MemberPlace): string =>
  `member ${answer} ${name} ${nth === '$' ? `'$'` : nth}`;

const member = (answer: string, pointer: string, placeOf: PlaceOf) =>
  `"$(${memberCommand(Number(answer), placeOf(Number(answer), pointer))})"`;

/** The tests that a shell can make. `a3` is the answer to call 3. */
const RULES: readonly TestRule[] = [
  [/^(!?)done\(a(\d+)\)$/, ([not, a]) => `${not ? '! ' : ''}succeeded ${a}`],
  [/^told\(a(\d+)\)$/, ([a]) => `told ${a}`],
  [
    /^\[([a\d, ]+)\]\.filter\(\(each\) => done\(each\)\)\.length === (\d+)$/,
    ([all = '', count]) => `[ "$(successes ${all.replace(/[a,]/g, '')})" -eq ${count} ]`,
  ],
  [
    /^\(a(\d+)\?\.status \+ "" \?\? undefined\) === '(\d+)'$/,
    ([a, status]) => `[ "$(status ${a})" = ${status} ]`,
  ],
  [
    /^\(a(\d+)\?\.headers\.get\('([^']+)'\) \?\? undefined\) === undefined$/,
    ([a, name]) => `[ -z "$(header ${a} ${name})" ]`,
  ],
  [
    /^\(a(\d+)\?\.headers\.get\('([^']+)'\) \?\? undefined\) === (['"].*)$/,
    ([a, name, literal = '']) => `[ "$(header ${a} ${name})" = ${shellWord(literal)} ]`,
  ],
  [/^!contains\(a(\d+), (.+)\)$/, ([a, value = '']) => `! contains ${a} ${shellWord(value)}`],
  [
    /^at\(a(\d+)\?\.json, '(\/[^']+)'\) === (-?[\d.]+|true|false|'[^'\\]*'|"(?:[^"\\]|\\.)*")$/,
    ([a = '', pointer = '', literal = ''], placeOf) =>
      `[ ${member(a, pointer, placeOf)} = ${/^['"]/.test(literal) ? shellWord(literal) : shellQuoted(literal)} ]`,
  ],
  [
    /^at\(a(\d+), '\/json(\/[^']+)'\) ([!=])== at\(a(\d+), '\/json(\/[^']+)'\)$/,
    ([a = '', one = '', sign, b = '', other = ''], placeOf) =>
      `[ ${member(a, one, placeOf)} ${sign === '!' ? '!=' : '='} ${member(b, other, placeOf)} ]`,
  ],
];

/** @throws Unsayable for a test that a shell cannot make */
export function shellTest(js: string, placeOf: PlaceOf): string {
  for (const [pattern, write] of RULES) {
    const [, ...found] = pattern.exec(js) ?? [undefined];
    if (pattern.test(js)) return write(found as string[], placeOf);
  }
  throw new Unsayable('its assertion, which looks into JSON more deeply than sed does');
}

/** The head of a script: explains the case to a colleague who has never heard of this project. */
import { requirement } from '#protocol/requirements.ts';
import { addressOf, placesOf } from '#protocol/site.ts';
import { wrap } from '../report/terminal/terminal.ts';
import { harmless } from '../report/words.ts';
import type { Told } from './told.ts';

/** The widest line of a comment without its marks and its indent. */
const WIDTH = 106;

/** The lines of the head. `parties`: who the parties are, and what is to be done before. `one`: the party. */
export function headOf({ check, finding }: Told, parties: readonly string[], one = 'server'): string[] {
  const demands = check.requirements.slice(0, 3).flatMap((id) => {
    const { clause, text } = requirement(id);
    const address = placesOf(clause)[0]?.address ?? addressOf.requirement(id);
    return [...wrapped(`${clause}: ${text}`), `  ${address}`];
  });
  return [
    `A fault of a ${one}, told so that it can be repeated: node case.mjs`,
    '',
    ...wrapped(`What is wrong: ${check.title} — that does not hold.`),
    ...wrapped(`Expected: ${harmless(finding.expected)}. Seen: ${harmless(finding.actual)}.`),
    '',
    'What the interface between the parties requires:',
    ...demands,
    '',
    ...parties,
    '',
    `It ends with 0 and "holds" where the ${one} is right, with 1 and the fault where it is not, and with 2`,
    `where it could not be played. More about it: ${addressOf.check(check.id)}`,
  ];
}

/** Breaks a sentence into lines; all but the first are indented. */
const wrapped = (text: string): string[] =>
  wrap(text, WIDTH).map((line, index) => (index === 0 ? line : `  ${line}`));

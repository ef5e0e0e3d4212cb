/** The adapter file of a recording, and what is left to do. */
import type { Asking } from '../../../engine/cli/init/asking.ts';
import type { SeenExchange } from '../../../engine/learn/exchange.ts';
import type { FileText } from '../../../engine/role.ts';
import { fileText } from '../init/file-text.ts';
import { askChoices, schemaFrom, USUAL_PHONES, variablesToSet } from '../init/questions.ts';
import { learnServer } from './learn.ts';

/** Makes the file of what a recording shows, and asks for the rest. */
export async function learnedFile(
  exchanges: readonly SeenExchange[],
  asking: Asking,
  file: string,
): Promise<FileText> {
  const { text, left, hasPlus, phoneDigits, variables, ...known } = learnServer(exchanges);
  const choices = await askChoices(asking, { ...known, phones: phonesLike(hasPlus, phoneDigits) });
  return {
    text: fileText(choices, schemaFrom(file), text),
    left: [
      ...left,
      variablesToSet(choices),
      ...variables.map((name) => `Set ${name} to what your client sends.`),
    ],
  };
}

/** A pattern of phones to which nothing real can be sent, in the form of those of the recording. */
function phonesLike(hasPlus: boolean, digits: number): string {
  // Ten digits are a Russian phone without the country.
  const pattern = digits === 10 ? USUAL_PHONES.slice(1) : USUAL_PHONES;
  return `${hasPlus ? '+' : ''}${pattern}`;
}

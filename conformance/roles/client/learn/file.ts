/** The file about a client that was recorded, and what is left to do. */
import type { Asking } from '../../../engine/cli/init/asking.ts';
import { InputError } from '../../../engine/input-error.ts';
import type { SeenExchange } from '../../../engine/learn/exchange.ts';
import type { FileText } from '../../../engine/role.ts';
import { askClientChoices, clientFileText } from '../init.ts';
import { leftToDo } from './lacking.ts';
import { seenClient } from './seen-client.ts';

/**
 * Makes the file of what a recording shows, and asks for the rest.
 * @throws InputError when the recording has neither a page nor a call of the interface
 */
export async function learnedFile(exchanges: readonly SeenExchange[], asking: Asking): Promise<FileText> {
  const seen = await seenClient(exchanges);
  if (!seen.address && !seen.auth && !seen.ehr)
    throw new InputError(
      'Failed to learn from the recording: it has neither a page nor a call of the interface. Please record from before the page is opened until after the logout.',
    );
  const choices = await askClientChoices(asking, seen);
  return { text: clientFileText(choices, seen), left: leftToDo(seen, choices) };
}

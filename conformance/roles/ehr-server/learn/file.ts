/** The file about an EHR server that was recorded, and what is left to do. */
import type { Asking } from '../../../engine/cli/init/asking.ts';
import { InputError } from '../../../engine/input-error.ts';
import type { SeenExchange } from '../../../engine/learn/exchange.ts';
import type { FileText } from '../../../engine/role.ts';
import { askEhrChoices, ehrFileText, leftToSet } from '../init.ts';
import { lackingEhr } from './lacking.ts';
import { seenEhr } from './seen-ehr.ts';

/**
 * Makes the file of what a recording shows, and asks for the rest.
 * @throws InputError when the recording has no call of the interface
 */
export async function learnedFile(exchanges: readonly SeenExchange[], asking: Asking): Promise<FileText> {
  const seen = seenEhr(exchanges);
  if (!seen.url && !seen.internalUrl)
    throw new InputError(
      'Failed to learn from the recording: it has no call to an EHR server (JSON-RPC 2.0). Please record while your client connects and opens the record.',
    );
  const choices = await askEhrChoices(asking, seen);
  return { text: ehrFileText(choices, seen), left: [...lackingEhr(seen), ...leftToSet(choices)] };
}

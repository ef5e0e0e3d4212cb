/** What keeps a party from starting, each in a sentence. */
import { AdapterFileError } from '#conformance/engine/party/file/problem.ts';
import { ServerStartError } from '#conformance/engine/party/process/server-process.ts';

/** A party does not start. The message says why, and what to do. */
export class PartyStartError extends Error {
  override name = 'PartyStartError';
}

export function asStartError(error: unknown): unknown {
  const isOfSetUp =
    error instanceof ServerStartError ||
    error instanceof AdapterFileError ||
    String(error).includes('Failed to listen');
  return isOfSetUp ? new PartyStartError((error as Error).message, { cause: error }) : error;
}

/** @throws PartyStartError when msw is not installed, which no other party needs */
export async function loadMswPair() {
  try {
    return await import('./msw-pair.ts');
  } catch (cause) {
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((cause as { code: string }).code)) throw cause;
    const message = 'The handlers for msw need msw, which is not installed: npm install msw';
    throw new PartyStartError(message, { cause });
  }
}

/** Helpers of checks about the calls to the EHR server, and how they were answered. */
import { errorTable } from '#protocol/wire/errors.ts';
import type { ExchangeEntry } from '../../engine/journal/entry.ts';
import type { PlayedStep } from '../../engine/journal/view.ts';

// The two methods of the internal channel: they save a session, and an exchange token.
export const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';

export function sentTo(played: PlayedStep, method: string): ExchangeEntry[] {
  return played.exchanges.filter(({ link, facts }) => link === 'auth->ehr' && facts.call?.method === method);
}

/** How the EHR server answered, after "it was": "refused with code -33000 (not_authorized)". */
export function replyWords({ facts: { reply }, response, broke }: ExchangeEntry): string {
  if (reply && !reply.result && reply.code === undefined) return 'answered with an error without a code';
  if (reply && !reply.result)
    return `refused with code ${reply.code}${reply.reason === undefined ? '' : ` (${reply.reason})`}`;
  if (response) return `answered with HTTP ${response.status}`;
  return broke === 'timeout' ? 'not answered' : 'not answered: the connection broke';
}

/** The mistake of a first sign-in by a listed phone: a save with a signature of an earlier run is no fault. */
export const REMEMBERED = 'an earlier run may have linked this phone';

/** The token that a save makes known to the EHR server: the exchange token, or the token of the session. */
export function tokenOf({ facts: { call } }: ExchangeEntry): string | undefined {
  return call?.method === SAVE_EXCHANGE_TOKEN ? call.exchangeToken : call?.token;
}

/** The codes by which the EHR server says that it has stored a token already. */
const STORED_ALREADY: readonly number[] = [
  errorTable.token_already_stored.code,
  errorTable.exchange_token_already_stored.code,
];

/** Whether the token was stored already by the server's own save of it, whose answer was lost. */
export function isOwnRepeat(save: ExchangeEntry, saves: readonly ExchangeEntry[]): boolean {
  const { call, reply } = save.facts;
  if (reply?.code === undefined || !STORED_ALREADY.includes(reply.code)) return false;
  return saves.some(
    ({ seq, response, broke, facts: { call: before } }) =>
      // An answer may be lost on its way: then the kit has one, and the server has none.
      (!response || broke) &&
      seq < save.seq &&
      before?.method === call?.method &&
      before?.exchangeToken === call?.exchangeToken &&
      before?.user === call?.user &&
      before?.token === call?.token,
  );
}

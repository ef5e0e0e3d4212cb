/**
 * Helpers of checks about the calls of the authorization server to the EHR server, the internal channel:
 * which were sent, and how they were answered.
 */

import type { ExchangeEntry } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';

/**
 * The calls with this method that the authorization server sent to the EHR server during the step, in order.
 */
export function sentTo(played: PlayedStep, method: string): ExchangeEntry[] {
  return played.exchanges.filter(({ link, facts }) => link === 'auth->ehr' && facts.call?.method === method);
}

/** Whether the client got an error: a refusal, or an error of the server such as HTTP 500. */
export function wasTold({ result }: PlayedStep): boolean {
  return result.kind === 'refused' || (result.kind === 'failed' && result.what === 'server-error');
}

/**
 * Says in words how the EHR server answered the call, to follow "it was": "refused with code -33000
 * (not_authorized)". A part that is missing in the answer is left out.
 */
export function replyWords({ facts: { reply }, response, broke }: ExchangeEntry): string {
  if (reply && !reply.result && reply.code === undefined) return 'answered with an error without a code';
  if (reply && !reply.result)
    return `refused with code ${reply.code}${reply.reason === undefined ? '' : ` (${reply.reason})`}`;
  if (response) return `answered with HTTP ${response.status}`;
  return broke === 'timeout' ? 'not answered' : 'not answered: the connection broke';
}

// The two methods of the internal channel: they save a session, and an exchange token.
export const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
/**
 * Whether the EHR server accepted any call in the run. Until one is accepted, little of the others can be
 * judged.
 */
export const hasAcceptedCall = ({ internalCalls }: JournalView) =>
  internalCalls.some(({ facts }) => facts.reply?.result);
// Why such checks judge nothing.
export const NO_ACCEPTED_CALL = 'the EHR server accepted no call of the server under test';
export const NO_INTERNAL_CALLS = 'the server under test sent no call to the EHR server';

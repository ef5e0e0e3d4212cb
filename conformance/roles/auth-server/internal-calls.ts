/** What checks ask of the calls to the EHR server, and how they tell of them. */

import type { ExchangeEntry } from '../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../engine/journal/view.ts';

/** The calls of a step to the EHR server with this method. */
export function sentTo(played: PlayedStep, method: string): ExchangeEntry[] {
  return played.exchanges.filter(({ link, facts }) => link === 'auth->ehr' && facts.call?.method === method);
}

/** Whether the client got an error that it can understand. */
export function wasTold({ result }: PlayedStep): boolean {
  return result.kind === 'refused' || (result.kind === 'failed' && result.what === 'server-error');
}

/** Describes how the EHR server answered an exchange; never says "undefined". */
export function replyWords({ facts: { reply }, response, broke }: ExchangeEntry): string {
  if (reply && !reply.result && reply.code === undefined) return 'answered with an error without a code';
  if (reply && !reply.result)
    return `refused with code ${reply.code}${reply.reason === undefined ? '' : ` (${reply.reason})`}`;
  if (response) return `answered with HTTP ${response.status}`;
  return broke === 'timeout' ? 'not answered' : 'not answered: the connection broke';
}

export const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
/** Whether the EHR server accepted a call: before, hardly an answer or a signature came of any. */
export const hasAcceptedCall = ({ internalCalls }: JournalView) =>
  internalCalls.some(({ facts }) => facts.reply?.result);
export const NO_ACCEPTED_CALL = 'the EHR server accepted no call of the server under test';
export const NO_INTERNAL_CALLS = 'the server under test sent no call to the EHR server';

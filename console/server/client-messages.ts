/**
 * What a single message of a client shows to be wrong. Several clients may be at work here at once, and
 * nobody can tell them apart: what needs the course of one client is not judged live.
 */

import type { Entry, ExchangeEntry, ObservationEntry } from '#conformance/engine/journal/entry.ts';
import { messageRules } from '#conformance/roles/client/flows/every-step/message-rules.ts';
import { messageCheck } from '#conformance/roles/client/flows/every-step/rules.ts';
import { callIn, labelOf, type MessageRule } from '#conformance/roles/client/servers/calls.ts';
import { Handed } from '#conformance/roles/client/servers/handed.ts';
import { faultsOf } from '#conformance/roles/client/servers/messages.ts';

const OF_ONE_MESSAGE: ReadonlySet<MessageRule> = new Set([
  'post-json',
  'path',
  'envelope',
  'method',
  'params',
  'no-cred',
  'authenticate-params',
  'date-form',
  'removal-params',
]);

/** The checks of a client that one message is enough for. */
export const singleMessageChecks = messageRules
  .filter(
    ({ isOfTyped, breaks }) => !isOfTyped && (typeof breaks === 'function' || OF_ONE_MESSAGE.has(breaks)),
  )
  .map(messageCheck);

/** Calls that a developer makes: no method of the interface. */
const OF_DEVELOPERS: ReadonlySet<unknown> = new Set(['rpc.discover', 'auth.login']);

/** Whether an entry is not a call of a client: a page that is asked for, a look at what a server can do. */
export function isBesideCalls(entry: Entry): boolean {
  if (entry.kind !== 'exchange') return false;
  const { method, body } = entry.request;
  return (body === '' && /^(?:GET|HEAD)$/.test(method)) || OF_DEVELOPERS.has(callIn(body)?.method);
}

export type Surroundings = {
  /** Signatures that the EHR server gave. */
  signs: ReadonlySet<string>;
  /** The version segment of the EHR endpoint. */
  apiVersion: string;
};

/** The rules that a message breaks, as entries in its place. @param exchange in clear */
export function brokenRules(
  exchange: ExchangeEntry,
  { signs, apiVersion }: Surroundings,
): ObservationEntry[] {
  const { link, seq, at } = exchange;
  if ((link !== 'client->auth' && link !== 'client->ehr') || isBesideCalls(exchange)) return [];
  const to = link === 'client->auth' ? 'auth' : 'ehr';
  const known = { ...new Handed().known(to), signs };
  return faultsOf(to, exchange, known, apiVersion)
    .filter(({ rule }) => OF_ONE_MESSAGE.has(rule))
    .map(({ rule, method, what }) => {
      return {
        kind: 'observation',
        seq,
        at,
        scenario: '',
        label: labelOf(rule),
        values: { to, method, what },
      };
    });
}

/** Infers from a recording what the file about an EHR server says of it. */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { headerIn, type SeenExchange } from '../../../engine/learn/exchange.ts';
import { addressOf, callsIn, type SeenCall } from '../../../engine/learn/seen-calls.ts';
import type { SeenFact } from '../../../engine/learn/seen-fact.ts';
import { type TtlUnit, ttlUnitIn } from './ttl-unit.ts';

/** What a recording shows of an EHR server. A member is absent where it shows nothing of it. */
export type SeenEhr = {
  /** The public endpoint. */
  url?: SeenFact<string> | undefined;
  /** The endpoint of the internal channel; the public one where both are one. */
  internalUrl?: SeenFact<string> | undefined;
  replyId?: SeenFact<'string' | 'echo'> | undefined;
  ttlUnit?: SeenFact<TtlUnit> | undefined;
  /** A web origin whose pages may call. */
  origin?: SeenFact<string> | undefined;
};

/** Infers all of it. */
export function seenEhr(exchanges: readonly SeenExchange[]): SeenEhr {
  const [client, internal] = [callsIn(exchanges, METHODS.client), callsIn(exchanges, METHODS.internal)];
  const calls = [...client, ...internal].toSorted((a, b) => a.number - b.number);
  const url = endpointOf(client);
  return {
    url,
    internalUrl: endpointOf(internal),
    replyId: replyIdIn(calls),
    ttlUnit: ttlUnitIn(calls),
    origin: originIn(exchanges, url?.value),
  };
}

const methodsOf = (access: 'client' | 'internal'): ReadonlySet<string> =>
  new Set(Object.entries(ehrMethods).flatMap(([name, spec]) => (spec.access === access ? [name] : [])));

const METHODS = { client: methodsOf('client'), internal: methodsOf('internal') };

/** The address to which most of these calls went, among those that had a reply if there are any. */
function endpointOf(calls: readonly SeenCall[]): SeenFact<string> | undefined {
  const replied = calls.filter(({ reply }) => 'result' in reply || 'error' in reply);
  const counted = new Map<string, SeenCall[]>();
  for (const call of replied.length > 0 ? replied : calls)
    counted.set(call.endpoint, [...(counted.get(call.endpoint) ?? []), call]);
  const [most] = [...counted].toSorted(([, a], [, b]) => b.length - a.length);
  const [value, [first, ...others]] = most ?? ['', []];
  if (!first) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return { value, because: `${first.method} was sent there (request ${first.number}${more})` };
}

/** Only a number that is sent tells the form of ids: a text comes back as a text either way. */
function replyIdIn(calls: readonly SeenCall[]): SeenEhr['replyId'] {
  for (const { id, reply, number } of calls) {
    if (typeof id !== 'number') continue;
    if (reply.id === id)
      return { value: 'echo', because: `a number came back as a number (request ${number})` };
    if (reply.id === String(id))
      return { value: 'string', because: `a number came back as a text (request ${number})` };
  }
  return undefined;
}

/** The origin of a page that the server let read its answer, or send a call. */
function originIn(exchanges: readonly SeenExchange[], url: string | undefined): SeenEhr['origin'] {
  for (const { number, request, answer } of exchanges) {
    const [origin, allowed] = [
      headerIn(request.headers, 'origin'),
      headerIn(answer.headers, 'access-control-allow-origin'),
    ];
    const isAllowed = allowed === '*' || allowed === origin;
    if (addressOf(request.url) === url && origin !== undefined && isAllowed && URL.canParse(origin))
      return {
        value: new URL(origin).origin,
        because: `Access-Control-Allow-Origin names it (request ${number})`,
      };
  }
  return undefined;
}

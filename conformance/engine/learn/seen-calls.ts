/** The calls of JSON-RPC 2.0 in a recording, each with its reply. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { SeenExchange } from './exchange.ts';

/** A call that stood alone in its request. */
export type SeenCall = {
  /** The number of its exchange in the recording. */
  readonly number: number;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly startedAt: number;
  /** The address without user, password, query and fragment. */
  readonly endpoint: string;
  readonly method: string;
  readonly id: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly cred: Readonly<Record<string, unknown>>;
  /** Empty: the call had no reply. */
  readonly reply: Readonly<Record<string, unknown>>;
};

/** The calls of these methods, in order of time. */
export function callsIn(exchanges: readonly SeenExchange[], methods: ReadonlySet<string>): SeenCall[] {
  return exchanges.flatMap(({ number, startedAt, request, answer }) => {
    const { method, id, params, cred } = membersOf(request.body);
    if (typeof method !== 'string' || !methods.has(method)) return [];
    const members = { params: isObject(params) ? params : {}, cred: isObject(cred) ? cred : {} };
    const endpoint = addressOf(request.url);
    return [{ number, startedAt, endpoint, method, id, ...members, reply: membersOf(answer.body) }];
  });
}

const membersOf = (body: SeenExchange['request']['body']): Record<string, unknown> =>
  body.kind === 'json' && isObject(body.json) ? body.json : {};

/** An address without what may be a secret. */
export const addressOf = ({ origin, pathname }: URL): string => origin + pathname;

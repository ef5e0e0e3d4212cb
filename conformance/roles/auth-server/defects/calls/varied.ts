/** How a variant differs from the reference: other parts, or another way from request to answer. */

import type { Context } from '#mock-auth-server/context.ts';
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import { randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import type { Defect } from '../defect.ts';

/** A call as a client sends it. Some steps send a `cred` without its token: what needs one throws then. */
export type Call = {
  jsonrpc: string;
  id: unknown;
  method: string;
  params: Record<string, unknown>;
  cred?: { user: string; token: string };
};

export function withContext(
  id: string,
  title: string,
  caughtBy: string,
  context: (context: Context) => Context,
  more: Partial<Defect> = {},
): Defect {
  return { id, title, caughtBy, variation: () => ({ context }), ...more };
}

export function withPipeline(
  id: string,
  title: string,
  caughtBy: string,
  make: (context: Context) => (call: Call, pass: (call: Call) => Promise<Reply>) => Promise<Reply>,
  more: Partial<Defect> = {},
): Defect {
  return {
    id,
    title,
    caughtBy,
    variation: () => ({ pipeline: (pipeline, context) => intercept(pipeline, make(context)) }),
    ...more,
  };
}

export type Reply = {
  jsonrpc: string;
  id: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: { reason: string } };
};

/** The single call in a body; undefined for a batch and for anything that is no call. */
export function callIn(text: string): Call | undefined {
  const value = tryJson(text)?.value;
  return isObject(value) && typeof value.method === 'string' && isObject(value.params ?? {})
    ? ({ params: {}, ...value } as unknown as Call)
    : undefined;
}

/**
 * Passes each single call to `handle`, which decides on its reply. A call that it leaves as it is goes on as
 * it came, with every member that stands twice.
 */
export function intercept(
  pipeline: TextPipeline,
  handle: (call: Call, pass: (call: Call) => Promise<Reply>) => Promise<Reply>,
): TextPipeline {
  return async (text, channel) => {
    const given = callIn(text);
    if (!given) return pipeline(text, channel);
    const pass = async (call: Call) =>
      JSON.parse((await pipeline(call === given ? text : JSON.stringify(call), channel)).body ?? '{}') as Reply;
    try {
      return { body: JSON.stringify(await handle(given, pass)) };
    } catch (error) {
      return { body: JSON.stringify(errorReply(given, error)) };
    }
  };
}

/** A call that fails before it is passed on is answered as every other. */
function errorReply({ id }: Call, error: unknown): Reply {
  const known = error instanceof RpcError ? error : new RpcError('internal_error', { cause: error });
  return { jsonrpc: '2.0', id, error: { ...known.toObject() } };
}

/** The token of the last sign-in: a variable that requests share. */
export function lastSession() {
  let last: { user: string; token: string } | undefined;
  return {
    seen(reply: Reply) {
      const info = reply.result?.authInfo as { user: string; token: string } | undefined;
      if (info) last = { user: info.user, token: info.token };
    },
    get: () => last,
  };
}

/** A session that nobody signed in for. */
export function addedSession({ store, random, clock }: Context, user: string) {
  const token = randomToken(random);
  const [createdAt, expiresAt] = [clock.now(), clock.now() + CODE_LIFETIME_MS];
  store.sessions.add({ tokenHash: hashToken(token), user, internalId: undefined, createdAt, expiresAt });
  return { user, token, ttl: CODE_LIFETIME_MS / 60_000 };
}

export const codeOf = (context: Context, phone: unknown) =>
  context.outbox.list({ to: { kind: 'phone', value: String(phone) } }).messages;

/** A code of the reference for a phone. Neither pause nor cap apply to it, and neither counts it. */
export function freshCode({ store, codes }: Context, phone: string): string {
  return withoutLimits(store, () => store.atomically(() => codes.issue({ kind: 'phone', value: phone })));
}

/** Acts as if nothing had been sent yet, and counts nothing. */
export function withoutLimits<T>({ sendings }: Context['store'], act: () => T): T {
  const own = { ...sendings };
  Object.assign(sendings, { since: () => ({ count: 0, last: null }), add: () => undefined });
  try {
    return act();
  } finally {
    Object.assign(sendings, own);
  }
}

/** Confirms all codes that `accepts` matches, by replacing them with a fresh one. */
export function acceptsCode(
  id: string,
  title: string,
  caughtBy: string,
  accepts: (context: Context, params: Record<string, unknown>, memory: Set<string>) => boolean,
): Defect {
  return withPipeline(id, title, caughtBy, (context) => {
    const memory = new Set<string>();
    return async (call, pass) => {
      if (call.method !== 'auth.confirm_otp') return pass(call);
      const first = await pass(call);
      if (first.result || !accepts(context, call.params, memory)) return first;
      // Makes the reference draw a fresh code, which is sent to nobody and confirmed at once.
      const code = freshCode(context, String(call.params.phone));
      return pass({ ...call, params: { ...call.params, code } });
    };
  });
}

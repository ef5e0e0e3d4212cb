/** The ways in which a variant differs from the reference: other parts, or another way from a request to its answer. */

import type { Context } from '#mock-auth-server/context.ts';
import type { Pipeline } from '#protocol/pipeline.ts';
import type { Defect } from './defect.ts';

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
): Defect {
  return {
    id,
    title,
    caughtBy,
    variation: () => ({ pipeline: (pipeline, context) => intercept(pipeline, make(context)) }),
  };
}

export type Reply = {
  jsonrpc: string;
  id: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: { reason: string } };
};

/** Lets `handle` see each single call and decide on its reply. */
function intercept(
  pipeline: Pipeline,
  handle: (call: Call, pass: (call: Call) => Promise<Reply>) => Promise<Reply>,
): Pipeline {
  return async (text, channel) => {
    const pass = async (call: Call) =>
      JSON.parse((await pipeline(JSON.stringify(call), channel)).body ?? '{}') as Reply;
    return { body: JSON.stringify(await handle(JSON.parse(text) as Call, pass)) };
  };
}

/** The token of whoever signed in last: a variable that requests share. */
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

export const codeOf = (context: Context, phone: unknown) =>
  context.outbox.list({ to: { kind: 'phone', value: String(phone) } }).messages;

/** Confirms whatever `accepts` accepts, by putting the newest code in its place. */
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
      // The reference is made to send a fresh code, which is confirmed at once.
      const phone = call.params.phone;
      context.store.codes.remove({ kind: 'phone', value: String(phone) });
      await pass({ ...call, method: 'auth.request_otp', params: { phone } });
      return pass({ ...call, params: { ...call.params, code: codeOf(context, phone)[0]?.code } });
    };
  });
}

/** The mock with a difference, composed of the public parts of the right one. */
import type { Context } from '#mock-auth-server/context.ts';
import { createHandler } from '#mock-auth-server/handle.ts';
import { type AuthServer, type AuthServerParts, openAuthServer } from '#mock-auth-server/index.ts';
import type { EhrMethod } from '#protocol/methods/ehr-methods.ts';
import { onText, type TextPipeline } from '#protocol/methods/pipeline.ts';

export type Variation = {
  /** Computes `cred.token` of the calls to the EHR server. */
  digest?: (password: string, secret: string, method: EhrMethod) => string;
  /** Replaces parts that the methods work with. */
  context?: (context: Context) => Context;
  /** Replaces the pipeline. */
  pipeline?: (pipeline: TextPipeline, context: Context) => TextPipeline;
};

type EhrCall = {
  method: EhrMethod;
  params: { exchangeToken?: string; authInfo: { token: string } };
  cred: { token: string };
};

/** Starts the mock with this difference. */
export async function startWrongMock(parts: AuthServerParts, variation: Variation = {}): Promise<AuthServer> {
  /** The signature with which each session token is saved. */
  const signs = new Map<string, string>();
  const { fetch: right = (...args) => fetch(...args) } = parts;
  const send: typeof fetch = (input, init) => {
    const { digest } = variation;
    if (!digest) return right(input, init);
    const call = JSON.parse(String(init?.body)) as EhrCall;
    const { exchangeToken, authInfo } = call.params;
    const secret = exchangeToken ?? signs.get(authInfo.token) ?? '';
    call.cred.token = digest(parts.config.internalPassword, secret, call.method);
    return right(input, { ...init, body: JSON.stringify(call) });
  };
  const given = parts.fetch || variation.digest ? { ...parts, fetch: send } : parts;
  const { context, listen } = await openAuthServer(given);
  const { saveAuthInfo } = context.ehr;
  context.ehr.saveAuthInfo = (info, sign) => {
    signs.set(info.token, sign);
    return saveAuthInfo(info, sign);
  };
  const varied = variation.context?.(context) ?? context;
  const pipeline = onText(createHandler(varied, () => undefined));
  const answer = variation.pipeline?.(pipeline, varied) ?? pipeline;
  return listen(({ text }, channel) => answer(text, channel));
}

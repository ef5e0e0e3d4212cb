/** Calls the EHR server over the internal channel (§4.1, §4.2). Each way to fail has its own error. */

import type { EhrMethod } from '#protocol/methods/ehr-methods.ts';
import { type Clock, deadline } from '#protocol/time/clock.ts';
import { callText, isObject, readReply } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { readText } from '#protocol/wire/read-text.ts';

export type AuthInfo = { user: string; token: string; ttl: number };

/** An error reply of the EHR server: its code, and its reason if it names one. */
export type Refusal = { code: number; reason?: string };

/** Resolves to a refusal, or undefined for success. After an `ehr_…` error nothing is sent twice. */
export type EhrClient = {
  saveAuthInfo(authInfo: AuthInfo, userSign: string): Promise<Refusal | undefined>;
  saveExchangeToken(exchangeToken: string, authInfo: AuthInfo): Promise<Refusal | undefined>;
  /** Abort the calls under way. They fail as unreachable. */
  close(): void;
};

export type EhrClientSettings = {
  ehrUrl: string;
  /** Version segment of its endpoint; may be empty. */
  apiVersion: string;
  internalUser: string;
  internalPassword: string;
  /** How long it may take for its whole answer, in milliseconds. */
  ehrTimeout: number;
};

export type EhrClientParts = {
  config: EhrClientSettings;
  clock: Clock;
  log: { warn(detail: object, message: string): void };
  fetch?: typeof fetch | undefined;
};

/** The largest reply of the EHR server. */
const MAX_REPLY_BYTES = 64 * 1024;

export function createEhrClient({
  config,
  clock,
  log,
  fetch: send = (...args) => fetch(...args),
}: EhrClientParts): EhrClient {
  const endpoint = ehrEndpoint(config);
  const underWay = new Set<AbortController>();
  let lastId = 0;

  async function call(
    method: EhrMethod,
    params: Record<string, unknown>,
    secret: string,
  ): Promise<Refusal | undefined> {
    const id = ++lastId;
    const cred = { user: config.internalUser, token: digest(config.internalPassword, secret) };
    const closing = new AbortController();
    const timeout = deadline(clock, config.ehrTimeout, new Error('The EHR server took too long.'));
    underWay.add(closing);
    try {
      const signal = AbortSignal.any([timeout.signal, closing.signal]);
      const text = await replyTo(send(endpoint, requestOf(callText({ id, method, params, cred }), signal)));
      return refusalOf(text, id);
    } catch (error) {
      const failure = timeout.signal.aborted ? new RpcError('ehr_timeout') : (error as RpcError);
      log.warn(
        { method, reason: failure.reason, detail: detailOf(failure.cause) },
        'call to the EHR server failed',
      );
      throw failure;
    } finally {
      timeout.cancel();
      underWay.delete(closing);
    }
  }

  return {
    saveAuthInfo: (authInfo, userSign) => call('embedded_storage.save_auth_info', { authInfo }, userSign),
    saveExchangeToken: (exchangeToken, authInfo) =>
      call('embedded_storage.save_exchange_token', { exchangeToken, authInfo }, exchangeToken),
    close() {
      for (const controller of underWay) controller.abort(new Error('The authorization server stops.'));
    },
  };
}

/** The EHR server's endpoint (§9): the base URL, the version segment if there is one, and a slash. */
export function ehrEndpoint({
  ehrUrl,
  apiVersion,
}: Pick<EhrClientSettings, 'ehrUrl' | 'apiVersion'>): string {
  return apiVersion === '' ? `${ehrUrl}/` : `${ehrUrl}/${apiVersion}/`;
}

function requestOf(body: string, signal: AbortSignal): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body,
    signal,
    // A redirect counts as a bad reply, so the credentials are sent nowhere else.
    redirect: 'manual',
  };
}

/** @throws RpcError `ehr_unreachable`, `ehr_bad_reply` */
async function replyTo(request: Promise<Response>): Promise<string> {
  const response = await request.catch((cause: unknown) => {
    throw new RpcError('ehr_unreachable', { cause });
  });
  try {
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new TypeError(`The HTTP status is ${response.status}.`);
    }
    return await readText(response, MAX_REPLY_BYTES);
  } catch (cause) {
    throw new RpcError('ehr_bad_reply', { cause });
  }
}

export function ehrRefused(refusal: Refusal): RpcError {
  return new RpcError('ehr_refused', { ehr: refusal });
}

const REASON_SHAPE = /^[a-z][a-z0-9_]{0,63}$/;

function refusalOf(text: string, id: number): Refusal | undefined {
  let reply: ReturnType<typeof readReply>;
  try {
    reply = readReply(text, id);
  } catch (cause) {
    throw new RpcError('ehr_bad_reply', { cause });
  }
  if ('result' in reply) return undefined;
  const { code, data } = reply.error;
  // The client gets only a name, never a free text of the EHR server.
  const reason =
    isObject(data) && typeof data.reason === 'string' && REASON_SHAPE.test(data.reason)
      ? data.reason
      : undefined;
  return { code, ...(reason !== undefined && { reason }) };
}

/** A system error code or our own sentence, never a text of the other side. */
function detailOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code } = (cause.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}

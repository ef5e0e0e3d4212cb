/** The calls to the EHR server over the internal channel (§4.1, §4.2), each with the digest of §5 and a clear error for each way it can fail. */
import { type Clock, deadline } from '#protocol/clock.ts';
import { digest } from '#protocol/digest.ts';
import type { EhrMethod } from '#protocol/ehr-methods.ts';
import { callText, isObject, readReply } from '#protocol/envelope.ts';
import { RpcError } from '#protocol/errors.ts';
import type { Log } from '#service/log.ts';
import { type AuthConfig, ehrEndpoint } from './config.ts';
import { readText } from './read-text.ts';

export type AuthInfo = { user: string; token: string; ttl: number };

/** An error that the EHR server answered with: its code, and its reason where it names one. */
export type Refusal = { code: number; reason?: string };

/**
 * Each call resolves to undefined when the EHR server has done it, and to its refusal when it answered with an error.
 * @throws RpcError `ehr_unreachable`, `ehr_timeout`, `ehr_bad_reply`. Whether the EHR server did the call is unknown
 *   then, so nothing is sent twice; the next attempt comes with a token of its own.
 */
export type EhrClient = {
  saveAuthInfo(authInfo: AuthInfo, userSign: string): Promise<Refusal | undefined>;
  saveExchangeToken(exchangeToken: string, authInfo: AuthInfo): Promise<Refusal | undefined>;
  /** Gives up the calls under way, as unreachable. */
  close(): void;
};

/** Makes `cred.token` of a call out of the internal password and the secret of that call (§5). */
export type Digest = (password: string, secret: string, method: EhrMethod) => string;

export type EhrClientParts = {
  config: AuthConfig;
  clock: Clock;
  log: Log;
  fetch?: typeof fetch | undefined;
  /** The digest of §5 unless given. */
  digest?: Digest | undefined;
};

/** Largest reply of the EHR server in bytes. */
const MAX_REPLY_BYTES = 64 * 1024;

export function createEhrClient({
  config,
  clock,
  log,
  fetch: send = (...args) => fetch(...args),
  digest: tokenOf = digest,
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
    const cred = { user: config.internalUser, token: tokenOf(config.internalPassword, secret, method) };
    const closing = new AbortController();
    const timeout = deadline(clock, config.ehrTimeout, new Error('The EHR server took too long.'));
    underWay.add(closing);
    try {
      const signal = AbortSignal.any([timeout.signal, closing.signal]);
      const text = await exchange(callText({ id, method, params, cred }), signal);
      return refusalOf(text, id);
    } catch (error) {
      const failure = timeout.signal.aborted ? new RpcError('ehr_timeout') : (error as RpcError);
      log.warn({ method, reason: failure.reason, detail: detailOf(failure.cause) }, 'call to the EHR server failed');
      throw failure;
    } finally {
      timeout.cancel();
      underWay.delete(closing);
    }
  }

  async function exchange(body: string, signal: AbortSignal): Promise<string> {
    const response = await send(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal,
      // A redirect is answered as the bad reply it is: the credentials go nowhere else.
      redirect: 'manual',
    }).catch((cause: unknown) => {
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

  return {
    saveAuthInfo: (authInfo, userSign) => call('embedded_storage.save_auth_info', { authInfo }, userSign),
    saveExchangeToken: (exchangeToken, authInfo) =>
      call('embedded_storage.save_exchange_token', { exchangeToken, authInfo }, exchangeToken),
    close() {
      for (const controller of underWay) controller.abort(new Error('The authorization server stops.'));
    },
  };
}

/** The error with which a refusal is passed on to the client. */
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
  // What goes on to the client is a name, never a text that the EHR server made up.
  const reason =
    isObject(data) && typeof data.reason === 'string' && REASON_SHAPE.test(data.reason) ? data.reason : undefined;
  return { code, ...(reason !== undefined && { reason }) };
}

/** What the log may say of a failure: a system error code, or our own sentence; never a text of the other side. */
function detailOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code } = (cause.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}

/** The only file that uses the network: calls to the two servers, and the client's own settings. */
import { z } from 'zod';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type MethodSpec, reasonsOf } from '#protocol/methods/method-spec.ts';
import { type Clock, deadline } from '#protocol/time/clock.ts';
import { callText, isObject, membersOf, readReply } from '#protocol/wire/envelope.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { readText } from '#protocol/wire/read-text.ts';
import type { Call, Failure, Outcome, ServerName } from './calls.ts';

/** The settings that the client's own server returns at `/config.json`. */
export const clientConfig = z.object({
  ehrUrl: z.url({ protocol: /^https?$/ }),
  /** May be empty: the endpoint is then the base address itself (decision 1). */
  apiVersion: z.string(),
  authUrl: z.url({ protocol: /^https?$/ }),
  /** A page that shows the simulated text messages. Absent where real ones are sent. */
  smsUrl: z.url({ protocol: /^https?$/ }).optional(),
  ttlUnit: z.enum(['minutes', 'seconds']),
});
export type ClientConfig = z.output<typeof clientConfig>;

/** One HTTP exchange as it happened. It contains secrets: mask it before keeping it. */
export type Exchange = { id: number; server: ServerName; method: string; request: unknown } & (
  | { phase: 'sent'; at: number }
  | { phase: 'settled'; at: number; reply: unknown; outcome: Outcome }
);

export type Rpc = {
  /** Makes one call. Never rejects: every failure is an outcome that names the server. */
  call(call: Call): Promise<Outcome>;
};

export type RpcOptions = {
  config: ClientConfig;
  clock: Clock;
  observe?: (exchange: Exchange) => void;
  /** The browser's own by default. Tests supply another. */
  fetch?: typeof globalThis.fetch;
};

/** A call is aborted when its answer is not complete after this time (ms). */
export const CALL_TIMEOUT_MS = 10_000;

/** Maximum length of an answer in bytes. A record with a photo fits. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024;

export function createRpc(options: RpcOptions): Rpc {
  const { config, clock, observe } = options;
  const fetchNow = options.fetch ?? globalThis.fetch.bind(globalThis);
  const endpoints: Record<ServerName, string> = {
    auth: `${trimSlash(config.authUrl)}/`,
    ehr: `${trimSlash(config.ehrUrl)}/${config.apiVersion === '' ? '' : `${config.apiVersion}/`}`,
  };
  let lastId = 0;

  return {
    async call(call) {
      const id = ++lastId;
      const { server, method } = call;
      const text = callText({ id, ...call });
      const request: unknown = JSON.parse(text);
      observe?.({ id, server, method, request, phase: 'sent', at: clock.now() });
      const { reply, outcome } = await exchange({ clock, fetchNow }, endpoints[server], text, id, call);
      observe?.({ id, server, method, request, phase: 'settled', at: clock.now(), reply, outcome });
      return outcome;
    },
  };
}

/** Sends one call and reads its reply. */
async function exchange(
  { clock, fetchNow }: { clock: Clock; fetchNow: typeof globalThis.fetch },
  url: string,
  body: string,
  id: number,
  call: Call,
): Promise<{ reply: unknown; outcome: Outcome }> {
  const { server } = call;
  const failed = (failure: Failure, reply?: unknown) => ({ reply, outcome: { ok: false, failure } as const });
  const { signal, cancel } = deadline(
    clock,
    CALL_TIMEOUT_MS,
    new Error('The server did not answer in time.'),
  );
  let response: Response | undefined;
  let text: string;
  try {
    response = await fetchNow(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'include',
      cache: 'no-store',
      // Patient data must not follow a redirect to another address.
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal,
    });
    if (response.status !== 200) return failed({ kind: 'http', server, status: response.status });
    text = await readText(response, MAX_REPLY_BYTES);
  } catch {
    // A browser does not say why. An answer that began and broke off came from a server that is there.
    return failed({ kind: signal.aborted ? 'timeout' : response ? 'nonsense' : 'unreachable', server });
  } finally {
    cancel();
  }
  try {
    const reply = readReply(text, id);
    if ('error' in reply) return failed(refusal(call, reply.error), JSON.parse(text));
    const result = hasNoRecord(call, reply.result)
      ? undefined
      : specOf(call).result.parse(withBothNames(reply.result));
    return { reply: JSON.parse(text), outcome: { ok: true, result } as Outcome };
  } catch {
    // The answer is not JSON, no reply to this call, or a result of the wrong shape. A patient sees the
    // same message for all.
    return failed({ kind: 'nonsense', server });
  }
}

/** Fetches the client's settings from its own server. @throws Error when they cannot be fetched or used */
export async function loadConfig(
  clock: Clock,
  fetchNow: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Promise<ClientConfig> {
  const { signal, cancel } = deadline(clock, CALL_TIMEOUT_MS, new Error('no answer within ten seconds'));
  try {
    const response = await fetchNow('/config.json', { cache: 'no-store', signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const settings = clientConfig.safeParse(await response.json().catch(() => undefined));
    if (!settings.success) throw new Error('The answer has no settings.');
    return settings.data;
  } finally {
    cancel();
  }
}

function specOf({ method }: Call): MethodSpec {
  const specs: Record<string, MethodSpec> = { ...ehrMethods, ...authMethods };
  return specs[method] as MethodSpec;
}

/** Whether the EHR server leaves the record to `patient.get_patient`, as it may (§4.3). */
function hasNoRecord({ method }: Call, result: unknown): boolean {
  return method === 'embedded_storage.authenticate' && isObject(result) && !('patient' in result);
}

/** The signature has two names, of which another server may send one (§2.6). An empty one is none. */
function withBothNames(result: unknown): unknown {
  if (!isObject(result) || !('user_sign' in result || 'userSign' in result)) return result;
  const sign = result.user_sign || result.userSign || undefined;
  return { ...result, user_sign: sign, userSign: sign };
}

/**
 * The reasons for which a call may be refused. Any other is no answer to it, and a text about it would blame
 * the person for the server's mistake. A call within a session carries nothing that the person typed.
 */
function reasonsFor(call: Call): Reason[] {
  return reasonsOf(specOf(call)).filter((reason) => reason !== 'invalid_params' || !call.cred);
}

function refusal(call: Call, { code, data: given }: { code: number; data?: unknown }): Failure {
  const data = membersOf(given);
  const errors = Array.isArray(data.errors) ? data.errors.filter((line) => typeof line === 'string') : [];
  // Another server may give the number alone.
  const reason = reasonsFor(call).find((known) =>
    data.reason === undefined ? errorTable[known].code === code : data.reason === known,
  );
  return { kind: 'refused', server: call.server, code, reason, errors, ehr: readEhr(data.ehr) };
}

function readEhr(ehr: unknown): { code: number; reason?: string } | undefined {
  if (!isObject(ehr) || typeof ehr.code !== 'number') return undefined;
  return { code: ehr.code, ...(typeof ehr.reason === 'string' && { reason: ehr.reason }) };
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

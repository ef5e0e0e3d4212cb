/** Both mocks behind one msw server, a manual clock, and callers that check every message by the contract. */
import { setupServer } from 'msw/node';
import { expect, onTestFinished } from 'vitest';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Cred, MethodTable } from '#protocol/methods/method-spec.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';
import type { ErrorObject } from '#protocol/wire/errors.ts';
import { violationsOf } from '#protocol/wire/violations.ts';
import { type AuthHandlersOptions, authHandlers } from './auth-handlers.ts';
import { type EhrHandlersOptions, ehrHandlers } from './ehr-handlers.ts';

export const EHR = 'http://ehr.test';
export const AUTH = 'http://auth.test';
export const ENDPOINT = `${EHR}/1.0-alpha/`;

type AnyResult = Record<string, unknown> & {
  authInfo?: { user: string; token: string };
  userSign?: string;
  exchangeToken?: string;
};
export type AnyReply = { id: unknown; result?: AnyResult; error?: ErrorObject };

export type MocksOptions = { ehr?: Partial<EhrHandlersOptions>; auth?: Partial<AuthHandlersOptions> };

/** Starts both mocks until the end of the test. */
export function useMocks(options: MocksOptions = {}) {
  const clock = manualClock();
  const ehr = ehrHandlers({ url: EHR, clock, random: seededRandom(1), ...options.ehr });
  const auth = authHandlers({ url: AUTH, ehr, ...options.auth });
  const server = setupServer(...ehr, ...auth);
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const toEhr = caller(ENDPOINT, ehrMethods);
  const toAuth = caller(AUTH, authMethods);
  return {
    clock,
    ehr,
    auth,
    server,
    toEhr,
    toAuth,
    post: send,
    /** Signs in with a fresh code. Returns the reply to the confirmation. */
    async signIn(phone: string, userSign?: string) {
      await toAuth('auth.request_otp', { phone });
      return toAuth('auth.confirm_otp', {
        phone,
        code: auth.outbox.code(phone),
        ehr_user_sign: userSign ?? null,
      });
    },
    /** Links a user through the exchange flow. Returns the reply to authenticate. */
    async link(cred: Cred, patientProperties: unknown) {
      const { result } = await toAuth('auth.exchange_token', {}, cred);
      return toEhr('embedded_storage.authenticate', {
        exchangeToken: result?.exchangeToken,
        patientProperties,
      });
    },
  };
}

/** Sends one body unchanged. */
export async function send(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

export function credOf(reply: AnyReply): Cred {
  const info = reply.result?.authInfo;
  if (!info) throw new Error(`The sign-in was refused: ${JSON.stringify(reply.error)}.`);
  return { user: info.user, token: info.token };
}

/** Creates a caller of one endpoint for any method. It sends the same ids each time. */
function caller(url: string, methods: MethodTable) {
  let id = 0;
  return async (method: string, params: unknown = {}, cred?: Cred): Promise<AnyReply> => {
    const request = callText({ id: ++id, method, params, cred });
    const { status, text } = await send(url, request);
    expect(violationsOf({ status, request, reply: text }, methods)).toEqual([]);
    return JSON.parse(text) as AnyReply;
  };
}

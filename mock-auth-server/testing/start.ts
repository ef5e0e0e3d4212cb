/** An authorization server for one test, with an EHR server, a clock, and a check of every exchange. */
import { expect, onTestFinished } from 'vitest';
import { type AuthMethod, authMethods } from '#protocol/methods/auth-methods.ts';
import type { EhrMethod } from '#protocol/methods/ehr-methods.ts';
import { type MovableClock, manualClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { callText, readReply } from '#protocol/wire/envelope.ts';
import type { ErrorObject } from '#protocol/wire/errors.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { type Exchange, violationsOf } from '#protocol/wire/violations.ts';
import { recordedLog } from '#service/process/testing-log.ts';
import type { AuthConfig } from '../config.ts';
import { type AuthServer, createAuthServer } from '../index.ts';
import { ANNA, INTERNAL_PASSWORD, INTERNAL_USER, testConfig } from './config.ts';
import { type FakeEhr, startFakeEhr } from './fake-ehr.ts';

export type SessionCred = { user: string; token: string };
export type SignInReply = { authInfo: SessionCred & { ttl: number }; linked: boolean };

export type AuthWorld = {
  server: AuthServer;
  ehr: FakeEhr;
  clock: MovableClock;
  logged(): string;
  /** Call a method and return its result. @throws Refused when the reply is an error */
  call<Result = Record<string, unknown>>(
    method: AuthMethod,
    params?: unknown,
    cred?: SessionCred,
  ): Promise<Result>;
  /** Call a method that must be refused, and return the error's data. */
  refusal(
    method: AuthMethod,
    params?: unknown,
    cred?: SessionCred,
  ): Promise<ErrorObject['data'] & { code: number }>;
  /** Call a method that must be refused, and return the reason alone. */
  reason(method: AuthMethod, params?: unknown, cred?: SessionCred): Promise<string>;
  code(to: string): Promise<string>;
  /** Request a code, and return the parameters that confirm it. */
  confirmation(to: string, userSign?: string): Promise<{ code: string }>;
  signIn(to?: string, userSign?: string): Promise<SignInReply>;
  restart(): Promise<void>;
};

/** The reply was an error. */
class RefusedReply extends Error {
  readonly error: ErrorObject;
  constructor(error: ErrorObject) {
    super(`refused: ${error.data.reason}`);
    this.error = error;
  }
}

export type WorldOptions = {
  config?: Partial<AuthConfig>;
  /** Reaches the EHR server. */
  fetch?: typeof fetch;
};

/** Start a world. It ends with the test, which fails when a message violated the contract. */
export async function startWorld(options: WorldOptions = {}): Promise<AuthWorld> {
  const { config, ...network } = options;
  const clock = manualClock();
  const ehr = await startFakeEhr();
  const violations: string[] = [];
  const { log, lines } = recordedLog('debug');
  const parts = {
    config: testConfig({ ehrUrl: ehr.url, ...config }),
    clock,
    random: seededRandom(7),
    log,
    onExchange: (exchange: Exchange) => void violations.push(...violationsOf(exchange, authMethods)),
    ...network,
  };
  const start = () => createAuthServer(parts);
  let server = await start();
  const send = senderTo(() => server);
  const world: AuthWorld = {
    get server() {
      return server;
    },
    ehr,
    clock,
    logged: () => JSON.stringify(lines),
    async call<Result>(method: AuthMethod, params?: unknown, cred?: SessionCred) {
      const reply = await send(method, params ?? {}, cred);
      if ('error' in reply) throw new RefusedReply(reply.error as ErrorObject);
      return reply.result as Result;
    },
    async refusal(method, params, cred) {
      const reply = await send(method, params ?? {}, cred);
      if (!('error' in reply)) throw new Error(`${method} was expected to be refused and succeeded.`);
      const { code, data } = reply.error as ErrorObject;
      return { code, ...data };
    },
    reason: async (method, params, cred) => (await world.refusal(method, params, cred)).reason,
    async code(to) {
      await world.call('auth.request_otp', attributeParams(to));
      return latestCode(server, to);
    },
    async confirmation(to, userSign) {
      const sign = userSign === undefined ? {} : { ehr_user_sign: userSign };
      return { ...attributeParams(to), code: await world.code(to), ...sign };
    },
    signIn: async (to = ANNA, userSign) =>
      world.call('auth.confirm_otp', await world.confirmation(to, userSign)),
    async restart() {
      await server.stop();
      server = await start();
    },
  };
  onTestFinished(async () => {
    await server.stop();
    await ehr.stop();
    expect([...violations, ...ehr.violations]).toEqual([]);
  });
  return world;
}

function senderTo(server: () => AuthServer) {
  let lastId = 0;
  return async (method: AuthMethod, params: unknown, cred: SessionCred | undefined) => {
    const id = ++lastId;
    const body = callText({ id, method, params, cred: cred && { user: cred.user, token: cred.token } });
    const response = await fetch(server().url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(200);
    return readReply(await response.text(), id);
  };
}

function attributeParams(to: string): { phone: string } | { email: string } {
  return to.includes('@') ? { email: to } : { phone: to };
}

function latestCode(server: AuthServer, to: string): string {
  const message = server.latestMessage(to);
  if (!message) throw new Error('No message came to this recipient.');
  return message.code;
}

/** A call as the EHR server must receive it, with the digest of this signature or exchange token. */
export const callToEhr = (method: EhrMethod, params: object, secret: string) => ({
  jsonrpc: '2.0',
  id: expect.any(Number),
  method,
  params,
  cred: { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) },
});

export function wrongCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

/** Start a world with a user who is signed in. Its parts are those of the start: it cannot be restarted. */
export async function signedInWorld(options: WorldOptions = {}, to = ANNA): Promise<AuthWorld & SignInReply> {
  const world = await startWorld(options);
  return { ...world, ...(await world.signIn(to)) };
}

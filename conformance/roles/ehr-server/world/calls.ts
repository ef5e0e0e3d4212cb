/**
 * The calls that a scenario makes, as the client and as the authorization server. Each is a step of the
 * journal.
 */

import { randomToken } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/digest.ts';
import type { EhrStepName, OtherEhrStepName, StepResult } from '../../../engine/journal/entry.ts';
import type { HttpRequest } from '../../../engine/party/requests/build-request.ts';
import { type Answer, type Failed, send } from '../../../engine/party/requests/send.ts';
import { replyOf, resultOf } from './answer.ts';
import { fetchWithHost } from './fetch-with-host.ts';
import type { WorldParts } from './world-parts.ts';

/** A session as the authorization server announces it (§2.3). */
export type AuthInfo = { user: string; token: string; ttl: number };

export type CallOptions = {
  /** The deliberate mistake, in words; absent when the call is right. */
  mistake?: string;
  /** Replaces the cred that the call would carry; null and undefined leave it out. */
  cred?: unknown;
  /** Members of the envelope that replace or add to those of the call. */
  envelope?: Record<string, unknown>;
  /** Members of params that replace or add to those of the call. */
  params?: Record<string, unknown>;
  /** Headers that replace or add to those of the request. */
  headers?: Record<string, string>;
  /** Sends an internal call to the public endpoint, or a client's call to the internal one. */
  otherChannel?: boolean;
};

export type SendOptions = {
  step?: StepName;
  /** Whether the authorization server sends it. */
  isInternal?: boolean;
  /** Whether the journal keeps only the length of the body. */
  isBig?: boolean;
  mistake?: string;
};

/** The answer to a call: how it ended, the whole reply, and the HTTP answer. */
export type Called = {
  result: StepResult;
  reply: Record<string, unknown> | undefined;
  answer: Answer | Failed;
};

type StepName = EhrStepName | OtherEhrStepName;

const METHODS: Readonly<Record<Exclude<StepName, 'send'>, { method: string; isInternal: boolean }>> = {
  saveAuthInfo: { method: 'embedded_storage.save_auth_info', isInternal: true },
  saveExchangeToken: { method: 'embedded_storage.save_exchange_token', isInternal: true },
  authenticate: { method: 'embedded_storage.authenticate', isInternal: false },
  getPatient: { method: 'patient.get_patient', isInternal: false },
  removeAuthInfo: { method: 'embedded_storage.remove_auth_info', isInternal: false },
  removeAuthentication: { method: 'embedded_storage.remove_authentication', isInternal: false },
};

/** Lifetime of a session unless a scenario needs another, in minutes. */
const SESSION_MINUTES = 60;

/** @typeParam L the labels of the scenario's steps, by which its check finds them */
export class Calls<L extends string = string> {
  protected readonly parts: WorldParts;
  protected readonly scenario: string;
  #ids = 0;

  constructor(parts: WorldParts, scenario: string) {
    this.parts = parts;
    this.scenario = scenario;
  }

  get settings() {
    return this.parts.settings;
  }

  get publicUrl(): string {
    return this.parts.publicUrl;
  }

  get internalUrl(): string {
    return this.parts.internalUrl;
  }

  /** Invents a session of a new user, or another session of a known one. */
  session(user = `u-${this.#invented(12)}`, minutes = SESSION_MINUTES): AuthInfo {
    return { user, token: this.invented('session-token'), ttl: this.ttl(minutes) };
  }

  /** A lifetime in the server's unit. */
  ttl(minutes: number): number {
    return this.settings.ttlUnit === 'seconds' ? minutes * 60 : minutes;
  }

  /** A value of the form of a token. */
  invented(kind: 'session-token' | 'exchange-token' | 'user-sign'): string {
    const value = this.#invented(32);
    this.parts.recorder.knowledge.pseudonyms.learn(kind, value);
    return value;
  }

  /** A phone that no patient has. */
  strangersPhone(): string {
    const digits = Buffer.from(this.parts.random(5)).readUIntBE(0, 5) % 10 ** 8;
    return `7000${String(digits).padStart(8, '0').slice(0, 7)}`;
  }

  /** Properties that fit nobody, with the phone of nobody. */
  strangersProperties(): Record<string, unknown> {
    const name = `Nobody${this.#invented(4).replace(/[^A-Za-z]/g, 'x')}`;
    return { name, surname: name, date: '1901-02-03 00:00:00.000', phone: this.strangersPhone() };
  }

  /** The cred of the internal channel over a secret (§5.1, §5.2). */
  internalCred(secret: string, { user, password } = this.settings.internal): { user: string; token: string } {
    return { user, token: digest(password, secret) };
  }

  saveExchangeToken(
    label: L,
    exchangeToken: string,
    authInfo: AuthInfo,
    options: CallOptions = {},
  ): Promise<Called> {
    const cred = this.internalCred(exchangeToken);
    return this.call(label, 'saveExchangeToken', { exchangeToken, authInfo }, { cred, ...options });
  }

  authenticate(
    label: L,
    { exchangeToken }: { exchangeToken: string; session: AuthInfo },
    patientProperties: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Called> {
    return this.call(label, 'authenticate', { exchangeToken, patientProperties }, options);
  }

  saveAuthInfo(label: L, authInfo: AuthInfo, userSign: string, options: CallOptions = {}): Promise<Called> {
    const cred = this.internalCred(userSign);
    return this.call(label, 'saveAuthInfo', { authInfo }, { cred, ...options });
  }

  getPatient(
    label: L,
    { user, token }: Pick<AuthInfo, 'user' | 'token'>,
    options: CallOptions = {},
  ): Promise<Called> {
    return this.call(label, 'getPatient', {}, { cred: { user, token }, ...options });
  }

  removeAuthInfo(label: L, { user, token }: Pick<AuthInfo, 'user' | 'token'>, options: CallOptions = {}) {
    return this.call(label, 'removeAuthInfo', {}, { cred: { user, token }, ...options });
  }

  removeAuthentication(
    label: L,
    { user, token }: Pick<AuthInfo, 'user' | 'token'>,
    options: CallOptions = {},
  ) {
    return this.call(label, 'removeAuthentication', {}, { cred: { user, token }, ...options });
  }

  /** Calls a method, and records what crossed. */
  async call(
    label: L,
    step: Exclude<StepName, 'send'>,
    params: Record<string, unknown>,
    { mistake, cred, envelope, params: otherParams, headers, otherChannel = false }: CallOptions = {},
  ): Promise<Called> {
    const { method, isInternal } = METHODS[step];
    const body = {
      jsonrpc: '2.0',
      id: ++this.#ids,
      method,
      params: { ...params, ...otherParams },
      ...(cred !== undefined && { cred }),
      ...envelope,
    };
    const url = isInternal === otherChannel ? this.parts.publicUrl : this.parts.internalUrl;
    const request = this.#post(url, JSON.stringify(body), headers);
    return this.send(label, request, { step, isInternal, ...(mistake !== undefined && { mistake }) });
  }

  /** A POST of JSON text to the public endpoint, for {@link send}. */
  post(body: string, headers: Record<string, string> = {}): HttpRequest {
    return this.#post(this.parts.publicUrl, body, headers);
  }

  /** Sends any request, and records what crossed. */
  async send(
    label: L,
    request: HttpRequest,
    { step = 'send', isInternal = false, isBig = false, mistake }: SendOptions = {},
  ): Promise<Called> {
    const { recorder, clock, signal, settings } = this.parts;
    await this.parts.requests.take();
    signal.throwIfAborted();
    const open = recorder.step({
      scenario: this.scenario,
      user: '',
      step,
      label,
      ...(mistake !== undefined && { defect: mistake }),
    });
    const raw = {
      link: isInternal ? ('auth->ehr' as const) : ('client->ehr' as const),
      request: {
        httpVersion: '1.1',
        method: request.method,
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: isBig ? `‹${request.body?.length} characters›` : (request.body ?? ''),
      },
    };
    const begun = clock.now();
    const exchange = recorder.exchange(raw.link, raw, open.seq);
    const hasHost = request.headers.some(([name]) => name === 'host');
    const own = hasHost ? fetchWithHost : fetch;
    const answer = await send(request, { fetch: own, clock, timeoutMs: settings.timeouts.callMs, signal });
    if (answer.kind === 'answer') {
      const { status, headers, text: body } = answer;
      exchange.end({ ...raw, response: { status, headers: [...headers], body } });
      this.parts.belongings.examine(
        { scenario: this.scenario, label },
        isBig ? '' : (request.body ?? ''),
        answer,
      );
    } else {
      exchange.end(raw, { broke: answer.what === 'timeout' ? 'timeout' : 'closed-early' });
    }
    const result = resultOf(answer, (id) => this.parts.patientName(id));
    recorder.outcome(open, result, clock.now() - begun);
    signal.throwIfAborted();
    return { result, reply: replyOf(answer), answer };
  }

  /** Records a fact that the kit counted or compared. */
  observe(label: L, values: Record<string, number | string | boolean>): void {
    this.parts.recorder.observation({ scenario: this.scenario, label }, values);
  }

  #invented(bytes: number): string {
    return randomToken(this.parts.random, bytes);
  }

  #post(url: string, body: string, headers: Record<string, string> = {}): HttpRequest {
    const all = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    return { method: 'POST', url, headers: Object.entries(all), body };
  }
}

/** The calls of the kit to the EHR server under test, which the journal records as steps. */
import type { Clock } from '#protocol/time/clock.ts';
import { type Random, randomToken } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { EhrStepName, OtherEhrStepName, StepResult } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { RequestBudget } from '../../../engine/party/request-budget.ts';
import type { HttpRequest } from '../../../engine/party/requests/build-request.ts';
import { type Answer, type Failed, send } from '../../../engine/party/requests/send.ts';
import type { Traces } from '../../../engine/party/requests/traces.ts';
import type { EhrSettings, KnownPerson } from '../settings.ts';
import type { Belongings } from './belongings.ts';
import { type AuthInfo, type Cred, METHODS, pairOf, replyOf, resultOf } from './messages.ts';
import type { Pace } from './pace.ts';
import { type Patients, propertiesOf } from './patients.ts';

export type WorldParts = {
  settings: EhrSettings;
  publicUrl: string;
  /** The endpoint for the authorization server; the public one where one endpoint serves both. */
  internalUrl: string;
  recorder: Recorder;
  patients: Patients;
  belongings: Belongings;
  requests: RequestBudget;
  traces: Traces;
  /** What the server takes instead of what the interface says, for the steps that prepare others. */
  dialect: Dialect;
  pace: Pace;
  /** The clock of the kit, not of the server. */
  clock: Clock;
  /** Invents users and tokens; different values in each run. */
  random: Random;
  signal: AbortSignal;
  /** Turns the id of a record into a name such as `patient 1`; the same id always has the same name. */
  patientName: (id: string) => string;
  seed: number;
  canAdvance: boolean;
  /** Whether time can pass for the server: by moving its clock, or, with --slow, by waiting in real time. */
  canWait: boolean;
  /** Lets these milliseconds pass for the server. @throws NotPlayable where `canWait` is false */
  advance: (ms: number) => Promise<void>;
  restart: () => Promise<void>;
};

export type DigestParts = { password: string; internalUser: string; secret: string };

type Dialect = {
  digest: (parts: DigestParts) => string;
  properties: (person: KnownPerson) => Record<string, unknown>;
};

/** What the interface says. */
export const rightDialect = (): Dialect => ({
  digest: ({ password, secret }) => digest(password, secret),
  properties: propertiesOf,
});

export type CallOptions = {
  /** The deliberate mistake, in words for the report; absent when the call is right. */
  mistake?: string;
  /** Replaces the cred of the call. `undefined` leaves the member out; `null` sends null. */
  cred?: unknown;
  /** Each member replaces or adds to one of the call; `undefined` leaves it out. */
  envelope?: Record<string, unknown>;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Sends an internal call to the public endpoint, or a client's call to the internal one. */
  otherChannel?: boolean;
};

export type SendOptions = {
  step?: StepName;
  isInternal?: boolean;
  /** Whether the journal keeps only the length of the body, because the body would fill the journal. */
  isBig?: boolean;
  mistake?: string | undefined;
};

export type Called = {
  result: StepResult;
  reply: Record<string, unknown> | undefined;
  answer: Answer | Failed;
};

type StepName = EhrStepName | OtherEhrStepName;

/** Lifetime of a session in minutes, unless a scenario needs another: longer than any scenario plays. */
const SESSION_MINUTES = 60;

/** The `label` of a call names its step, by which the check of the scenario finds it. */
export class Calls<L extends string = string> {
  readonly parts: WorldParts;
  readonly settings: EhrSettings;
  protected readonly scenario: string;
  #ids = 0;

  constructor(parts: WorldParts, scenario: string) {
    this.parts = parts;
    this.settings = parts.settings;
    this.scenario = scenario;
  }

  session(user = `u-${this.#invented(12)}`, minutes = SESSION_MINUTES): AuthInfo {
    return { user, token: this.invented('session-token'), ttl: this.ttl(minutes) };
  }

  /** Converts a lifetime in minutes to the unit of ttl that the file about the server states. */
  ttl(minutes: number): number {
    return this.settings.ttlUnit === 'seconds' ? minutes * 60 : minutes;
  }

  invented(kind: 'session-token' | 'exchange-token' | 'user-sign'): string {
    const value = this.#invented(32);
    this.parts.recorder.knowledge.pseudonyms.learn(kind, value);
    return value;
  }

  strangersPhone(): string {
    const digits = Buffer.from(this.parts.random(5)).readUIntBE(0, 5) % 10 ** 8;
    return `7000${String(digits).padStart(8, '0').slice(0, 7)}`;
  }

  strangersProperties() {
    const name = `Nobody${this.#invented(4).replace(/[^A-Za-z]/g, 'x')}`;
    return { name, surname: name, date: '1901-02-03 00:00:00.000', phone: this.strangersPhone() };
  }

  /** `secret` is the user_sign of the user, or the exchange token of the call (§5.1, §5.2). */
  internalCred(secret: string): Cred {
    const { user: internalUser, password } = this.settings.internal;
    return { user: internalUser, token: this.parts.dialect.digest({ internalUser, password, secret }) };
  }

  saveExchangeToken(label: L, exchangeToken: string, authInfo: AuthInfo, options: CallOptions = {}) {
    const cred = this.internalCred(exchangeToken);
    return this.call(label, 'saveExchangeToken', { exchangeToken, authInfo }, { cred, ...options });
  }

  saveAuthInfo(label: L, authInfo: AuthInfo, userSign: string, options: CallOptions = {}) {
    const cred = this.internalCred(userSign);
    return this.call(label, 'saveAuthInfo', { authInfo }, { cred, ...options });
  }

  getPatient(label: L, cred: Cred, options: CallOptions = {}) {
    return this.call(label, 'getPatient', {}, { cred: pairOf(cred), ...options });
  }

  removeAuthInfo(label: L, cred: Cred, options: CallOptions = {}) {
    return this.call(label, 'removeAuthInfo', {}, { cred: pairOf(cred), ...options });
  }

  removeAuthentication(label: L, cred: Cred, options: CallOptions = {}) {
    return this.call(label, 'removeAuthentication', {}, { cred: pairOf(cred), ...options });
  }

  /** The two save methods go to the internal endpoint, all others to the public one. */
  async call(
    label: L,
    step: keyof typeof METHODS,
    params: Record<string, unknown>,
    { mistake, cred, envelope, params: otherParams, headers, otherChannel = false }: CallOptions = {},
  ): Promise<Called> {
    const isInternal = step === 'saveAuthInfo' || step === 'saveExchangeToken';
    const body = {
      jsonrpc: '2.0',
      id: ++this.#ids,
      method: METHODS[step],
      params: { ...params, ...otherParams },
      ...(cred !== undefined && { cred }),
      ...envelope,
    };
    const url = isInternal === otherChannel ? this.parts.publicUrl : this.parts.internalUrl;
    const request = { ...this.post(JSON.stringify(body), headers), url };
    return this.send(label, request, { step, isInternal, mistake });
  }

  post(body: string, headers: Record<string, string> = {}): HttpRequest {
    const all = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    return { method: 'POST', url: this.parts.publicUrl, headers: Object.entries(all), body };
  }

  sendJson(label: L, body: unknown, options: SendOptions = {}): Promise<Called> {
    return this.send(label, this.post(JSON.stringify(body)), options);
  }

  async send(label: L, asked: HttpRequest, options: SendOptions = {}): Promise<Called> {
    const { step = 'send', isInternal = false, isBig = false, mistake } = options;
    const { recorder, clock, signal, settings, belongings, requests, traces, patientName, pace } = this.parts;
    const { scenario } = this;
    await requests.take();
    signal.throwIfAborted();
    const defect = mistake === undefined ? {} : { defect: mistake };
    const open = recorder.step({ scenario, user: '', step, label, ...defect });
    const request = { ...asked, headers: traces.added(asked.headers, open.seq) };
    const link = isInternal ? 'auth->ehr' : 'client->ehr';
    const crossed = { link, request: recorded(request, isBig) } as const;
    const begun = clock.now();
    const exchange = recorder.exchange(link, crossed, open.seq);
    const answer = await pace.measured(settings.timeouts.callMs, (timeoutMs) =>
      send(request, { clock, timeoutMs, signal }),
    );
    if (answer.kind === 'answer') {
      const { status, headers, text: body } = answer;
      exchange.end({ ...crossed, response: { status, headers: [...headers], body } });
      belongings.examine({ scenario, label }, isBig ? '' : (request.body ?? ''), answer);
    } else {
      exchange.end(crossed, { broke: answer.what === 'timeout' ? 'timeout' : 'closed-early' });
    }
    const result = resultOf(answer, patientName);
    recorder.outcome(open, result, clock.now() - begun);
    signal.throwIfAborted();
    return { result, reply: replyOf(answer), answer };
  }

  observe(label: L, values: Record<string, number | string | boolean>): void {
    this.parts.recorder.observation({ scenario: this.scenario, label }, values);
  }

  #invented(bytes: number): string {
    return randomToken(this.parts.random, bytes);
  }
}

function recorded({ method, url, headers, body = '' }: HttpRequest, isBig: boolean) {
  const kept = isBig ? `‹${body.length} characters›` : body;
  return { httpVersion: '1.1', method, path: new URL(url).pathname, headers, body: kept };
}

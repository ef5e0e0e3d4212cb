/**
 * What a scenario can do with the EHR server under test: call it as the client and as the authorization
 * server, let time pass, and restart it. Every call is a step of the journal.
 */
import { digest } from '#protocol/digest.ts';
import { randomToken } from '#protocol/random.ts';
import type { HttpRequest } from '../adapter/build-request.ts';
import { type Answer, type Failed, send } from '../adapter/send.ts';
import { describe } from '../journal/describe-result.ts';
import type { EhrStepName, OtherEhrStepName, StepResult } from '../journal/entry.ts';
import { Knowledge } from '../journal/knowledge.ts';
import { Recorder } from '../journal/recorder.ts';
import { ScenarioStopped } from '../player/user.ts';
import { replyOf, resultOf } from './answer.ts';
import { propertiesOf } from './patients.ts';
import type { KnownPerson } from './settings.ts';
import type { WorldParts } from './world-parts.ts';

/** A session as the authorization server announces it (§2.3). */
export type AuthInfo = { user: string; token: string; ttl: number };

/** A user who is linked to a patient, with a session that is alive. */
export type Linked = { person: KnownPerson; session: AuthInfo; userSign: string };

/** An exchange token that waits for its user. */
export type Pending = { person: KnownPerson; session: AuthInfo; exchangeToken: string };

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
export type Called = { result: StepResult; reply: Record<string, unknown> | undefined; answer: Answer | Failed };

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
export class World<L extends string = string> {
  readonly #parts: WorldParts;
  readonly #scenario: string;
  readonly #lent: KnownPerson[] = [];
  /** The session and the signature of each user who was linked, for the end of the scenario. */
  readonly #linked = new Map<string, { session: AuthInfo; userSign: string | undefined }>();
  #ids = 0;
  #setUps = 0;

  constructor(parts: WorldParts, scenario: string) {
    this.#parts = parts;
    this.#scenario = scenario;
  }

  get settings() {
    return this.#parts.settings;
  }

  /** Lends a patient to this scenario. @throws ScenarioStopped when the file names nobody who fits */
  async patient(fits?: (person: KnownPerson) => boolean, lacking = 'patient who is free'): Promise<KnownPerson> {
    const person = await this.#parts.patients.take(fits);
    if (!person) throw new NotPlayable(`the file names no ${lacking}`);
    this.#lent.push(person);
    return person;
  }

  /** Invents a session of a new user, or another session of a known one. */
  session(user = `u-${this.#invented(12)}`, minutes = SESSION_MINUTES): AuthInfo {
    return { user, token: this.invented('session-token'), ttl: this.ttl(minutes) };
  }

  /** A person of the file who is never linked. @throws NotPlayable when the file names none */
  named(who: 'ambiguous' | 'inactive'): KnownPerson {
    const person = this.settings.people[who];
    if (!person) throw new NotPlayable(`the file names nobody as people.${who}`);
    return person;
  }

  /** @throws NotPlayable where one endpoint serves both channels */
  needInternalEndpoint(): void {
    if (this.settings.internalUrl === undefined) throw new NotPlayable('one endpoint serves both channels');
  }

  /** @throws NotPlayable where the server returns ids in another form */
  needReplyId(form: 'string' | 'echo'): void {
    if (this.settings.replyId !== form) throw new NotPlayable(`the file states replyId: ${this.settings.replyId}`);
  }

  /** @throws NotPlayable always */
  cannot(because: string): never {
    throw new NotPlayable(because);
  }

  /** @throws NotPlayable where no time can pass for the server: what is spent would stay so */
  needTime(): void {
    if (!this.#parts.canWait)
      throw new NotPlayable('the clock of the server cannot be moved, and what is spent here lasts an hour');
  }

  /** @throws NotPlayable where the server counts its ttl in another unit */
  needUnit(unit: 'minutes' | 'seconds'): void {
    if (this.settings.ttlUnit !== unit) throw new NotPlayable(`the server counts its ttl in ${this.settings.ttlUnit}`);
  }

  /** A lifetime in the server's unit. */
  ttl(minutes: number): number {
    return this.settings.ttlUnit === 'seconds' ? minutes * 60 : minutes;
  }

  /** A value of the form of a token. */
  invented(kind: 'session-token' | 'exchange-token' | 'user-sign'): string {
    const value = this.#invented(32);
    this.#parts.recorder.knowledge.pseudonyms.learn(kind, value);
    return value;
  }

  /** A phone that no patient has. */
  strangersPhone(): string {
    const digits = Buffer.from(this.#parts.random(5)).readUIntBE(0, 5) % 10 ** 8;
    return `7000${String(digits).padStart(8, '0').slice(0, 7)}`;
  }

  /** Properties that fit nobody, with the phone of nobody. */
  strangersProperties(): Record<string, unknown> {
    const name = `Nobody${this.#invented(4).replace(/[^A-Za-z]/g, 'x')}`;
    return { name, surname: name, date: '1901-02-03 00:00:00.000', phone: this.strangersPhone() };
  }

  saveExchangeToken(label: L, exchangeToken: string, authInfo: AuthInfo, options: CallOptions = {}): Promise<Called> {
    const cred = this.internalCred(exchangeToken);
    return this.call(label, 'saveExchangeToken', { exchangeToken, authInfo }, { cred, ...options });
  }

  async authenticate(
    label: L,
    { exchangeToken, session }: Pick<Pending, 'exchangeToken' | 'session'>,
    patientProperties: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Called> {
    const called = await this.call(label, 'authenticate', { exchangeToken, patientProperties }, options);
    const { result } = called;
    if (result.kind === 'done') this.#linked.set(session.user, { session, userSign: signIn(result.values) });
    return called;
  }

  saveAuthInfo(label: L, authInfo: AuthInfo, userSign: string, options: CallOptions = {}): Promise<Called> {
    const cred = this.internalCred(userSign);
    return this.call(label, 'saveAuthInfo', { authInfo }, { cred, ...options });
  }

  getPatient(label: L, { user, token }: Pick<AuthInfo, 'user' | 'token'>, options: CallOptions = {}): Promise<Called> {
    return this.call(label, 'getPatient', {}, { cred: { user, token }, ...options });
  }

  removeAuthInfo(label: L, { user, token }: Pick<AuthInfo, 'user' | 'token'>, options: CallOptions = {}) {
    return this.call(label, 'removeAuthInfo', {}, { cred: { user, token }, ...options });
  }

  removeAuthentication(label: L, { user, token }: Pick<AuthInfo, 'user' | 'token'>, options: CallOptions = {}) {
    return this.call(label, 'removeAuthentication', {}, { cred: { user, token }, ...options });
  }

  /** The cred of the internal channel over a secret (§5.1, §5.2). */
  internalCred(secret: string, { user, password } = this.settings.internal): { user: string; token: string } {
    return { user, token: digest(password, secret) };
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
    const url = isInternal === otherChannel ? this.#parts.publicUrl : this.#parts.internalUrl;
    const request = this.#post(url, JSON.stringify(body), headers);
    return this.send(label, request, { step, isInternal, ...(mistake !== undefined && { mistake }) });
  }

  /** A POST of JSON text to the public endpoint, for {@link send}. */
  post(body: string, headers: Record<string, string> = {}): HttpRequest {
    return this.#post(this.#parts.publicUrl, body, headers);
  }

  get publicUrl(): string {
    return this.#parts.publicUrl;
  }

  /** Sends any request, and records what crossed. */
  async send(
    label: L,
    request: HttpRequest,
    { step = 'send', isInternal = false, isBig = false, mistake }: SendOptions = {},
  ): Promise<Called> {
    const { recorder, clock, signal, settings } = this.#parts;
    await this.#parts.requests.take();
    signal.throwIfAborted();
    const open = recorder.step({
      scenario: this.#scenario,
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
    const answer = await send(request, { fetch, clock, timeoutMs: settings.timeouts.callMs, signal });
    if (answer.kind === 'answer') {
      const { status, headers, text: body } = answer;
      exchange.end({ ...raw, response: { status, headers: [...headers], body } });
    } else {
      exchange.end(raw, { broke: answer.what === 'timeout' ? 'timeout' : 'closed-early' });
    }
    const result = resultOf(answer, (id) => this.#parts.patientName(id));
    recorder.outcome(open, result, clock.now() - begun);
    signal.throwIfAborted();
    return { result, reply: replyOf(answer), answer };
  }

  /** Set-up: a new user's exchange token, saved and waiting. */
  async pending({
    person,
    session = this.session(),
  }: Partial<Pick<Pending, 'person' | 'session'>> = {}): Promise<Pending> {
    const own = person ?? (await this.patient());
    const exchangeToken = this.invented('exchange-token');
    await this.mustSucceed('save an exchange token', (label) => this.saveExchangeToken(label, exchangeToken, session));
    return { person: own, session, exchangeToken };
  }

  /** Set-up: a new user, linked to a patient by an exchange token, whose session is recorded. */
  async linked(given: Partial<Pick<Pending, 'person' | 'session'>> = {}): Promise<Linked> {
    const pending = await this.pending(given);
    const { person, session } = pending;
    const { userSign } = await this.link(pending);
    await this.mustSucceed('record the session', (label) => this.saveAuthInfo(label, session, userSign));
    return { person, session, userSign };
  }

  /** Set-up: authenticates with a pending exchange token. */
  async link(pending: Pending): Promise<{ userSign: string }> {
    const { result } = await this.mustSucceed('authenticate', (label) =>
      this.authenticate(label, pending, propertiesOf(pending.person)),
    );
    const userSign = result.kind === 'done' ? signIn(result.values) : undefined;
    if (userSign === undefined) throw new ScenarioStopped('authenticate gave no user_sign', 'EHR server');
    return { userSign };
  }

  /** Performs a step that prepares the others. @throws ScenarioStopped when it is not done */
  async mustSucceed(what: string, act: (label: L) => Promise<Called>): Promise<Called> {
    const label = `set-up ${++this.#setUps}: ${what}`;
    const called = await act(label as L);
    if (called.result.kind === 'done') return called;
    const because = `the step "${label}" ought to succeed and did not (${describe(called.result)})`;
    throw new ScenarioStopped(because, 'EHR server');
  }

  /** Lets time pass for the server. @throws NotPlayable where its clock cannot be moved */
  async advance(minutes: number, seconds = 0): Promise<void> {
    await this.#parts.advance((minutes * 60 + seconds) * 1_000);
  }

  /** Restarts the server. @throws NotPlayable where that cannot be done */
  async restart(): Promise<void> {
    await this.#parts.restart();
  }

  /** Records a fact that the kit counted or compared. */
  observe(label: L, values: Record<string, number | string | boolean>): void {
    this.#parts.recorder.observation({ scenario: this.#scenario, label }, values);
  }

  /** The same world, whose calls are not kept in the journal. */
  unrecorded(): World {
    const { internal } = this.settings;
    const recorder = new Recorder(this.#parts.clock, new Knowledge(internal.user, internal.password, new Map()));
    recorder.stop();
    return new World({ ...this.#parts, recorder }, this.#scenario);
  }

  /** Whether the clock of the server can be moved. */
  get canAdvance(): boolean {
    return this.#parts.canAdvance;
  }

  /** Whether time can pass at all: by the control of the server, or in real time. */
  get canWait(): boolean {
    return this.#parts.canWait;
  }

  get seed(): number {
    return this.#parts.seed;
  }

  /** Removes the links of this scenario's users, and keeps its patients. */
  async unlinkAll(keeping?: string): Promise<void> {
    for (const [user, { session, userSign }] of this.#linked) {
      if (user === keeping) continue;
      await this.#unlink(session, userSign);
      this.#linked.delete(user);
    }
  }

  /** Removes the links of this scenario's users, and gives its patients back. */
  async end(): Promise<void> {
    await this.release();
  }

  /**
   * Removes the links so far, and gives the patients back, between the rounds of a scenario.
   * @param keeping a user whose link stays
   */
  async release(keeping?: string): Promise<void> {
    await this.unlinkAll(keeping);
    const kept = keeping === undefined ? 0 : 1;
    for (const person of this.#lent.splice(kept)) this.#parts.patients.giveBack(person);
  }

  /** Removes a link by its own session, or by a new one where that has ended. */
  async #unlink(session: AuthInfo, userSign: string | undefined): Promise<void> {
    const label = 'clean-up' as L;
    const { result } = await this.removeAuthentication(label, session);
    if (result.kind === 'done' || userSign === undefined) return;
    const next = this.session(session.user);
    const saved = await this.saveAuthInfo(label, next, userSign);
    if (saved.result.kind === 'done') await this.removeAuthentication(label, next);
  }

  #invented(bytes: number): string {
    return randomToken(this.#parts.random, bytes);
  }

  #post(url: string, body: string, headers: Record<string, string> = {}): HttpRequest {
    const all = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    return { method: 'POST', url, headers: Object.entries(all), body };
  }
}

function signIn({ userSign, user_sign }: Readonly<Record<string, string>>): string | undefined {
  return userSign ?? user_sign;
}

/** The scenario cannot be played with what the file offers. */
export class NotPlayable extends Error {}

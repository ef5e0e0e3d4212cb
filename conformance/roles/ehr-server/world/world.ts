/** What a scenario can do: call the server, let time pass, borrow patients, link users, remove its links. */
import { randomToken } from '#protocol/time/random.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import { writeJson } from '#protocol/wire/json.ts';
import { MadeSteps, NotPlayable, ScenarioStopped, type Step } from '../../../engine/check/playing.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import { Recorder } from '../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../engine/journal/secrets/knowledge.ts';
import type { HttpRequest } from '../../../engine/party/requests/build-request.ts';
import type { EhrSettings, KnownPerson } from '../settings.ts';
import { type Called, type CallOptions, inside, played, type SendOptions, type WorldParts } from './calls.ts';
import { type AuthInfo, type Cred, METHODS, pairOf, recordIn, signOf } from './messages.ts';
import type { Lifetime } from './pace.ts';
import { FAILED_MATCHES, heldWords, PATIENT_HELD, StillLinked } from './patients.ts';
import { REPLIES_SEARCHED } from './reply-search.ts';

export type Linked = {
  person: KnownPerson;
  session: AuthInfo;
  /** The signature of the link: the secret over which the authorization server computes its digests. */
  userSign: string;
  exchangeToken: string;
  recordId: string;
};

export type Pending = { person: KnownPerson; session: AuthInfo; exchangeToken: string };

type MadeLink = { session: AuthInfo; person: KnownPerson | undefined; userSign: string | undefined };

type Whose = { person?: KnownPerson; session?: AuthInfo };

/** Lifetime of a session in minutes, unless a scenario needs another: longer than any scenario plays. */
const SESSION_MINUTES = 60;

/**
 * What one scenario does. A call returns a step that is not played yet; its `label` names it in reports. Steps
 * of methods marked "Set-up" are not judged; where one fails, the scenario stops.
 */
export class EhrWorld {
  readonly parts: WorldParts;
  readonly settings: EhrSettings;
  readonly made = new MadeSteps();
  readonly #scenario: string;
  #ids = 0;
  readonly #lent: KnownPerson[] = [];
  /** The key is a user. */
  readonly #linked = new Map<string, MadeLink>();
  readonly #stillLinked = new StillLinked();
  #setUps = 0;

  constructor(parts: WorldParts, scenario: string) {
    this.parts = parts;
    this.settings = parts.settings;
    this.#scenario = scenario;
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

  saveExchangeToken(label: string, exchangeToken: string, authInfo: AuthInfo, options: CallOptions = {}) {
    const cred = this.internalCred(exchangeToken);
    return this.call(label, 'saveExchangeToken', { exchangeToken, authInfo }, { cred, ...options });
  }

  saveAuthInfo(label: string, authInfo: AuthInfo, userSign: string, options: CallOptions = {}) {
    const cred = this.internalCred(userSign);
    return this.call(label, 'saveAuthInfo', { authInfo }, { cred, ...options });
  }

  getPatient(label: string, cred: Cred, options: CallOptions = {}) {
    return this.call(label, 'getPatient', {}, { cred: pairOf(cred), ...options });
  }

  removeAuthInfo(label: string, cred: Cred, options: CallOptions = {}) {
    return this.call(label, 'removeAuthInfo', {}, { cred: pairOf(cred), ...options });
  }

  removeAuthentication(label: string, cred: Cred, options: CallOptions = {}) {
    return this.call(label, 'removeAuthentication', {}, { cred: pairOf(cred), ...options });
  }

  /** The two save methods go to the internal endpoint, all others to the public one. */
  call(
    label: string,
    step: keyof typeof METHODS,
    params: Record<string, unknown>,
    { mistake, cred, envelope, params: other, headers, otherChannel = false, ...shown }: CallOptions = {},
  ): Step<Called> {
    const isInternal = step === 'saveAuthInfo' || step === 'saveExchangeToken';
    const body = {
      jsonrpc: '2.0',
      id: ++this.#ids,
      method: METHODS[step],
      params: { ...params, ...other },
      ...(cred !== undefined && { cred }),
      ...envelope,
    };
    const asked = this.post(writeJson(body), headers);
    const request = isInternal === otherChannel ? asked : { ...inside(this.parts, asked), ...shown };
    return this.send(label, request, { step, isInternal, mistake });
  }

  post(body: string, headers: Record<string, string> = {}): HttpRequest {
    const all = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    return { method: 'POST', url: this.parts.publicUrl, headers: Object.entries(all), body };
  }

  sendJson(label: string, body: unknown, options: SendOptions = {}): Step<Called> {
    return this.send(label, this.post(writeJson(body)), options);
  }

  send(label: string, request: HttpRequest, options: SendOptions = {}): Step<Called> {
    const step = { scenario: this.#scenario, label, request };
    return this.made.make(label, (...expects) => played(this.parts, step, options, expects));
  }

  observe(label: string, values: Record<string, number | string | boolean>): void {
    this.parts.recorder.observation({ scenario: this.#scenario, label }, values);
  }

  #invented(bytes: number): string {
    return randomToken(this.parts.random, bytes);
  }

  /** Plays a step that must succeed: otherwise the other steps of the scenario prove nothing. */
  control<T>(step: Step<T>): Promise<T> {
    return step({ must: 'succeed', isControl: true });
  }

  /** Plays a step that must succeed. `check` judges it; each check of the scenario unless given. */
  succeeds<T>(step: Step<T>, check?: string): Promise<T> {
    return step({ must: 'succeed', check });
  }

  /** Plays a step that must be refused. The code of `reason` is judged by a check of its own. */
  refuses<T>(step: Step<T>, reason?: Reason, check?: string): Promise<T> {
    return step({ must: 'be refused', reason, check });
  }

  /** Plays a step that must be answered with an HTTP status. */
  answers<T>(step: Step<T>, status: number): Promise<T> {
    return step({ must: 'have the status', status });
  }

  /** Plays a step that may be served or refused, and must not make the server fail. */
  survives<T>(step: Step<T>): Promise<T> {
    return step({ must: 'not fail' });
  }

  needs(isSo: boolean, otherwise: string): void {
    if (!isSo) throw new NotPlayable(otherwise);
  }

  needsInternalEndpoint(): void {
    this.needs(this.settings.internalUrl !== undefined, 'one endpoint serves both channels');
  }

  needsAttempts(person: KnownPerson, count: number): void {
    const { canAdvance, patients } = this.parts;
    this.needs(
      canAdvance || patients.mayFail(person, count),
      'it needs more failed matches than an hour allows; name more patients, or move the clock',
    );
  }

  /** Lets time pass for the server. @throws NotPlayable where nothing moves its clock and nobody waits */
  async advance(minutes: number, seconds = 0): Promise<void> {
    await this.parts.advance((minutes * 60 + seconds) * 1_000);
  }

  /** Lets time pass until shortly before a lifetime ends. @throws as {@link advance} */
  async advanceBefore(lifetime: Lifetime): Promise<void> {
    const ms = this.parts.pace.untilBefore(lifetime);
    if (ms > 0) await this.parts.advance(ms);
  }

  /** Lets time pass until shortly after a lifetime has ended. @throws as {@link advance} */
  async advanceAfter(lifetime: Lifetime): Promise<void> {
    await this.parts.advance(Math.max(0, this.parts.pace.untilAfter(lifetime)));
  }

  authenticate(
    label: string,
    { exchangeToken, session, person }: Omit<Pending, 'person'> & { person?: KnownPerson },
    options: CallOptions & { properties?: Record<string, unknown> } = {},
  ): Step<Called> {
    const patientProperties = options.properties ?? (person && this.parts.dialect.properties(person));
    const step = this.call(label, 'authenticate', { exchangeToken, patientProperties }, options);
    return async (...expects) => {
      const called = await this.#withSign(await step(...expects), session);
      const { result } = called;
      this.#stillLinked.note(result, person);
      if (result.kind === 'refused' && FAILED_MATCHES.includes(result.code))
        this.parts.patients.noteFailure(patientProperties?.phone);
      if (result.kind === 'done')
        this.#linked.set(session.user, { session, person, userSign: signOf(called) });
      return called;
    };
  }

  /** The interface shows no reply of authenticate (§4.3), and has get_patient return the signature (§4.4). */
  async #withSign(called: Called, session: AuthInfo): Promise<Called> {
    if (called.result.kind !== 'done' || signOf(called) !== undefined) return called;
    const read = await this.#setUp('read the signature', (label) => this.getPatient(label, session));
    return read.result.kind === 'done' ? { ...called, result: read.result, reply: read.reply } : called;
  }

  /** @throws NotPlayable when nobody fits; ScenarioStopped when those who fit stayed linked */
  async patient(
    fits?: (person: KnownPerson) => boolean,
    lacking = 'patient who is free',
  ): Promise<KnownPerson> {
    const person = await this.parts.patients.take(fits);
    const since = person ? undefined : this.parts.patients.heldSince(fits);
    if (since !== undefined) {
      this.parts.recorder.observation({ scenario: since, label: PATIENT_HELD }, { met: this.#scenario });
      throw new ScenarioStopped(heldWords(since), 'EHR server');
    }
    if (!person) throw new NotPlayable(`the file names no ${lacking}`);
    this.#lent.push(person);
    return person;
  }

  /** Lends a patient who fits; where the file names no such patient, lends any other. */
  preferably(fits: (person: KnownPerson) => boolean): Promise<KnownPerson> {
    return this.patient(this.settings.people.matching.some(fits) ? fits : undefined);
  }

  /** Invents a session of a user who can link this patient: a new one, or the user of a link that stayed. */
  sessionFor(person: KnownPerson): AuthInfo {
    return this.session(this.parts.patients.holderOf(person));
  }

  /** The same patient, and a new session of the same user. */
  again({ person, session }: Pick<Pending, 'person' | 'session'>): Pick<Pending, 'person' | 'session'> {
    return { person, session: this.session(session.user) };
  }

  /** Set-up: saves an exchange token that can then be used. */
  async pending({ person: given, session }: Whose = {}): Promise<Pending> {
    const person = given ?? (await this.patient());
    const whose = session ?? this.sessionFor(person);
    const exchangeToken = this.invented('exchange-token');
    await this.mustSucceed('save an exchange token', (label) =>
      this.saveExchangeToken(label, exchangeToken, whose),
    );
    return { person, session: whose, exchangeToken };
  }

  /** Set-up: saves an exchange token for a live session; for a new one where the server refuses that (21a). */
  async pendingFor({ person, session }: Pick<Pending, 'person' | 'session'>): Promise<Pending> {
    const exchangeToken = this.invented('exchange-token');
    const { result } = await this.#setUp('save an exchange token for a session that is alive', (label) =>
      this.saveExchangeToken(label, exchangeToken, session),
    );
    if (result.kind === 'refused') return this.pending(this.again({ person, session }));
    return { person, session, exchangeToken };
  }

  /** Saves an exchange token as set-up, and authenticates with it as the step `label`, which is judged. */
  signIn(
    label: string,
    whose: Whose = {},
    options: Parameters<typeof this.authenticate>[2] = {},
  ): Step<Pending & Called> {
    return this.made.make(label, async (...expects) => {
      const pending = await this.pending(whose);
      return { ...pending, ...(await this.authenticate(label, pending, options)(...expects)) };
    });
  }

  /** Set-up: links a user to a patient by an exchange token, then saves the session, as after any link. */
  async linked(whose: Whose = {}): Promise<Linked> {
    const pending = await this.pending(whose);
    const { session } = pending;
    const { userSign, recordId } = await this.link(pending);
    const { result } = await this.#setUp('record the session', (label) =>
      this.saveAuthInfo(label, session, userSign),
    );
    if (result.kind === 'done') return { ...pending, userSign, recordId };
    // One fault must not hide all others: a new session of the link serves as well.
    const next = await this.saved({ session, userSign });
    return { ...pending, session: next, userSign, recordId };
  }

  /** Set-up: authenticates with a pending exchange token, and returns the signature and the record's id. */
  async link(pending: Pending): Promise<{ userSign: string; recordId: string }> {
    const called = await this.mustSucceed('authenticate', (label) => this.authenticate(label, pending));
    const userSign = signOf(called);
    if (userSign === undefined) throw new ScenarioStopped('authenticate gave no user_sign', 'EHR server');
    return { userSign, recordId: String(recordIn(called.reply).id ?? '') };
  }

  /** Set-up: saves a new session of a linked user. `more` replaces members, such as the ttl of an hour. */
  async saved(linked: Pick<Linked, 'session' | 'userSign'>, more: Partial<AuthInfo> = {}): Promise<AuthInfo> {
    const session = { ...this.session(linked.session.user), ...more };
    await this.mustSucceed('save a session', (label) => this.saveAuthInfo(label, session, linked.userSign));
    return session;
  }

  /** Set-up: removes the link of a user. */
  async disconnected({ session }: Pick<Linked, 'session'>): Promise<void> {
    await this.mustSucceed('disconnect', (label) => this.removeAuthentication(label, session));
  }

  async mustSucceed(what: string, act: (label: string) => Step<Called>): Promise<Called> {
    const label = `set-up ${this.#setUps + 1}: ${what}`;
    const called = await this.#setUp(what, act);
    if (called.result.kind === 'done') return called;
    const because = `the step "${label}" ought to succeed and did not (${describe(called.result)})`;
    throw new ScenarioStopped(because, 'EHR server');
  }

  #setUp(what: string, act: (label: string) => Step<Called>): Promise<Called> {
    return act(`set-up ${++this.#setUps}: ${what}`)();
  }

  /** Returns a world of the same scenario whose calls are not recorded: thousands would fill the journal. */
  unrecorded(): EhrWorld {
    const { user, password } = this.settings.internal;
    const recorder = new Recorder(this.parts.clock, new Knowledge(user, password, new Map()));
    recorder.stop();
    return new EhrWorld({ ...this.parts, recorder }, this.#scenario);
  }

  /** Removes the links of all users but `keeping`. The scenario keeps its patients. */
  async unlinkAll(keeping?: string): Promise<void> {
    for (const [user, link] of this.#linked) {
      if (user === keeping) continue;
      await this.#unlink(link);
      this.#linked.delete(user);
    }
  }

  /** Takes patients out of service whom an earlier scenario left linked. Returns whether there are any. */
  holdLinked(): boolean {
    return this.#stillLinked.hold(this.#lent, this.parts, this.#scenario);
  }

  /** Ends the scenario: removes links, gives patients back, records what replies told of other users. */
  async end(): Promise<void> {
    await this.release();
    const { searched, told } = this.parts.replySearch.takeFound(this.#scenario);
    this.observe(REPLIES_SEARCHED, { searched, told: told?.what ?? '', step: told?.label ?? '' });
  }

  /** `keeping`: a user whose link stays; must be the user of the first patient whom the scenario borrowed. */
  async release(keeping?: string): Promise<void> {
    await this.unlinkAll(keeping);
    const kept = keeping === undefined ? 0 : 1;
    for (const person of this.#lent.splice(kept)) this.parts.patients.giveBack(person, this.#scenario);
  }

  /** Where a new session can still be saved, the link is still there: that session removes it. */
  async #unlink({ session, person, userSign }: MadeLink): Promise<void> {
    const label = 'clean-up';
    const save = async (next: AuthInfo) =>
      userSign !== undefined && (await this.saveAuthInfo(label, next, userSign)()).result.kind === 'done';
    await this.removeAuthentication(label, session)();
    const next = this.session(session.user);
    if (!(await save(next))) return;
    await this.removeAuthentication(label, next)();
    // The link outlived both removals. Later scenarios use the patient with this user alone.
    if (person && (await save(this.session(session.user)))) this.parts.patients.keepFor(person, session.user);
  }
}

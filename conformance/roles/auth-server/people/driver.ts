/** Drives one scenario: plays its users, clients of both servers. */
import { randomToken } from '#protocol/time/random.ts';
import { membersOf } from '#protocol/wire/envelope.ts';
import { ScenarioStopped, sideBySide } from '../../../engine/check/playing.ts';
import type { EhrStepName, Expects, Label, StepName, StepResult } from '../../../engine/journal/entry.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { Fault } from '../../../engine/wire/faults.ts';
import type { Adapter, StepInput } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/steps/http-adapter.ts';
import { part } from '../flows/step-values.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import { limitOf, mayBeLimit, nextCodeAt } from './codes/code-limits.ts';
import { CODE_WAIT_MS, Codes, type RequestedCode } from './codes/codes.ts';
import type { Person } from './people.ts';
import { type Spoiling, spoiltSession } from './spoil.ts';
import { type ChangedOptions, type DriverParts, type StepLabel, Steps } from './steps.ts';
import { LateSaves } from './time/late-saves.ts';
import { LONGEST_WAIT_MS, ScenarioTime } from './time/scenario-time.ts';
import { type StepOptions, stoppedAt, type User, Users } from './users.ts';

export type { DriverParts, StepOptions, User };

const SAVE_METHODS = { 'exchange-token': SAVE_EXCHANGE_TOKEN, 'auth-info': SAVE_AUTH_INFO } as const;

type SaveMethod = keyof typeof SAVE_METHODS;

type Held = { user: User; step: StepName; label: StepLabel; options?: StepOptions };

export class Driver {
  readonly adapter: Adapter;
  readonly time: ScenarioTime;
  readonly users: Users;
  readonly steps: Steps;
  readonly codes: Codes;
  readonly saves: LateSaves;
  readonly #parts: DriverParts;
  readonly #scenario: string;

  constructor(parts: DriverParts, { id }: { id: string }, people: Person[] = []) {
    this.#parts = parts;
    this.#scenario = id;
    this.adapter = parts.adapter;
    this.time = new ScenarioTime(parts, id);
    this.users = new Users({ ...parts, scenario: id }, people);
    // Notes that the person is linked, so that the next scenario makes them new.
    this.steps = new Steps(parts, id, (user) => this.users.wasLinked(user));
    this.codes = new Codes(parts, this.steps, id);
    this.saves = new LateSaves(parts);
  }

  async user(name: string): Promise<User> {
    const { user, person } = this.users.next(name);
    await this.#ready(user, person);
    return user;
  }

  /** Creates one more user; undefined where phones are few. */
  async newcomer(name: string): Promise<User | undefined> {
    return Number.isFinite(this.#parts.people.count) ? undefined : this.user(name);
  }

  /** Creates a user with this phone, which may be one that the run's pattern of phones does not have. */
  async userAt(name: string, phone: string): Promise<User> {
    await this.#untilCodeIsDue(phone);
    return this.users.at(name, { phone, patient: this.#parts.people.patientOfStranger(phone) });
  }

  /** Creates a user for the same person on another device, which has no session and no signature yet. */
  otherDevice({ phone, patient }: User, name: string): User {
    return this.users.at(name, { phone, patient });
  }

  /** Whether the server merely waits while it answers: many steps at once disturb nobody. */
  get serverWaits(): boolean {
    return this.#parts.pace() === 'waits';
  }

  get freePeople(): number {
    return Math.min(this.#parts.people.count, MAX_USERS_AT_ONCE);
  }

  /** Runs `work` for each item with a user of its own, `width` at a time. */
  async forEach<T>(
    items: readonly T[],
    name: (item: T) => string,
    work: (user: User, item: T) => Promise<void>,
    width = DEFAULT_WORKER_COUNT,
  ): Promise<void> {
    // Where phones are few, each worker has one person for all its items.
    const areFew = Number.isFinite(this.#parts.people.count);
    const workers: readonly (Person | undefined)[] = areFew
      ? this.users.people.slice(0, width)
      : Array.from({ length: Math.min(width, items.length) }, () => undefined);
    // The scenario itself does nothing meanwhile, so the clock need not wait for it.
    const enter = this.time.pauseWork();
    const troubles = await sideBySide(items, workers, async (item, theirs) => {
      const leave = this.#parts.time.enter();
      try {
        const person = theirs ?? this.users.oneMore();
        const user = this.users.of(name(item), person);
        await this.#ready(user, person);
        await work(user, item);
      } finally {
        leave();
      }
    });
    enter();
    if (troubles.length > 0) throw troubles[0];
  }

  /** Performs one step. `user` keeps what the step yields, such as a session. */
  async perform(user: User, step: StepName, label: StepLabel, options?: ChangedOptions): Promise<StepResult> {
    if (step === 'requestOtp') await this.codes.take(1);
    const isSaved = step === 'reportLink' || (step === 'confirmOtp' && this.users.isLinked(user));
    const saved = isSaved && this.saves.areSeen ? this.saves.watch() : undefined;
    const result = await this.steps.performNow(user, step, label, options);
    await saved?.(result.kind === 'done' ? user.token : undefined);
    return result;
  }

  /** Performs a step that must succeed: otherwise what comes after it proves nothing, and the flow stops. */
  async mustSucceed(
    user: User,
    step: StepName,
    label: StepLabel,
    { expects = [], ...input }: StepOptions = {},
  ): Promise<void> {
    const control: Expects = { must: 'succeed', isControl: true };
    const result = await this.perform(user, step, label, { ...input, expects: [control, ...expects] });
    if (result.kind !== 'done') throw stoppedAt(label, result);
  }

  callEhr(user: User, step: EhrStepName, label: StepLabel, options?: { defect?: string }) {
    return this.steps.callEhr(user, step, label, options);
  }

  async mustCallEhr(user: User, step: EhrStepName, label: StepLabel): Promise<void> {
    const result = await this.callEhr(user, step, label);
    if (result.kind === 'done') return;
    const { label: text } = this.steps.labelled(label);
    const refused = `the reference EHR server refused "${text}" (${describe(result)})`;
    throw new ScenarioStopped(`${refused}: what it had been sent before does not allow it`, 'auth server');
  }

  /** Requests a code; once more after the pause where an earlier run has requested one a moment ago. */
  async firstCode(
    user: User,
    label: StepLabel,
    waitMs: number,
  ): Promise<RequestedCode & { waited: boolean }> {
    const request = () => this.codes.request(user, label, { waitMs });
    const first = await request();
    const mayBeOfEarlierRun =
      first.result.kind === 'refused' &&
      mayBeLimit(first.result) &&
      this.#parts.people.codesTo(user.phone).length === 0;
    if (!mayBeOfEarlierRun || !(await this.time.passResendPause())) return { ...first, waited: false };
    return { ...(await request()), waited: true };
  }

  /** Requests a code and returns it; '' where the server has no codes. Stops the scenario when none comes. */
  async code(user: User, label: StepLabel, waitMs = CODE_WAIT_MS): Promise<string> {
    if (!this.adapter.has('requestOtp')) return '';
    const { result, code } = await this.firstCode(user, label, waitMs);
    const limit =
      result.kind === 'refused' &&
      mayBeLimit(result) &&
      limitOf(user.phone, this.#parts, this.time.resendPauseMs());
    if (limit) throw new ScenarioStopped(limit, 'environment');
    if (result.kind !== 'done') throw stoppedAt(label, result);
    if (code === undefined)
      throw new ScenarioStopped(`no code came to the phone of ${user.name}`, 'environment');
    return code;
  }

  async signIn(user: User, label: StepLabel, input: StepInput = {}): Promise<void> {
    const code = await this.code(user, part(label, 'request a code'));
    await this.mustSucceed(user, 'confirmOtp', label, { code, ...input });
  }

  /** Signs in with a fresh code, and returns the result, which may be a failure. */
  async trySignIn(user: User, label: StepLabel, options: StepOptions = {}): Promise<StepResult> {
    const code = await this.code(user, part(label, 'request a code'));
    return this.perform(user, 'confirmOtp', label, { code, ...options });
  }

  async signedIn(name: string): Promise<User> {
    const user = await this.user(name);
    await this.signIn(user, `${name} signs in`);
    return user;
  }

  async linked(name: string): Promise<User> {
    const user = await this.signedIn(name);
    await this.link(user, `${name} links`);
    return user;
  }

  /** Links the user at the EHR server, and does not report the link to the authorization server. */
  async linkUnreported(user: User, label: StepLabel): Promise<void> {
    await this.mustSucceed(user, 'exchangeToken', part(label, 'exchange token'));
    await this.mustCallEhr(user, 'authenticate', part(label, 'authenticate'));
  }

  /** Links the user: exchange token, authentication and report, all of which should succeed. */
  async link(user: User, label: StepLabel): Promise<void> {
    await this.linkUnreported(user, label);
    if (this.adapter.has('reportLink')) await this.mustSucceed(user, 'reportLink', part(label, 'report'));
  }

  /** Ends a session by a step or by the clock; false when neither is possible. */
  async expireSession(user: User): Promise<boolean> {
    if (this.adapter.has('expireSession')) return this.steps.help('expireSession', user);
    const minutes = Number(user.ttl ?? Number.NaN);
    return Number.isFinite(minutes) ? this.time.advance(minutes * 60_000 + 1_000) : false;
  }

  get canRestart(): boolean {
    return this.adapter.has('restart') || (this.#parts.server.canRestart && this.#parts.keepsOverRestart);
  }

  /** Restarts the server by a step, or as the kit has started it; false when neither is possible. */
  async restartServer(): Promise<boolean> {
    const { server } = this.#parts;
    if (this.adapter.has('restart')) return server.whileRestarting(() => this.steps.help('restart'));
    if (!this.canRestart) return false;
    await server.restart();
    return true;
  }

  /** Injects a fault into the next `times` calls with this user or token; any call where there is neither. */
  fault(
    { user, token }: User,
    method: SaveMethod,
    fault: Fault,
    times = 1,
    onMet: () => void = () => undefined,
  ): () => void {
    return this.#parts.proxies.authToEhr.arm({
      ...{ method: SAVE_METHODS[method], fault, times, onMet },
      of({ params }) {
        if (user === undefined && token === undefined) return true;
        const info = membersOf(membersOf(params).authInfo);
        return info.user === user || info.token === token;
      },
    });
  }

  /** Begins a step whose call the proxy holds back by a fault, and runs `meanwhile` once it has met it. */
  async whileHeld(
    { user, step, label, options }: Held,
    { method, ...fault }: Fault & { method: SaveMethod },
    meanwhile: () => Promise<unknown>,
  ): Promise<void> {
    let onMet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => {
      onMet = resolve;
    });
    // The fault strikes one call; `end` takes the fault back.
    const end = this.fault(user, method, fault, 1, onMet);
    const ended = this.perform(user, step, label, options);
    // A server that makes no such call must not block the scenario.
    await Promise.race([met, ended]);
    try {
      await meanwhile();
    } finally {
      await ended;
      end();
    }
  }

  inventedToken(): string {
    return randomToken(this.#parts.random);
  }

  giveLongSign({ patient }: User, bytes: number): void {
    this.#parts.longSigns.give(patient, bytes);
  }

  messagesTo(user: User): Promise<number> {
    return this.codes.messagesTo(user);
  }

  observe(label: StepLabel, values: Record<string, number | string | boolean>): void {
    this.#parts.recorder.observation(this.steps.labelled(label), values);
  }

  note(text: string): void {
    this.#parts.recorder.note(text, this.#scenario);
  }

  get certificates() {
    return this.#parts.proxies.authToEhr.certificates;
  }

  /** What a step sends instead of the user's session, changed in this way. */
  spoiltSession(user: User, how: Spoiling): StepInput {
    const { pseudonyms } = this.#parts.recorder.knowledge;
    const learn = (value: string) => void pseudonyms.learn('session-token', value);
    return spoiltSession(user, how, { draw: (below) => this.draw(below), learn });
  }

  /** Tries what the last answer carried as a session, and an invented value if that succeeds. */
  async tryCarried(
    user: User,
    defect: string,
    labels: { carried: StepLabel; inventedInstead: StepLabel },
  ): Promise<void> {
    if (!this.adapter.has('exchangeToken')) return;
    for (const { token, user: named = user.user ?? '' } of this.adapter.carriedSessions?.(user.phone) ?? []) {
      // The step names the user, and nothing says which user it would be.
      if (named === '' && this.whoCalls('exchangeToken').user) continue;
      this.#parts.recorder.knowledge.pseudonyms.learn('session-token', token);
      const sent = { defect, user: named, token };
      const result = await this.perform({ ...user }, 'exchangeToken', labels.carried, sent);
      if (result.kind !== 'done') continue;
      await this.perform({ ...user }, 'exchangeToken', labels.inventedInstead, {
        defect: 'the value is invented',
        user: named,
        ...this.spoiltSession({ ...user, token }, 'invented'),
      });
      return;
    }
  }

  whoCalls(step: StepName): WhoCalls {
    return this.#parts.whoCalls(step);
  }

  draw(below: number): number {
    return Buffer.from(this.#parts.random(4)).readUInt32BE() % below;
  }

  /** Waits until the person may get another code. Makes the person new if an earlier scenario linked them. */
  async #ready(user: User, person: Person): Promise<void> {
    await this.#untilCodeIsDue(user.phone);
    if (person.linkedBefore) await this.#makeNew(user, person);
  }

  /** Removes the link, and signs in, so that the server forgets the link too (decision 34). */
  async #makeNew(user: User, person: Person): Promise<void> {
    const label: Label = { scenario: this.#scenario, label: `${user.name} is made new` };
    await this.time.passResendPause();
    await this.signIn(user, label);
    if ((await this.callEhr(user, 'removeAuthentication', part(label, 'authenticate'))).kind === 'done') {
      await this.time.passResendPause();
      const stale = await this.trySignIn(user, label, { defect: 'their link was removed at the EHR server' });
      if (stale.kind !== 'done') throw stoppedAt(label, stale);
    }
    await this.time.passResendPause();
    person.linkedBefore = false;
    for (const name of ['user', 'token', 'ttl', 'userSign', 'exchangeToken'] as const) delete user[name];
  }

  async #untilCodeIsDue(phone: string): Promise<void> {
    const { people, time, adapter } = this.#parts;
    const due = nextCodeAt(people.codesTo(phone), {
      pauseMs: this.time.resendPauseMs(),
      perDay: adapter.settings.otp?.perDay,
    });
    // Where the clock cannot be moved, the run goes on, is refused, and the report names the limit.
    if (due - time.now() > 0 && (time.canAdvance || due - time.now() <= LONGEST_WAIT_MS))
      await this.time.advance(due - time.now(), {
        longestWaitMs: Number.POSITIVE_INFINITY,
        slackMs: this.time.resendSlackMs(),
      });
  }
}

/** Limits the users of a scenario at once. More of them would show nothing new. */
const MAX_USERS_AT_ONCE = 50;

/** The number of items at a time in {@link Driver.forEach}, unless given. */
const DEFAULT_WORKER_COUNT = 20;

/**
 * Drives a scenario: its users are clients of the server under test and of the kit's EHR server. Records
 * every step.
 */

import { randomToken } from '#protocol/random.ts';
import type { Adapter, StepInput } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/who-calls.ts';
import { describe } from '../journal/describe-result.ts';
import type { EhrStepName, StepName, StepResult } from '../journal/entry.ts';
import { type Label, part, type Scenario } from '../scenarios/scenario.ts';
import type { Fault } from '../servers/proxy/faults.ts';
import type { RequestChange } from '../servers/proxy/request-change.ts';
import { callsOf } from './calls-of.ts';
import { limitOf, mayBeLimit, nextCodeAt } from './code-limits.ts';
import { CODE_WAIT_MS, Codes } from './codes.ts';
import type { DriverParts } from './driver-parts.ts';
import { makeNew } from './make-new.ts';
import type { Person } from './people.ts';
import { LONGEST_WAIT_MS, ScenarioTime } from './scenario-time.ts';
import { sideBySide } from './side-by-side.ts';
import { type Spoiling, spoiltSession } from './spoil.ts';
import { type Attempt, Steps } from './steps.ts';
import { ScenarioStopped, type StepOptions, stoppedAt, type User } from './user.ts';
import { Users } from './users.ts';

export { type DriverParts, ScenarioStopped, type StepOptions, type User };

const SAVE_METHODS = {
  'exchange-token': 'embedded_storage.save_exchange_token',
  'auth-info': 'embedded_storage.save_auth_info',
} as const;

export class Driver extends ScenarioTime {
  readonly adapter: Adapter;
  readonly #parts: DriverParts;
  readonly #scenario: Pick<Scenario, 'id'>;
  /** Requests and learns one-time codes. */
  readonly codes: Codes;
  readonly #steps: Steps;
  readonly #users: Users;

  /** @param people who takes part, in the order in which users are asked for */
  constructor(parts: DriverParts, scenario: Pick<Scenario, 'id'>, people: Person[] = []) {
    super(parts, scenario.id);
    this.#parts = parts;
    this.adapter = parts.adapter;
    this.#scenario = scenario;
    this.#users = new Users({ ...parts, scenario: scenario.id }, people);
    this.#steps = new Steps(parts, (user) => this.#users.wasLinked(user));
    this.codes = new Codes(parts, this.#steps, scenario.id);
  }

  /** Creates a user who is new to the server under test. */
  async user(name: string): Promise<User> {
    const { user, person } = this.#users.next(name);
    await this.#ready(user, person);
    return user;
  }

  /** Creates a user with this phone, which need not be a phone of the run. */
  async userAt(name: string, phone: string): Promise<User> {
    await this.#untilCodeIsDue(phone);
    return this.#users.at(name, { phone, patient: this.#parts.people.patientOfStranger(phone) });
  }

  /** The same person on another device, which knows nothing of the first. */
  otherDevice({ phone, patient }: User, name: string): User {
    return this.#users.at(name, { phone, patient });
  }

  /**
   * Whether the server under test only waits while it answers: then many steps may run at once without
   * disturbing each other.
   */
  get serverWaits(): boolean {
    return this.#parts.pace() === 'waits';
  }

  /** How many people a scenario can have at once. */
  get freePeople(): number {
    return Math.min(this.#parts.people.count, MAX_USERS_AT_ONCE);
  }

  /**
   * Runs `work` with a new person for each item, several at a time. Finishes all items, then throws the first
   * error.
   */
  async forEach<T>(
    items: readonly T[],
    name: (item: T) => string,
    work: (user: User, item: T) => Promise<void>,
    width = DEFAULT_WORKER_COUNT,
  ): Promise<void> {
    // Where phones are few, each worker keeps its own person.
    const few = Number.isFinite(this.#parts.people.count);
    const own: readonly (Person | undefined)[] = few
      ? this.#users.people.slice(0, width)
      : Array.from({ length: Math.min(width, items.length) }, () => undefined);
    const enter = this.pauseWork();
    const troubles = await sideBySide(items, own, async (item, theirs) => {
      const leave = this.#parts.time.enter();
      try {
        const person = theirs ?? this.#users.oneMore();
        const user = this.#users.of(name(item), person);
        await this.#ready(user, person);
        await work(user, item);
      } finally {
        leave();
      }
    });
    enter();
    if (troubles.length > 0) throw troubles[0];
  }

  /** A value of the form of a token that the server under test never gave out. */
  inventedToken(): string {
    return randomToken(this.#parts.random);
  }

  /** Performs one step of the adapter for the user, who remembers what it yields. */
  async perform(user: User, step: StepName, label: Label, options?: StepOptions): Promise<StepResult> {
    if (step === 'requestOtp') await this.#parts.codes.take();
    return this.#steps.perform(user, step, label, options);
  }

  /**
   * Performs steps at the same moment: the proxy holds the last byte of each request, then sends all
   * together.
   */
  atOnce(attempts: readonly Attempt[]): Promise<StepResult[]> {
    return this.#steps.atOnce(attempts);
  }

  /** As {@link perform}; stops the scenario when the step is not done. */
  async mustSucceed(user: User, step: StepName, label: Label, input?: StepInput): Promise<void> {
    const result = await this.perform(user, step, label, input && { input });
    if (result.kind !== 'done') throw stoppedAt(label, result);
  }

  /** Requests a code and learns it; stops the scenario when none comes. */
  async code(user: User, label: Label): Promise<string> {
    if (!this.adapter.has('requestOtp')) return '';
    const { result, code } = await this.codes.request(user, label, { waitMs: CODE_WAIT_MS });
    const limit =
      result.kind === 'refused' && mayBeLimit(result) && limitOf(user.phone, this.#parts, this.resendPauseMs());
    if (limit) throw new ScenarioStopped(limit, 'environment');
    if (result.kind !== 'done') throw stoppedAt(label, result);
    if (code === undefined) throw new ScenarioStopped(`no code came to the phone of ${user.name}`, 'environment');
    return code;
  }

  /** Signs in with a fresh code; stops the scenario when that fails. */
  async signIn(user: User, label: Label, input: StepInput = {}): Promise<void> {
    const code = await this.code(user, part(label, 'request a code'));
    await this.mustSucceed(user, 'confirmOtp', label, { code, ...input });
  }

  /** Signs in with a fresh code, and reports how that ended. */
  async trySignIn(user: User, label: Label, { defect, input = {} }: StepOptions = {}): Promise<StepResult> {
    const code = await this.code(user, part(label, 'request a code'));
    return this.perform(user, 'confirmOtp', label, {
      ...(defect !== undefined && { defect }),
      input: { code, ...input },
    });
  }

  /**
   * Requests an exchange token, links the user to their patient and reports the link; all of it should
   * succeed.
   */
  async link(user: User, label: Label): Promise<void> {
    await this.mustSucceed(user, 'exchangeToken', part(label, 'exchange token'));
    await this.mustCallEhr(user, 'authenticate', part(label, 'authenticate'));
    if (this.adapter.has('reportLink')) await this.mustSucceed(user, 'reportLink', part(label, 'report'));
  }

  /** Makes the client's own call to the EHR server. */
  callEhr(user: User, step: EhrStepName, label: Label, options?: Pick<StepOptions, 'defect'>): Promise<StepResult> {
    return this.#steps.callEhr(user, step, label, options);
  }

  async mustCallEhr(user: User, step: EhrStepName, label: Label): Promise<void> {
    const result = await this.callEhr(user, step, label);
    if (result.kind === 'done') return;
    throw new ScenarioStopped(
      `the reference EHR server refused "${label.label}" (${describe(result)}): what it had been sent before does not allow it`,
      'auth server',
    );
  }

  /**
   * Injects a fault into the next calls of the server under test to the EHR server for this user.
   * @param onMet called at each call that meets the fault
   * @returns a function that removes the fault
   */
  fault(
    user: User,
    method: keyof typeof SAVE_METHODS,
    fault: Fault,
    times = 1,
    onMet: () => void = () => undefined,
  ): () => void {
    return this.#parts.proxies.authToEhr.arm({ method: SAVE_METHODS[method], fault, times, of: callsOf(user), onMet });
  }

  /**
   * Ends a session early, by the adapter's own step or by the clock.
   * @returns false when that is not possible
   */
  async expireSession(user: User): Promise<boolean> {
    if (this.adapter.has('expireSession')) return this.#helper('expireSession', user);
    const minutes = Number(user.ttl ?? Number.NaN);
    return Number.isFinite(minutes) ? this.advanceTime(minutes * 60_000 + 1_000) : false;
  }

  /** Whether {@link restartServer} can be tried. */
  get canRestart(): boolean {
    return this.adapter.has('restart') || (this.#parts.server.canRestart && this.#parts.keepsOverRestart);
  }

  /**
   * Restarts the server under test.
   * @returns false when that is not possible
   */
  async restartServer(): Promise<boolean> {
    const { server } = this.#parts;
    if (this.adapter.has('restart')) return server.expecting(() => this.#helper('restart'));
    if (this.canRestart) await server.restart();
    return this.canRestart;
  }

  async #helper(step: StepName, user?: User): Promise<boolean> {
    const input = user ? this.#steps.inputOf(user, step, {}) : {};
    return (await this.adapter.perform(step, input, this.#parts.signal)).kind === 'done';
  }

  /** As {@link perform}; the proxy changes one thing in the request that the adapter file cannot express. */
  async performChanged(user: User, step: StepName, label: Label, options: StepOptions & { change: RequestChange }) {
    if (step === 'requestOtp') await this.#parts.codes.take();
    return this.#steps.performChanged(user, step, label, options);
  }

  /** The number of messages sent to the user's phone. */
  messagesTo(user: User): Promise<number> {
    return this.adapter.messagesTo(user.phone);
  }

  /** Records values that the kit counted or measured. */
  observe(label: Label, values: Record<string, number | string | boolean>): void {
    this.#parts.recorder.observation(label, values);
  }

  /** The certificates that the EHR server can show; undefined where it speaks plain HTTP. */
  get certificates() {
    return this.#parts.proxies.authToEhr.certificates;
  }

  /**
   * Builds what a step sends instead of the user's session: the token and all kept values, changed in the
   * same way.
   */
  spoiltSession(user: User, how: Spoiling): StepInput {
    const { pseudonyms } = this.#parts.recorder.knowledge;
    const learn = (value: string) => void pseudonyms.learn('session-token', value);
    return spoiltSession(user, how, { draw: (below) => this.draw(below), learn });
  }

  /** How a step tells the server which user calls. */
  whoCalls(step: StepName): WhoCalls {
    return this.#parts.whoCalls(step);
  }

  /** Performs a step several times in one JSON-RPC batch; undefined where the step is no JSON-RPC call. */
  inOneBatch(step: StepName, attempts: readonly Omit<Attempt, 'step'>[]) {
    return this.#steps.inOneBatch(step, attempts);
  }

  /** Draws an integer from 0 to `below`, exclusive. */
  draw(below: number): number {
    return Buffer.from(this.#parts.random(4)).readUInt32BE() % below;
  }

  /** Waits until the person may get another code; makes them new if they were linked. */
  async #ready(user: User, person: Person): Promise<void> {
    await this.#untilCodeIsDue(user.phone);
    if (person.linkedBefore) await makeNew(this, user, { person, scenario: this.#scenario.id });
  }

  /** Waits until the server may send another code to a phone. */
  async #untilCodeIsDue(phone: string): Promise<void> {
    const { people, time, adapter } = this.#parts;
    const due = nextCodeAt(people.codesTo(phone), { pauseMs: this.resendPauseMs(), perDay: adapter.codesPerDay });
    // Without a movable clock the run does not wait until tomorrow; the refusal then names the limit.
    if (due - time.now() > 0 && (time.canAdvance || due - time.now() <= LONGEST_WAIT_MS))
      await this.advanceTime(due - time.now(), {
        longestWaitMs: Number.POSITIVE_INFINITY,
        slackMs: this.resendSlackMs(),
      });
  }
}

/** Limits users at once: more of them show nothing new. */
const MAX_USERS_AT_ONCE = 50;

/** Default number of people at work at once in {@link Driver.forEach}. */
const DEFAULT_WORKER_COUNT = 20;

/** Drives a scenario: users who are clients of the server under test and of the kit's EHR server, every step of theirs in the journal. */

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
  /** One-time codes: how they are requested and learned. */
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

  /** A person who is new to the server under test. */
  async user(name: string): Promise<User> {
    const { user, person } = this.#users.next(name);
    await this.#ready(user, person);
    return user;
  }

  /** Somebody with a phone of this number, which need not be one of the run's people. */
  async userAt(name: string, phone: string): Promise<User> {
    await this.#untilCodeIsDue(phone);
    return this.#users.at(name, { phone, patient: this.#parts.people.patientOfStranger(phone) });
  }

  /** The same person on another device: what the first device knows, it does not. */
  otherDevice({ phone, patient }: User, name: string): User {
    return this.#users.at(name, { phone, patient });
  }

  /** Whether the server under test merely waits while it answers: many may ask it at once, and none disturbs another. */
  get serverWaits(): boolean {
    return this.#parts.pace() === 'waits';
  }

  /** So many new people can be had at once, 50 at most. */
  get freePeople(): number {
    return Math.min(this.#parts.people.count, MAX_CROWD);
  }

  /**
   * Does the same with a new person for each item, several at a time. All are done to their end, then the first trouble
   * is told.
   */
  async forEach<T>(
    items: readonly T[],
    name: (item: T) => string,
    work: (user: User, item: T) => Promise<void>,
    width = DEFAULT_WIDTH,
  ): Promise<void> {
    // Where phones are few, each worker goes on with its own person.
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

  /** A value like a token that the server under test never gave out. */
  inventedToken(): string {
    return randomToken(this.#parts.random);
  }

  /** Performs one step of the adapter in the user's name. What it yields is remembered by the user. */
  async perform(user: User, step: StepName, label: Label, options?: StepOptions): Promise<StepResult> {
    if (step === 'requestOtp') await this.#parts.codes.take();
    return this.#steps.perform(user, step, label, options);
  }

  /** Performs steps at the same moment: their requests wait with the last byte and go together. */
  atOnce(attempts: readonly Attempt[]): Promise<StepResult[]> {
    return this.#steps.atOnce(attempts);
  }

  /** As {@link perform}, and stops the scenario when the step is not done. */
  async mustSucceed(user: User, step: StepName, label: Label, input?: StepInput): Promise<void> {
    const result = await this.perform(user, step, label, input && { input });
    if (result.kind !== 'done') throw stoppedAt(label, result);
  }

  /** Requests a code and learns it as the adapter says; stops the scenario when none comes. */
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

  /** Signs in with a fresh code; stops the scenario when that does not succeed. */
  async signIn(user: User, label: Label, input: StepInput = {}): Promise<void> {
    const code = await this.code(user, part(label, 'request a code'));
    await this.mustSucceed(user, 'confirmOtp', label, { code, ...input });
  }

  /** Signs in with a fresh code, however that ends. */
  async trySignIn(user: User, label: Label, { defect, input = {} }: StepOptions = {}): Promise<StepResult> {
    const code = await this.code(user, part(label, 'request a code'));
    return this.perform(user, 'confirmOtp', label, {
      ...(defect !== undefined && { defect }),
      input: { code, ...input },
    });
  }

  /** Asks for an exchange token, links the user to their patient and reports it, all of which ought to succeed. */
  async link(user: User, label: Label): Promise<void> {
    await this.mustSucceed(user, 'exchangeToken', part(label, 'exchange token'));
    await this.mustCallEhr(user, 'authenticate', part(label, 'authenticate'));
    if (this.adapter.has('reportLink')) await this.mustSucceed(user, 'reportLink', part(label, 'report'));
  }

  /** The client's own call to the EHR server. */
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
   * Puts a fault in the way of the next calls of the server under test to the EHR server on behalf of this user.
   * Returns how to take it away.
   * @param onMet called at each call that meets it
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

  /** Ends a session before its time, by the adapter's own step or by the clock. @returns false when it could not be done */
  async expireSession(user: User): Promise<boolean> {
    if (this.adapter.has('expireSession')) return this.#helper('expireSession', user);
    const minutes = Number(user.ttl ?? Number.NaN);
    return Number.isFinite(minutes) ? this.advanceTime(minutes * 60_000 + 1_000) : false;
  }

  /** Whether {@link restartServer} can be tried. */
  get canRestart(): boolean {
    return this.adapter.has('restart') || (this.#parts.server.canRestart && this.#parts.keepsOverRestart);
  }

  /** Stops the server under test and starts it again. @returns false when it could not be done */
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

  /** As {@link perform}, with one thing changed in the request on its way: what the adapter file has no words for. */
  async performChanged(user: User, step: StepName, label: Label, options: StepOptions & { change: RequestChange }) {
    if (step === 'requestOtp') await this.#parts.codes.take();
    return this.#steps.performChanged(user, step, label, options);
  }

  /** How many messages have come to the user's phone. */
  messagesTo(user: User): Promise<number> {
    return this.adapter.messagesTo(user.phone);
  }

  /** Enters what the harness counted or measured. */
  observe(label: Label, values: Record<string, number | string | boolean>): void {
    this.#parts.recorder.observation(label, values);
  }

  /** The certificates that the EHR server can show; undefined where it speaks plain HTTP. */
  get certificates() {
    return this.#parts.proxies.authToEhr.certificates;
  }

  /** What a step is sent in place of the user's session: its token, and all that its sign-in kept, changed alike. */
  spoiltSession(user: User, how: Spoiling): StepInput {
    const { pseudonyms } = this.#parts.recorder.knowledge;
    const learn = (value: string) => void pseudonyms.learn('session-token', value);
    return spoiltSession(user, how, { draw: (below) => this.draw(below), learn });
  }

  /** By what a step tells the server who calls. */
  whoCalls(step: StepName): WhoCalls {
    return this.#parts.whoCalls(step);
  }

  /** Performs a step several times by one request, a JSON-RPC batch; undefined where the step is no JSON-RPC call. */
  inOneBatch(step: StepName, attempts: readonly Omit<Attempt, 'step'>[]) {
    return this.#steps.inOneBatch(step, attempts);
  }

  /** A number from 0 up to, and without, `below`. */
  draw(below: number): number {
    return Buffer.from(this.#parts.random(4)).readUInt32BE() % below;
  }

  /** Waits until the person may have another code, and makes them new where they were linked. */
  async #ready(user: User, person: Person): Promise<void> {
    await this.#untilCodeIsDue(user.phone);
    if (person.linkedBefore) await makeNew(this, user, { person, scenario: this.#scenario.id });
  }

  /** Waits until the server may send another code to a phone. */
  async #untilCodeIsDue(phone: string): Promise<void> {
    const { people, time, adapter } = this.#parts;
    const due = nextCodeAt(people.codesTo(phone), { pauseMs: this.resendPauseMs(), perDay: adapter.codesPerDay });
    // Where the clock cannot be moved, nobody waits for tomorrow: the refusal says why.
    if (due - time.now() > 0 && (time.canAdvance || due - time.now() <= LONGEST_WAIT_MS))
      await this.advanceTime(due - time.now(), {
        longestWaitMs: Number.POSITIVE_INFINITY,
        slackMs: this.resendSlackMs(),
      });
  }
}

/** More users at once show nothing more. */
const MAX_CROWD = 50;

/** So many people are at work at once in {@link Driver.forEach}. */
const DEFAULT_WIDTH = 20;

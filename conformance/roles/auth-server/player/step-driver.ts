/** Performs and records the steps of a scenario's users, with faults, observations and draws. */
import { randomToken } from '#protocol/time/random.ts';
import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { EhrStepName, StepName, StepResult } from '../../../engine/journal/entry.ts';
import type { Fault } from '../../../engine/wire/faults.ts';
import type { RequestChange } from '../../../engine/wire/request-change.ts';
import type { Adapter, StepInput } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/steps/who-calls.ts';
import type { Person } from '../people/people.ts';
import { type StepOptions, stoppedAt, type User } from '../people/user.ts';
import { Users } from '../people/users.ts';
import { callsOf } from './calls-of.ts';
import { Codes } from './codes/codes.ts';
import type { DriverParts } from './driver-parts.ts';
import { type Spoiling, spoiltSession } from './spoil.ts';
import { type StepLabel, Steps } from './steps.ts';

const SAVE_METHODS = {
  'exchange-token': 'embedded_storage.save_exchange_token',
  'auth-info': 'embedded_storage.save_auth_info',
} as const;

/** @typeParam L labels of the steps of its flow */
export class StepDriver<L extends string = string> extends Steps<L> {
  readonly adapter: Adapter;
  /** Requests and learns one-time codes. */
  readonly codes: Codes;
  protected readonly parts: DriverParts;
  protected readonly users: Users;

  /** @param people who takes part, in the order in which users are asked for */
  constructor(parts: DriverParts, scenario: string, people: Person[]) {
    super(parts, scenario);
    this.parts = parts;
    this.adapter = parts.adapter;
    this.users = new Users({ ...parts, scenario }, people);
    this.codes = new Codes(parts, this, scenario);
  }

  protected override onSign(user: User): void {
    this.users.wasLinked(user);
  }

  /** Performs one step of the adapter for the user, who remembers what it yields. */
  async perform(user: User, step: StepName, label: StepLabel<L>, options?: StepOptions): Promise<StepResult> {
    if (step === 'requestOtp') await this.codes.take(1);
    return this.performNow(user, step, label, options);
  }

  /** As {@link perform}; stops the scenario when the step is not done. */
  async mustSucceed(user: User, step: StepName, label: StepLabel<L>, input?: StepInput): Promise<void> {
    const result = await this.perform(user, step, label, input && { input });
    if (result.kind !== 'done') throw stoppedAt(label, result);
  }

  async mustCallEhr(user: User, step: EhrStepName, label: StepLabel<L>): Promise<void> {
    const result = await this.callEhr(user, step, label);
    if (result.kind === 'done') return;
    throw new ScenarioStopped(
      `the reference EHR server refused "${this.labelled(label).label}" (${describe(result)}): what it had been sent before does not allow it`,
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
    return this.parts.proxies.authToEhr.arm({
      method: SAVE_METHODS[method],
      fault,
      times,
      of: callsOf(user),
      onMet,
    });
  }

  /** A value of the form of a token that the server under test never gave out. */
  inventedToken(): string {
    return randomToken(this.parts.random);
  }

  /** As {@link perform}; the proxy changes one thing in the request. */
  async performChanged(
    user: User,
    step: StepName,
    label: StepLabel<L>,
    options: StepOptions & { change: RequestChange },
  ) {
    if (step === 'requestOtp') await this.codes.take(1);
    return this.performChangedNow(user, step, label, options);
  }

  /** The number of messages sent to the user's phone. */
  messagesTo(user: User): Promise<number> {
    return this.codes.messagesTo(user);
  }

  /** Records values that the kit counted or measured. */
  observe(label: StepLabel<L>, values: Record<string, number | string | boolean>): void {
    this.parts.recorder.observation(this.labelled(label), values);
  }

  /** The certificates that the EHR server can show; undefined where it speaks plain HTTP. */
  get certificates() {
    return this.parts.proxies.authToEhr.certificates;
  }

  /** Builds what a step sends instead of the user's session: token and kept values, changed alike. */
  spoiltSession(user: User, how: Spoiling): StepInput {
    const { pseudonyms } = this.parts.recorder.knowledge;
    const learn = (value: string) => void pseudonyms.learn('session-token', value);
    return spoiltSession(user, how, { draw: (below) => this.draw(below), learn });
  }

  /**
   * Tries what came, in the form of a session, with the user's last answer that is to open none: asks for an
   * exchange token with it and, where that succeeds, with an invented value in its place.
   */
  async tryCarried(
    user: User,
    defect: string,
    labels: { carried: StepLabel<L>; inventedInstead: StepLabel<L> },
  ): Promise<void> {
    if (!this.adapter.has('exchangeToken')) return;
    for (const { token, user: named = user.user ?? '' } of this.adapter.carriedSessions?.(user.phone) ?? []) {
      if (named === '' && this.whoCalls('exchangeToken').user) continue;
      this.parts.recorder.knowledge.pseudonyms.learn('session-token', token);
      const input = { user: named, token };
      const result = await this.perform({ ...user }, 'exchangeToken', labels.carried, { defect, input });
      if (result.kind !== 'done') continue;
      await this.perform({ ...user }, 'exchangeToken', labels.inventedInstead, {
        defect: 'the value is invented',
        input: { user: named, ...this.spoiltSession({ ...user, token }, 'invented') },
      });
      return;
    }
  }

  /** How a step tells the server which user calls. */
  whoCalls(step: StepName): WhoCalls {
    return this.parts.whoCalls(step);
  }

  /** Draws an integer from 0 to `below`, exclusive. */
  draw(below: number): number {
    return Buffer.from(this.parts.random(4)).readUInt32BE() % below;
  }

  /** Performs a step that is no client's message. Returns whether it succeeded. */
  protected async performHelper(step: StepName, user?: User): Promise<boolean> {
    const input = user ? this.inputOf(user, step, {}) : {};
    return (await this.adapter.perform(step, input, this.parts.signal)).kind === 'done';
  }
}

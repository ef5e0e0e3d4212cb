/** Performs and records the steps of a scenario's users, with faults, observations and draws. */
import { randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { StepName, StepResult } from '../../../engine/journal/entry.ts';
import type { Fault } from '../../../engine/wire/faults.ts';
import type { Adapter, StepInput } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/steps/who-calls.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import { Codes } from './codes/codes.ts';
import type { DriverParts } from './driver-parts.ts';
import type { Person } from './people.ts';
import { type Spoiling, spoiltSession } from './spoil.ts';
import { type ChangedOptions, type StepLabel, Steps } from './steps.ts';
import { stoppedAt, type User } from './user.ts';
import { Users } from './users.ts';

const SAVE_METHODS = { 'exchange-token': SAVE_EXCHANGE_TOKEN, 'auth-info': SAVE_AUTH_INFO } as const;

export class StepDriver extends Steps {
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
  async perform(user: User, step: StepName, label: StepLabel, options?: ChangedOptions): Promise<StepResult> {
    if (step === 'requestOtp') await this.codes.take(1);
    return this.performNow(user, step, label, options);
  }

  /** As {@link perform}; stops the scenario when the step is not done. */
  async mustSucceed(user: User, step: StepName, label: StepLabel, input?: StepInput): Promise<void> {
    const result = await this.perform(user, step, label, input);
    if (result.kind !== 'done') throw stoppedAt(label, result);
  }

  /**
   * Injects a fault into the next calls of the server under test to the EHR server for this user: those with
   * the user's id or session token, and every call before the user has either.
   * @param onMet called at each call that meets the fault
   * @returns a function that removes the fault
   */
  fault(
    { user, token }: User,
    method: keyof typeof SAVE_METHODS,
    fault: Fault,
    times = 1,
    onMet: () => void = () => undefined,
  ): () => void {
    return this.parts.proxies.authToEhr.arm({
      ...{ method: SAVE_METHODS[method], fault, times, onMet },
      of({ params }) {
        if (user === undefined && token === undefined) return true;
        const info = isObject(params) && isObject(params.authInfo) ? params.authInfo : {};
        return info.user === user || info.token === token;
      },
    });
  }

  /** A value of the form of a token that the server under test never gave out. */
  inventedToken(): string {
    return randomToken(this.parts.random);
  }

  /** The number of messages sent to the user's phone. */
  messagesTo(user: User): Promise<number> {
    return this.codes.messagesTo(user);
  }

  /** Records values that the kit counted or measured. */
  observe(label: StepLabel, values: Record<string, number | string | boolean>): void {
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
    labels: { carried: StepLabel; inventedInstead: StepLabel },
  ): Promise<void> {
    if (!this.adapter.has('exchangeToken')) return;
    for (const { token, user: named = user.user ?? '' } of this.adapter.carriedSessions?.(user.phone) ?? []) {
      if (named === '' && this.whoCalls('exchangeToken').user) continue;
      this.parts.recorder.knowledge.pseudonyms.learn('session-token', token);
      const sent = { defect, user: named, token };
      const result = await this.perform({ ...user }, 'exchangeToken', labels.carried, sent);
      if (result.kind !== 'done') continue;
      await this.perform({ ...user }, 'exchangeToken', labels.inventedInstead, {
        ...{ defect: 'the value is invented', user: named },
        ...this.spoiltSession({ ...user, token }, 'invented'),
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

/** Where scenarios are played: actors who are clients of the server under test and of the reference EHR, every step of theirs in the journal. */

import { propertiesOf } from '#mis-fixtures/personas.ts';
import type { Clock } from '#protocol/clock.ts';
import { deadline } from '#protocol/clock.ts';
import { callText, isObject, readReply } from '#protocol/envelope.ts';
import type { Patient } from '#protocol/fields.ts';
import { type Random, randomToken } from '#protocol/random.ts';
import type { Adapter, StepInput } from '../adapter/adapter.ts';
import type { EhrStepName, Party, StepName, StepResult } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { Fault } from '../tap/faults.ts';
import type { Tap } from '../tap/tap.ts';
import { patientNumber } from './people.ts';

export type Actor = {
  readonly name: string;
  readonly phone: string;
  readonly patient: Patient;
  user?: string;
  token?: string;
  userSign?: string;
  exchangeToken?: string;
};

/** How a step is entered in the journal; `defect` says what is wrong with it on purpose. */
export type As = { label: string; defect?: string };

/** Thrown to end a scenario that cannot go on; what was played so far is judged. */
export class ScenarioStopped extends Error {
  readonly blame: Party;
  constructor(because: string, blame: Party) {
    super(because);
    this.blame = blame;
  }
}

export type StageParts = {
  adapter: Adapter;
  recorder: Recorder;
  /** Public endpoint of the reference EHR, behind its tap. */
  ehrEndpoint: string;
  authToEhr: Tap;
  clock: Clock;
  random: Random;
  /** A step that takes longer than this has failed, in milliseconds. */
  stepTimeout: number;
  /** Whether a client names its user beside the session's token; a bearer token alone says both. */
  namesUser: boolean;
  signal: AbortSignal;
};

const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';

export class Stage {
  readonly adapter: Adapter;
  readonly #parts: StageParts;
  #people = 0;
  #ids = 0;

  constructor(parts: StageParts) {
    this.#parts = parts;
    this.adapter = parts.adapter;
  }

  /** A new person with a phone that was not used before in this run. */
  actor(name: string, phone?: string): Actor {
    const index = this.#people++;
    const actor = { name, phone: phone ?? this.adapter.phone(index), patient: patientNumber(index) };
    this.#parts.recorder.knowledge.pseudonyms.learn('phone', actor.phone);
    return actor;
  }

  /** A value like a token that the server under test never gave out. */
  inventedToken(): string {
    return randomToken(this.#parts.random);
  }

  /** Performs one step of the adapter in the actor's name. What it yields is remembered by the actor. */
  async perform(actor: Actor, step: StepName, as: As, input: StepInput = {}): Promise<StepResult> {
    const { stepTimeout, clock } = this.#parts;
    if (step === 'reportLink' && actor.userSign === undefined) {
      throw new ScenarioStopped(`${actor.name} was not linked, so there is nothing to report`, 'auth server');
    }
    const limit = deadline(clock, stepTimeout, new Error('The step took too long.'));
    const play = () =>
      this.adapter.perform(
        step,
        this.#inputOf(actor, step, input),
        AbortSignal.any([limit.signal, this.#parts.signal]),
      );
    try {
      const result = await this.#play(actor, step, as, play);
      if (result.kind === 'done') this.#remember(actor, step, result.values);
      return result;
    } finally {
      limit.cancel();
      this.#parts.authToEhr.hangUp();
      this.#parts.signal.throwIfAborted();
    }
  }

  /** As {@link perform}, and stops the scenario when the step is not done. */
  async must(actor: Actor, step: StepName, as: As, input?: StepInput): Promise<void> {
    const result = await this.perform(actor, step, as, input);
    if (result.kind === 'absent')
      throw new ScenarioStopped(`the adapter declares that the server has no step ${step}`, 'environment');
    if (result.kind !== 'done')
      throw new ScenarioStopped(
        `the step "${as.label}" ought to succeed and did not (${describe(result)})`,
        'auth server',
      );
  }

  /** Requests a code and learns it as the adapter says; stops the scenario when none comes. */
  async code(actor: Actor, label: string): Promise<string> {
    const { recorder } = this.#parts;
    if (!this.adapter.has('requestOtp')) return '';
    const before = await this.adapter.messagesTo(actor.phone);
    await this.must(actor, 'requestOtp', { label });
    const code = await this.adapter.codeFor(actor.phone, before, CODE_WAIT);
    if (code === undefined) throw new ScenarioStopped(`no code came to the phone of ${actor.name}`, 'environment');
    recorder.knowledge.pseudonyms.learn('code', code);
    return code;
  }

  /** Signs in with a fresh code; stops the scenario when that does not succeed. */
  async signIn(actor: Actor, label = 'sign in', input: StepInput = {}): Promise<void> {
    const code = await this.code(actor, `${label}: request a code`);
    await this.must(actor, 'confirmOtp', { label }, { code, ...input });
  }

  /** Asks for an exchange token, links the actor to their patient and reports it, all of which ought to succeed. */
  async link(actor: Actor, label = 'link'): Promise<void> {
    await this.must(actor, 'exchangeToken', { label: `${label}: exchange token` });
    await this.mustEhr(actor, 'authenticate', `${label}: authenticate`);
    if (this.adapter.has('reportLink')) await this.must(actor, 'reportLink', { label: `${label}: report` });
  }

  /** The client's own call to the EHR server. */
  async ehr(actor: Actor, step: EhrStepName, as: As): Promise<StepResult> {
    const result = await this.#play(actor, step, as, () => this.#callEhr(actor, step));
    this.#parts.signal.throwIfAborted();
    return result;
  }

  async mustEhr(actor: Actor, step: EhrStepName, label: string): Promise<void> {
    const result = await this.ehr(actor, step, { label });
    if (result.kind === 'done') return;
    throw new ScenarioStopped(
      `the reference EHR server refused "${label}" (${describe(result)}): what it had been sent before does not allow it`,
      'auth server',
    );
  }

  /** Puts a fault in the way of the next calls of the server under test to the EHR server; returns how to take it away. */
  fault(method: 'exchange-token' | 'auth-info', fault: Fault, times = 1): () => void {
    return this.#parts.authToEhr.arm(method === 'exchange-token' ? SAVE_EXCHANGE_TOKEN : SAVE_AUTH_INFO, fault, times);
  }

  /**
   * Lets time pass for the server under test: by its own clock where the adapter can move it, else by waiting, but not
   * longer than `longestWait` milliseconds.
   * @returns false when it could not be done
   */
  async pass(milliseconds: number, longestWait = LONGEST_WAIT): Promise<boolean> {
    if (milliseconds <= 0) return true;
    if (this.adapter.has('advanceClock')) {
      const input = { milliseconds: String(milliseconds) };
      return (await this.adapter.perform('advanceClock', input, this.#parts.signal)).kind === 'done';
    }
    if (milliseconds > longestWait) return false;
    this.note(
      `Waiting ${Math.ceil(milliseconds / 1_000)} s, because the adapter cannot move the clock of the server under test.`,
    );
    await this.wait(milliseconds);
    this.#parts.signal.throwIfAborted();
    return true;
  }

  /** Waits until the server under test sends another code to a phone that got one a moment ago. */
  async passResendPause(): Promise<boolean> {
    const seconds = this.adapter.has('requestOtp') ? (this.adapter.resendAfterSeconds ?? USUAL_RESEND_PAUSE) : 0;
    return this.pass(seconds * 1_000 + (seconds > 0 ? 500 : 0));
  }

  /** Whether there is such a thing as the user of one session with the token of another. */
  get namesUser(): boolean {
    return this.#parts.namesUser;
  }

  /** Waits in real time; ends early when the run is broken off. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#parts.signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#parts.clock.after(milliseconds, done);
      this.#parts.signal.addEventListener('abort', done);
    });
  }

  note(text: string): void {
    this.#parts.recorder.note(text);
  }

  async #play(actor: Actor, step: StepName | EhrStepName, as: As, act: () => Promise<StepResult>): Promise<StepResult> {
    const { recorder, clock } = this.#parts;
    const seq = recorder.step({ actor: actor.name, step, ...as });
    const begun = clock.now();
    const result = await act();
    recorder.outcome(seq, result, clock.now() - begun);
    return result;
  }

  #inputOf(actor: Actor, step: StepName, input: StepInput): StepInput {
    const { phone, user, token, userSign } = actor;
    const kept: StepInput = { phone, ...(user !== undefined && { user }), ...(token !== undefined && { token }) };
    // A sign-in carries the signature only where the scenario says so; a report always does.
    if (step === 'reportLink' && userSign !== undefined) kept.userSign = userSign;
    return { ...kept, ...input };
  }

  #remember(actor: Actor, step: StepName, values: Readonly<Record<string, string>>): void {
    const { pseudonyms } = this.#parts.recorder.knowledge;
    if (step === 'confirmOtp') {
      actor.user = values.user as string;
      actor.token = values.token as string;
      pseudonyms.learn('user', actor.user);
      pseudonyms.learn('session-token', actor.token);
    } else if (step === 'exchangeToken') {
      actor.exchangeToken = values.exchangeToken as string;
      pseudonyms.learn('exchange-token', actor.exchangeToken);
    }
  }

  async #callEhr(actor: Actor, step: EhrStepName): Promise<StepResult> {
    const id = ++this.#ids;
    const { user = '', token = '', exchangeToken = '', patient } = actor;
    const call =
      step === 'authenticate'
        ? {
            id,
            method: 'embedded_storage.authenticate',
            params: { exchangeToken, patientProperties: propertiesOf(patient) },
          }
        : { id, method: EHR_METHODS[step], cred: { user, token } };
    try {
      const response = await fetch(this.#parts.ehrEndpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: callText(call),
        signal: this.#parts.signal,
      });
      const reply = readReply(await response.text(), id);
      if ('error' in reply) {
        const reason = isObject(reply.error.data) ? String(reply.error.data.reason) : '';
        return { kind: 'refused', status: response.status, code: String(reply.error.code), reason };
      }
      const sign = isObject(reply.result) ? reply.result.user_sign : undefined;
      if (typeof sign === 'string') actor.userSign = sign;
      return { kind: 'done', values: {} };
    } catch (error) {
      return { kind: 'failed', what: 'unreachable', detail: error instanceof Error ? error.message : String(error) };
    }
  }
}

const CODE_WAIT = 10_000;

/** A run must not stand still for longer than this, in milliseconds. */
const LONGEST_WAIT = 65_000;

/** What many servers ask for, where the adapter states nothing; in seconds. */
const USUAL_RESEND_PAUSE = 60;

const EHR_METHODS = {
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
} as const;

/** A step's result in a few words. */
export function describe(result: StepResult): string {
  switch (result.kind) {
    case 'done':
      return 'it succeeded';
    case 'refused':
      return `it was refused with HTTP ${result.status}${result.code ? `, code ${result.code}` : ''}${result.reason ? ` (${result.reason})` : ''}`;
    case 'failed':
      return `${result.what}: ${result.detail}`;
    case 'absent':
      return 'the server has no such step';
  }
}

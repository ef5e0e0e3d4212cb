/** Performs and records users' steps: those of the adapter, and the client's calls to the EHR server. */

import { propertiesOf } from '#mis-fixtures/personas.ts';
import { deadline } from '#protocol/time/clock.ts';
import { callText, isObject, readReply } from '#protocol/wire/envelope.ts';
import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import type { EhrStepName, Label, StepName, StepResult } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { RequestChange } from '../../../engine/wire/request-change.ts';
import { STEP_HEADER } from '../../../engine/wire/step-header.ts';
import type { StepInput } from '../adapter/adapter.ts';
import type { StepPart } from '../flows/labels.ts';
import type { SentInput, StepOptions, User } from '../people/user.ts';
import type { DriverParts } from './driver-parts.ts';
import { ScenarioTime } from './time/scenario-time.ts';

/** A step of the scenario by its label, or of any scenario. */
export type StepLabel<L extends string = string> = L | WholeOf<L> | Label;

/** The step that a label is a part of. */
type WholeOf<L extends string> = L extends `${infer Whole}: ${StepPart}` ? Whole : never;

/** One of several steps at the same moment. */
export type Attempt = { user: User; step: StepName; label: StepLabel; options?: StepOptions };

/** @typeParam L labels of the steps of its flow */
export class Steps<L extends string = string> extends ScenarioTime {
  readonly #parts: DriverParts;
  readonly #scenario: string;
  /** `seq` of the newest request by phone, and of the request that yielded a code by phone and code. */
  readonly #requests = new Map<string, number>();
  /** `seq` of the request that yielded an exchange token. */
  readonly #exchanges = new Map<string, string>();
  #ids = 0;

  constructor(parts: DriverParts, scenario: string) {
    super(parts, scenario);
    this.#parts = parts;
    this.#scenario = scenario;
  }

  /** Called when the EHR server gave a user their signature. */
  protected onSign(_user: User): void {
    // Nobody asks who is linked.
  }

  /** A step of this scenario. */
  labelled(label: StepLabel): Label {
    return typeof label === 'string' ? { scenario: this.#scenario, label } : label;
  }

  /** Performs one step, whatever the rate of codes, for the user, who remembers what it yields. */
  async performNow(
    user: User,
    step: StepName,
    label: StepLabel<L>,
    { defect, input = {} }: StepOptions = {},
  ): Promise<StepResult> {
    if (step === 'reportLink' && (input.userSign ?? user.userSign) === undefined)
      throw new ScenarioStopped(`${user.name} was not linked, so there is nothing to report`, 'auth server');
    await this.#parts.requests.take();
    const open = this.#begin(user, step, label, defect);
    return this.#finish(open, user, step, input);
  }

  /** As {@link performNow}; the proxy changes what the adapter file cannot express. */
  protected async performChangedNow(
    user: User,
    step: StepName,
    label: StepLabel<L>,
    { change, defect, input = {} }: StepOptions & { change: RequestChange },
  ): Promise<StepResult> {
    await this.#parts.requests.take();
    const open = this.#begin(user, step, label, defect);
    this.#parts.proxies.clientToAuth.change(open.seq, change);
    return this.#finish(open, user, step, input);
  }

  /** Performs steps at the same moment: the proxy holds each last byte, then sends all together. */
  async atOnce(attempts: readonly Attempt[]): Promise<StepResult[]> {
    await this.#parts.requests.take(attempts.length);
    const open = attempts.map(({ user, step, label, options }) =>
      this.#begin(user, step, label, options?.defect),
    );
    this.#parts.proxies.clientToAuth.gate(open.map(({ seq }) => seq));
    return Promise.all(
      attempts.map(({ user, step, options }, index) =>
        this.#finish(open[index] as Open, user, step, options?.input ?? {}),
      ),
    );
  }

  /**
   * Performs a step several times in one JSON-RPC batch.
   * @returns whether the server answered each call; undefined where the step is no JSON-RPC call
   */
  async inOneBatch(
    step: StepName,
    attempts: readonly Omit<Attempt, 'step'>[],
  ): Promise<{ results: StepResult[]; taken: boolean } | undefined> {
    const send = this.#parts.adapter.batchOf?.(step);
    if (!send) return undefined;
    // A server may count each call of a batch.
    await this.#parts.requests.take(attempts.length);
    const open = attempts.map(({ user, label, options }) => this.#begin(user, step, label, options?.defect));
    const inputs = attempts.map(({ user, options }, index) =>
      this.#sentOf(user, step, options?.input ?? {}, open[index] as Open),
    );
    const { recorder, clock, signal } = this.#parts;
    const answer = await send(inputs, signal);
    signal.throwIfAborted();
    open.forEach((each, index) => {
      const result = answer.results[index] as StepResult;
      recorder.outcome(each, result, clock.now() - each.begun);
      if (result.kind === 'done') this.#remember(attempts[index]?.user as User, step, result.values);
    });
    return answer;
  }

  /** Makes the client's own call to the EHR server. */
  async callEhr(
    user: User,
    step: EhrStepName,
    label: StepLabel<L>,
    { defect }: Pick<StepOptions, 'defect'> = {},
  ) {
    const open = this.#begin(user, step, label, defect);
    const result = await this.#timed(open, () => this.#sendToEhr(user, step, open.seq));
    this.#parts.signal.throwIfAborted();
    return result;
  }

  /** Links a code to the user's last request: what that request yielded belongs to the code. */
  cameFromLastRequest({ phone }: User, code: string): void {
    const request = this.#requests.get(phone);
    if (request !== undefined) this.#requests.set(`${phone} ${code}`, request);
  }

  /** The user's own values for a step; `input` overrides them. */
  inputOf(user: User, step: StepName, input: SentInput): StepInput {
    const { phone, user: id, token, userSign } = user;
    const kept: SentInput = {
      phone,
      ...(id !== undefined && { user: id }),
      ...(token !== undefined && { token }),
    };
    // A sign-in carries the signature only where the scenario says so; a report always does.
    if (step === 'reportLink' && userSign !== undefined) kept.userSign = userSign;
    const { withoutToken, withoutSession, ...sent } = { ...kept, ...input };
    if (withoutToken || withoutSession) delete sent.token;
    if (withoutSession) delete sent.user;
    return sent;
  }

  /** As {@link inputOf}, with the numbers of the step and of its request. */
  #sentOf(user: User, step: StepName, input: SentInput, { seq }: Open): StepInput {
    const sent: StepInput = { ...this.inputOf(user, step, input), stepSeq: String(seq) };
    const ofCode =
      step === 'confirmOtp' ? this.#requests.get(`${user.phone} ${sent.code}`)?.toString() : undefined;
    const request = step === 'reportLink' ? user.linkRequest : ofCode;
    if (request !== undefined) sent.requestSeq ??= request;
    return sent;
  }

  #begin(user: User, step: StepName | EhrStepName, label: StepLabel, defect: string | undefined): Open {
    const { recorder, clock } = this.#parts;
    const open = recorder.step({
      ...this.labelled(label),
      user: user.name,
      step,
      ...(defect !== undefined && { defect }),
    });
    return { ...open, begun: clock.now() };
  }

  async #finish(open: Open, user: User, step: StepName, input: SentInput): Promise<StepResult> {
    const { stepTimeoutMs, clock, signal, recorder } = this.#parts;
    const limit = deadline(clock, stepTimeoutMs, new Error('The step took too long.'));
    const sent = this.#sentOf(user, step, input, open);
    if (step === 'requestOtp') this.#requests.set(user.phone, open.seq);
    if (step === 'confirmOtp' && sent.code !== undefined)
      recorder.knowledge.useCode(sent.code, user.phone, open.seq);
    try {
      const result = await this.#timed(open, () =>
        this.#parts.adapter.perform(step, sent, AbortSignal.any([limit.signal, signal])),
      );
      // The server under test will never know them again.
      if (step === 'removeCorrespondence') this.#parts.people.spend(user.phone);
      // Where phones are few, the person returns as a user who may be another one: their patient must be free
      // by then.
      if (step === 'deleteUser' && result.kind === 'done' && Number.isFinite(this.#parts.people.count))
        await this.#sendToEhr(user, 'removeAuthentication', open.seq);
      if (step === 'requestOtp') this.#parts.codes.answered();
      if (step === 'requestOtp' && result.kind !== 'refused')
        this.#parts.people.codeSentTo(user.phone, this.#parts.time.now());
      if (result.kind === 'done') this.#remember(user, step, result.values);
      if (result.kind === 'done' && step === 'confirmOtp' && sent.code !== undefined)
        recorder.knowledge.spendCode(sent.code, user.phone);
      if (result.kind === 'done' && step === 'exchangeToken')
        this.#exchanges.set(user.exchangeToken as string, String(open.seq));
      return result;
    } finally {
      limit.cancel();
      signal.throwIfAborted();
    }
  }

  async #timed(open: Open, act: () => Promise<StepResult>): Promise<StepResult> {
    const { recorder, clock } = this.#parts;
    const result = await act();
    recorder.outcome(open, result, clock.now() - open.begun);
    return result;
  }

  #remember(user: User, step: StepName, values: Readonly<Record<string, string>>): void {
    const { knowledge } = this.#parts.recorder;
    if (step === 'confirmOtp') {
      user.user = values.user as string;
      user.token = values.token as string;
      if (values.ttl !== undefined) user.ttl = values.ttl;
      knowledge.learnUser(user.user, user.phone);
      knowledge.learnOwned('session-token', user.token, user.phone);
    } else if (step === 'exchangeToken') {
      user.exchangeToken = values.exchangeToken as string;
      knowledge.learnOwned('exchange-token', user.exchangeToken, user.phone);
    }
  }

  async #sendToEhr(user: User, step: EhrStepName, seq: number): Promise<StepResult> {
    const id = ++this.#ids;
    const { user: name = '', token = '', exchangeToken = '', patient } = user;
    const call =
      step === 'authenticate'
        ? {
            id,
            method: 'embedded_storage.authenticate',
            params: { exchangeToken, patientProperties: propertiesOf(patient) },
          }
        : { id, method: EHR_METHODS[step], cred: { user: name, token } };
    try {
      const response = await fetch(this.#parts.ehrEndpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [STEP_HEADER]: String(seq) },
        body: callText(call),
        signal: this.#parts.signal,
      });
      const reply = readReply(await response.text(), id);
      if ('error' in reply) {
        const reason = isObject(reply.error.data) ? String(reply.error.data.reason) : '';
        return { kind: 'refused', status: response.status, code: String(reply.error.code), reason };
      }
      const sign = isObject(reply.result) ? reply.result.user_sign : undefined;
      if (typeof sign === 'string') this.#rememberSign(user, sign);
      const linkedBy = step === 'authenticate' ? this.#exchanges.get(exchangeToken) : undefined;
      if (linkedBy !== undefined) user.linkRequest = linkedBy;
      return { kind: 'done', values: {} };
    } catch (error) {
      return {
        kind: 'failed',
        what: 'unreachable',
        detail: error instanceof Error ? error.message : String(error),
      };
    }
  }

  #rememberSign(user: User, sign: string): void {
    user.userSign = sign;
    this.#parts.recorder.knowledge.learnOwned('user-sign', sign, user.phone);
    this.onSign(user);
  }
}

type Open = ReturnType<Recorder['step']> & { begun: number };

const EHR_METHODS = {
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
} as const;

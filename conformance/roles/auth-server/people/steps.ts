/** Performs and records users' steps: those of the adapter file, and a client's calls to the EHR server. */
import { propertiesOf } from '#mis-fixtures/personas.ts';
import { type Clock, deadline } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { ScenarioStopped } from '../../../engine/check/playing.ts';
import type { EhrStepName, Label, StepName, StepResult, Values } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { Pace, RequestBudget } from '../../../engine/party/pace.ts';
import type { SupervisedServer } from '../../../engine/party/process/supervised-server.ts';
import { readRpcAnswer, type Wanted } from '../../../engine/party/requests/read-answer.ts';
import { send } from '../../../engine/party/requests/send.ts';
import { STEP_HEADER } from '../../../engine/wire/body.ts';
import type { RequestChange } from '../../../engine/wire/request-change.ts';
import type { Adapter, StepInput } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/steps/http-adapter.ts';
import { REMEMBERED } from '../internal-calls.ts';
import type { CodeBudget } from './codes/code-budget.ts';
import type { People } from './people.ts';
import type { TestBed } from './test-bed.ts';
import type { ServerClock } from './time/server-clock.ts';
import type { Begun, SentInput, StepOptions, User } from './users.ts';

/** What all scenarios of a run share. */
export type DriverParts = Pick<TestBed, 'recorder' | 'ehrEndpoint' | 'proxies' | 'longSigns'> & {
  adapter: Adapter;
  people: People;
  /** The clock of the server under test, which the kit moves where it can. */
  time: ServerClock;
  codes: CodeBudget;
  requests: RequestBudget;
  /** Many steps at once do not disturb each other where the server merely waits. */
  pace: () => Pace;
  /** `savesLate`: the server was seen to save a session after it had answered its client. */
  found: { savesLate?: boolean };
  clock: Clock;
  random: Random;
  stepTimeoutMs: number;
  whoCalls: (step: StepName) => WhoCalls;
  server: Pick<SupervisedServer, 'settled' | 'canRestart' | 'restart' | 'whileRestarting'>;
  keepsOverRestart: boolean;
  signal: AbortSignal;
};

/** Converts the ttl that a step yields to minutes, in which the journal has it. */
function inMinutes(result: StepResult, { ttlsPerMinute }: { ttlsPerMinute: number }): StepResult {
  if (result.kind !== 'done' || result.values.ttl === undefined || ttlsPerMinute === 1) return result;
  return { ...result, values: { ...result.values, ttl: String(Number(result.values.ttl) / ttlsPerMinute) } };
}

export type StepLabel = string | Label;

type Attempt = { user: User; step: StepName; label: StepLabel; options?: StepOptions };

/** Options of a step. `change` alters the request on its way, where the adapter file cannot express it. */
export type ChangedOptions = StepOptions & { change?: RequestChange };

export class Steps {
  readonly #parts: DriverParts;
  readonly #scenario: string;
  readonly #onSign: (user: User) => void;
  /** The id of the last call to the EHR server. */
  #lastEhrId = 0;
  /** Numbers (`seq`) of requests for codes: under `phone` the newest, under `phone code` that of the code. */
  readonly #requests = new Map<string, number>();
  /** Numbers (`seq`) of the requests that yielded exchange tokens, by token. */
  readonly #exchanges = new Map<string, string>();

  /** `onSign` is called when the EHR server has given a user their signature. */
  constructor(parts: DriverParts, scenario: string, onSign: (user: User) => void) {
    this.#parts = parts;
    this.#scenario = scenario;
    this.#onSign = onSign;
  }

  labelled(label: StepLabel): Label {
    return typeof label === 'string' ? { scenario: this.#scenario, label } : label;
  }

  /** Performs one step without a wait for the limit on codes. */
  async performNow(
    user: User,
    step: StepName,
    label: StepLabel,
    { change, defect, expects, ...input }: ChangedOptions = {},
  ): Promise<StepResult> {
    if (step === 'reportLink' && (input.userSign ?? user.userSign) === undefined)
      throw new ScenarioStopped(`${user.name} was not linked, so there is nothing to report`, 'auth server');
    await this.#parts.requests.take();
    const open = this.#begin(user, step, label, { defect, expects, code: input.code });
    if (change) this.#parts.proxies.clientToAuth.changeRequest(open.seq, change);
    return this.#finish(open, user, step, input);
  }

  /** Performs steps at the same moment: the proxy holds the last byte of each request back. */
  async atOnce(attempts: readonly Attempt[]): Promise<StepResult[]> {
    await this.#parts.requests.take(attempts.length);
    const begun = attempts.map((attempt) => this.#beginAttempt(attempt));
    this.#parts.proxies.clientToAuth.sendTogether(begun.map(({ open }) => open.seq));
    return Promise.all(begun.map(({ open, user, step, input }) => this.#finish(open, user, step, input)));
  }

  /** Performs a step several times in one JSON-RPC batch, in order; undefined where it is no such call. */
  async inOneBatch(
    step: StepName,
    attempts: readonly Omit<Attempt, 'step'>[],
  ): Promise<{ results: StepResult[]; taken: boolean } | undefined> {
    const { recorder, clock, signal, adapter, requests } = this.#parts;
    const send = adapter.batchOf?.(step);
    if (!send) return undefined;
    // A server may count each call of a batch.
    await requests.take(attempts.length);
    const begun = attempts.map((attempt) => this.#beginAttempt({ ...attempt, step }));
    const answer = await send(
      begun.map(({ open, user, input }) => this.#sentOf(user, step, input, open)),
      signal,
    );
    signal.throwIfAborted();
    for (const [index, { open, user }] of begun.entries()) {
      const result = inMinutes(answer.results[index] as StepResult, recorder.knowledge);
      recorder.outcome(open, result, clock.now() - open.begun);
      if (result.kind === 'done') this.#remember(user, step, result.values);
    }
    return answer;
  }

  async callEhr(user: User, step: EhrStepName, label: StepLabel, about: Omit<Begun, 'code'> = {}) {
    const open = this.#begin(user, step, label, about);
    const result = await this.#timed(open, () => this.#sendToEhr(user, step, open.seq));
    this.#parts.signal.throwIfAborted();
    return result;
  }

  /** Performs a step that no client does, such as a restart of the server. Returns whether it succeeded. */
  async help(step: StepName, user?: User): Promise<boolean> {
    const { adapter, signal } = this.#parts;
    const input = user ? this.#inputOf(user, step, {}) : {};
    return (await adapter.perform(step, input, signal)).kind === 'done';
  }

  /** What the user's last request yielded, such as a challenge, belongs to this code. */
  cameFromLastRequest({ phone }: User, code: string): void {
    const request = this.#requests.get(phone);
    if (request !== undefined) this.#requests.set(`${phone} ${code}`, request);
  }

  /** The values that the user has for a step. Those in `input` replace them. */
  #inputOf(user: User, step: StepName, input: SentInput): StepInput {
    const { phone, user: id, token, userSign } = user;
    const kept: SentInput = { phone };
    if (id !== undefined) kept.user = id;
    if (token !== undefined) kept.token = token;
    // A sign-in carries the signature only where the scenario says so; a report always does.
    if (step === 'reportLink' && userSign !== undefined) kept.userSign = userSign;
    const { withoutToken, withoutSession, ...sent } = { ...kept, ...input };
    if (withoutToken || withoutSession) delete sent.token;
    if (withoutSession) delete sent.user;
    return sent;
  }

  /** The input of a step with its number, and that of the request of its code. */
  #sentOf(user: User, step: StepName, input: SentInput, { seq }: Open): StepInput {
    const sent: StepInput = { ...this.#inputOf(user, step, input), stepSeq: String(seq) };
    const ofCode =
      step === 'confirmOtp' ? this.#requests.get(`${user.phone} ${sent.code}`)?.toString() : undefined;
    const request = step === 'reportLink' ? user.linkRequest : ofCode;
    if (request !== undefined) sent.requestSeq ??= request;
    return sent;
  }

  #begin(user: User, step: StepName | EhrStepName, label: StepLabel, given: Begun): Open {
    const { recorder, clock, people } = this.#parts;
    const about = { ...this.labelled(label), user: user.name, step };
    // A server that remembers a link may save with a signature of an earlier run, unknown to the kit.
    const mayBeRemembered = step === 'confirmOtp' && people.mayBeRemembered(user.phone);
    const defect = given.defect ?? (mayBeRemembered ? REMEMBERED : undefined);
    return { ...recorder.step({ ...about, ...given, defect }), begun: clock.now() };
  }

  #beginAttempt({ user, step, label, options: { defect, expects, ...input } = {} }: Attempt) {
    const open = this.#begin(user, step, label, { defect, expects, code: input.code });
    return { open, user, step, input };
  }

  async #finish(open: Open, user: User, step: StepName, input: SentInput): Promise<StepResult> {
    const { stepTimeoutMs, clock, signal, recorder, adapter } = this.#parts;
    const limit = deadline(clock, stepTimeoutMs, new Error('The step took too long.'));
    const sent = this.#sentOf(user, step, input, open);
    const { code } = step === 'confirmOtp' ? sent : {};
    if (step === 'requestOtp') this.#requests.set(user.phone, open.seq);
    if (code !== undefined) recorder.knowledge.useCode(code, user.phone, open.seq);
    try {
      const either = AbortSignal.any([limit.signal, signal]);
      const result = await this.#timed(open, async () =>
        inMinutes(await adapter.perform(step, sent, either), recorder.knowledge),
      );
      await this.#noteEnd(open, user, step, result);
      if (result.kind === 'done' && code !== undefined) recorder.knowledge.spendCode(code, user.phone);
      return result;
    } finally {
      limit.cancel();
      signal.throwIfAborted();
    }
  }

  async #noteEnd(open: Open, user: User, step: StepName, result: StepResult): Promise<void> {
    const { people, codes, time } = this.#parts;
    if (step === 'requestOtp') codes.answered();
    if (step === 'requestOtp' && result.kind !== 'refused') people.codeSentTo(user.phone, time.now());
    // The phone cannot be used again.
    if (step === 'removeCorrespondence') people.spend(user.phone);
    if (result.kind !== 'done') return;
    if (step === 'confirmOtp') people.signedIn(user.phone);
    // Where phones are few, the old link goes: a patient has one user, and the person may get another.
    if (step === 'deleteUser' && Number.isFinite(people.count))
      await this.#sendToEhr(user, 'removeAuthentication', open.seq);
    this.#remember(user, step, result.values);
    if (step === 'exchangeToken') this.#exchanges.set(user.exchangeToken as string, String(open.seq));
  }

  async #timed(open: Open, act: () => Promise<StepResult>): Promise<StepResult> {
    const { recorder, clock } = this.#parts;
    const result = await act();
    recorder.outcome(open, result, clock.now() - open.begun);
    return result;
  }

  #remember(user: User, step: StepName, values: Values): void {
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
    const result = await this.#callEhrServer(user, step, seq);
    if (result.kind !== 'done') return result;
    const { userSign } = result.values;
    if (userSign !== undefined) {
      user.userSign = userSign;
      this.#parts.recorder.knowledge.learnOwned('user-sign', userSign, user.phone);
      this.#onSign(user);
    }
    const linkedBy = step === 'authenticate' ? this.#exchanges.get(user.exchangeToken ?? '') : undefined;
    if (linkedBy !== undefined) user.linkRequest = linkedBy;
    return { kind: 'done', values: {} };
  }

  async #callEhrServer(
    { user = '', token = '', exchangeToken = '', patient }: User,
    step: EhrStepName,
    seq: number,
  ): Promise<StepResult> {
    const { ehrEndpoint: url, clock, signal, stepTimeoutMs: timeoutMs } = this.#parts;
    const id = ++this.#lastEhrId;
    const params = { exchangeToken, patientProperties: propertiesOf(patient) };
    const sent = step === 'authenticate' ? { params } : { cred: { user, token } };
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      [STEP_HEADER, String(seq)],
    ];
    const body = callText({ id, method: METHODS[step], ...sent });
    const answer = await send({ method: 'POST', url, headers, body }, { clock, timeoutMs, signal });
    return answer.kind === 'failed' ? answer : readRpcAnswer(answer, id, SIGNATURE);
  }
}

/** A step that has begun. `begun` is the time (ms) by the kit's clock. */
type Open = ReturnType<Recorder['step']> & { begun: number };

const METHODS: Readonly<Record<EhrStepName, string>> = {
  authenticate: 'embedded_storage.authenticate',
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
};

/** The replies to two of these methods have the signature of the user. */
const SIGNATURE: Wanted = { places: { userSign: '/result/user_sign' }, required: [], variables: {} };

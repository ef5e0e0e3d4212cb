/** Sends the steps of an adapter file to the server under test, as HTTP requests or JSON-RPC batches. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson, writeJson } from '#protocol/wire/json.ts';
import type { StepName, StepResult, Values } from '../../../../engine/journal/entry.ts';
import {
  isAbsent,
  isManual,
  isRpc,
  type RequestStep,
  type RpcStep,
} from '../../../../engine/party/file/step-schema.ts';
import {
  buildCall,
  buildRequest,
  type HttpRequest,
  type InPlaceOf,
} from '../../../../engine/party/requests/build-request.ts';
import {
  placeText,
  readHttpAnswer,
  readRpcAnswer,
  valuesFrom,
  type Wanted,
} from '../../../../engine/party/requests/read-answer.ts';
import { type Answer, type Failed, send } from '../../../../engine/party/requests/send.ts';
import type { Variables } from '../../../../engine/party/requests/template.ts';
import { Traces } from '../../../../engine/party/requests/traces.ts';
import { STEP_HEADER } from '../../../../engine/wire/body.ts';
import {
  type AdapterParts,
  type Batch,
  type CarriedSession,
  REQUIRED_VALUES,
  type StepInput,
} from '../adapter.ts';
import type { AdapterSettings } from '../file/schema/schema.ts';
import { carriedSessions, KeptValues } from './kept-values.ts';

/** Reads the answer to a batch of calls, whose ids count from `firstId`. */
function readBatchAnswer(
  answer: Answer,
  firstId: number,
  wanted: readonly Wanted[],
): { results: StepResult[]; taken: boolean } {
  const replies = tryJson(answer.text)?.value;
  if (!Array.isArray(replies)) {
    const result = readRpcAnswer(answer, firstId, { places: {}, required: [], variables: {} });
    // The server gave one answer to the whole batch, not a list. Whatever it says, no call was executed.
    const whole: StepResult = result.kind === 'done' ? NOT_TAKEN : result;
    return { results: wanted.map(() => whole), taken: false };
  }
  const results = wanted.map((each, index): StepResult => {
    const own = replies.find((reply) => isObject(reply) && String(reply.id) === String(firstId + index));
    return own === undefined
      ? NOT_TAKEN
      : readRpcAnswer({ ...answer, text: writeJson(own) }, firstId + index, each);
  });
  return { results, taken: !results.includes(NOT_TAKEN) };
}

const NOT_TAKEN: StepResult = {
  kind: 'failed',
  what: 'unexpected-answer',
  detail: 'no answer to a call of the batch',
};

type StepCallsParts = Pick<AdapterParts, 'baseUrl' | 'clock' | 'seed'>;

/** Steps that end a session, so that their answer must not open one. */
const OPEN_NONE: ReadonlySet<StepName> = new Set(['logout', 'deleteUser']);

/** Steps that help the kit. No client sends them, so they bypass the recording proxy and are not judged. */
const HELPERS: readonly StepName[] = ['removeCorrespondence', 'advanceClock', 'expireSession', 'restart'];

/** What a step sends: its input, and the values of its templates. */
type Calling = { input: StepInput; variables: Variables; signal: AbortSignal };

type Answered = Omit<Calling, 'signal'> & { answer: Answer };

export class StepCalls {
  readonly kept = new KeptValues();
  readonly #settings: AdapterSettings;
  readonly #parts: StepCallsParts;
  readonly #baseUrl: string;
  readonly #traces: Traces;
  readonly #keptNothing = new Map<StepName, readonly string[]>();
  readonly #carried = new Map<string, readonly CarriedSession[]>();
  #lastId = 0;

  constructor(settings: AdapterSettings, parts: StepCallsParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#baseUrl = withoutSlash(parts.baseUrl);
    this.#traces = new Traces({ seed: parts.seed, startedAt: parts.clock.now() });
  }

  keptNothing(): readonly string[] {
    return [...this.#keptNothing.values()].flat();
  }

  carriedSessions(phone: string): readonly CarriedSession[] {
    return this.#carried.get(phone) ?? [];
  }

  async call(
    name: StepName,
    step: RpcStep | RequestStep,
    { input, variables: known, signal }: Calling,
  ): Promise<StepResult> {
    const { stepSeq, codeInPlace } = input;
    const inPlace = codeInPlace && { code: codeInPlace };
    const first = await this.#before(step, { variables: known, inPlace, signal });
    if ('kind' in first) return first;
    const variables = { ...known, ...first.variables };
    const id = ++this.#lastId;
    const baseUrl = HELPERS.includes(name) ? withoutSlash(this.#settings.server.url) : this.#baseUrl;
    const request = isRpc(step)
      ? buildCall(step, variables, baseUrl, id, inPlace)
      : buildRequest(step, variables, baseUrl, inPlace);
    if (stepSeq !== undefined && request.url.startsWith(`${this.#baseUrl}/`))
      request.headers = this.#ofStep(request.headers, stepSeq);
    const answer = await send(request, this.#sendParts(signal));
    if (answer.kind === 'failed') return answer;
    const wanted: Wanted = { places: step.extract ?? {}, required: REQUIRED_VALUES[name] ?? [], variables };
    const result = isRpc(step) ? readRpcAnswer(answer, id, wanted) : readHttpAnswer(step, answer, wanted);
    if (OPEN_NONE.has(name) || (name === 'confirmOtp' && result.kind !== 'done'))
      this.#carry({ answer, input, variables });
    else if (name === 'confirmOtp') this.#carried.delete(input.phone ?? '');
    if (result.kind === 'done')
      this.#keep(name, step, { answer, input, variables, before: first.values, opened: result.values.token });
    return result;
  }

  /** Sends the request that the file wants before the step, and returns what it keeps. */
  async #before(
    { before }: RpcStep | RequestStep,
    { variables, inPlace, signal }: Omit<Calling, 'input'> & { inPlace?: InPlaceOf | undefined },
  ): Promise<Failed | { values: Values; variables: Variables }> {
    if (!before) return { values: {}, variables: {} };
    const request = buildRequest(before, variables, this.#baseUrl, inPlace);
    const answer = await send(request, this.#sendParts(signal));
    if (answer.kind === 'failed') return answer;
    const values = valuesFrom(before.keep ?? {}, answer, variables);
    const named = Object.entries(values).map(([name, value]) => [`keep.${name}`, value]);
    return { values, variables: Object.fromEntries(named) };
  }

  batchOf(name: StepName): Batch | undefined {
    const step = this.#settings.steps[name];
    if (step === undefined || isAbsent(step) || isManual(step) || !isRpc(step)) return undefined;
    return (inputs, signal) => this.#sendBatch(name, step, inputs, signal);
  }

  async #sendBatch(name: StepName, step: RpcStep, ...[inputs, signal]: Parameters<Batch>): ReturnType<Batch> {
    const firstId = this.#lastId + 1;
    this.#lastId += inputs.length;
    const calls = inputs.map(({ stepSeq: _own, codeInPlace: _json, spoilt: _wrong, ...about }) => ({
      ...about,
      ...this.kept.of(name, about),
    }));
    const requests = calls.map((call, index) => buildCall(step, call, this.#baseUrl, firstId + index));
    const [first] = requests;
    if (!first) return { results: [], taken: false };
    const headers = this.#ofStep(first.headers, inputs[0]?.stepSeq ?? '');
    const body = `[${requests.map((request) => request.body).join(',')}]`;
    const answer = await send({ ...first, headers, body }, this.#sendParts(signal));
    if (answer.kind === 'failed') return { results: calls.map(() => answer), taken: false };
    const about = { places: step.extract ?? {}, required: REQUIRED_VALUES[name] ?? [] };
    return readBatchAnswer(
      answer,
      firstId,
      calls.map((variables) => ({ ...about, variables })),
    );
  }

  /** The headers with the trace of a step, and with its number for the recording proxy, which removes it. */
  #ofStep(headers: HttpRequest['headers'], stepSeq: string): HttpRequest['headers'] {
    return [...this.#traces.added(headers, stepSeq), [STEP_HEADER, stepSeq]];
  }

  #sendParts(signal: AbortSignal) {
    const { clock } = this.#parts;
    return { clock, timeoutMs: stepTimeout(this.#settings), signal };
  }

  /** Keeps the values of a session that an answer carries although it must open none. */
  #carry({ answer, input, variables }: Answered): void {
    const confirm = this.#settings.steps.confirmOtp;
    const { extract = {}, keep = {} } = !confirm || isAbsent(confirm) || isManual(confirm) ? {} : confirm;
    const carried = carriedSessions({ extract, keep }, answer, variables);
    this.#carried.set(input.phone ?? '', carried);
    // A token that a sign-in yielded already has its values; these must not replace them.
    for (const { token, kept } of carried)
      if (!this.kept.isOpen(token)) this.kept.keep('confirmOtp', kept, input, token);
  }

  /** Keeps what later steps send back, and notes the places of the file that found nothing. */
  #keep(
    name: StepName,
    { keep = {} }: RpcStep | RequestStep,
    { answer, input, variables, before, opened }: Answered & { before: Values; opened?: string | undefined },
  ): void {
    const values = valuesFrom(keep, answer, variables);
    this.kept.keep(name, { ...before, ...values }, input, opened);
    const lacking = Object.entries(keep).filter(([key]) => values[key] === undefined);
    this.#keptNothing.set(
      name,
      lacking.map(([key, place]) => `steps.${name}.keep.${key} (${placeText(place)})`),
    );
  }
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '');

/** How long (ms) the kit waits for the answer to a step: never less than the judged limit `patienceMs`. */
export function stepTimeout({ timeouts: { stepMs, patienceMs } }: Pick<AdapterSettings, 'timeouts'>): number {
  return stepMs ?? Math.max(DEFAULT_STEP_TIMEOUT_MS, patienceMs);
}

/** The limit (ms) of a step when the file states none and `patienceMs` is shorter. */
const DEFAULT_STEP_TIMEOUT_MS = 15_000;

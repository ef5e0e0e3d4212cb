/** Performs the steps of an adapter file that are HTTP requests, alone or in a JSON-RPC batch. */
import type { Clock } from '#protocol/time/clock.ts';
import type { StepName, StepResult } from '../../../../engine/journal/entry.ts';
import {
  isAbsent,
  isManual,
  isRpc,
  type RequestStep,
  type RpcStep,
} from '../../../../engine/party/file/step-schema.ts';
import { buildCall, buildRequest } from '../../../../engine/party/requests/build-request.ts';
import {
  placeText,
  readHttpAnswer,
  readRpcAnswer,
  valuesFrom,
  type Wanted,
} from '../../../../engine/party/requests/read-answer.ts';
import { type Answer, send } from '../../../../engine/party/requests/send.ts';
import type { Variables } from '../../../../engine/party/requests/template.ts';
import { STEP_HEADER } from '../../../../engine/wire/step-header.ts';
import type { Batch, CarriedSession, StepInput } from '../adapter.ts';
import type { AdapterSettings } from '../file/schema/schema.ts';
import { sendBatch } from './batch.ts';
import { carriedSessions } from './carried-sessions.ts';
import { KeptValues } from './kept-values.ts';

export type StepCallsParts = { baseUrl: string; clock: Clock; fetch?: typeof fetch };

/** Values that a step must yield to be done. */
const REQUIRED: Partial<Record<StepName, readonly string[]>> = {
  confirmOtp: ['user', 'token'],
  exchangeToken: ['exchangeToken'],
};

/** Steps that end a session and open none. */
const OPEN_NONE: ReadonlySet<StepName> = new Set(['logout', 'deleteUser']);

/** Steps of the kit itself. They are no messages of a client, so they bypass the proxy. */
const HELPERS: readonly StepName[] = ['removeCorrespondence', 'advanceClock', 'expireSession', 'restart'];

export class StepCalls {
  readonly kept = new KeptValues();
  readonly #settings: AdapterSettings;
  readonly #parts: StepCallsParts;
  /** Without a trailing slash. */
  readonly #baseUrl: string;
  /** By step: the places that had no value in its last answer. */
  readonly #keptNothing = new Map<StepName, readonly string[]>();
  /** By phone: what its last confirmation, if it opened no session, or its last ending carried. */
  readonly #carried = new Map<string, readonly CarriedSession[]>();
  #lastId = 0;

  constructor(settings: AdapterSettings, parts: StepCallsParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#baseUrl = withoutSlash(parts.baseUrl);
  }

  /** The places of `keep` that had no value in the last answer of their step, in words. */
  keptNothing(): readonly string[] {
    return [...this.#keptNothing.values()].flat();
  }

  /** What came, in the form of a session, with this phone's last answer that is to open none. */
  carriedSessions(phone: string): readonly CarriedSession[] {
    return this.#carried.get(phone) ?? [];
  }

  async call(
    name: StepName,
    step: RpcStep | RequestStep,
    { input, variables, signal }: { input: StepInput; variables: Variables; signal: AbortSignal },
  ): Promise<StepResult> {
    const { stepSeq, codeInPlace } = input;
    const inPlace = codeInPlace && { code: codeInPlace };
    const id = ++this.#lastId;
    const baseUrl = HELPERS.includes(name) ? withoutSlash(this.#settings.server.url) : this.#baseUrl;
    const request = isRpc(step)
      ? buildCall(step, variables, baseUrl, id, inPlace)
      : buildRequest(step, variables, baseUrl, inPlace);
    // Only the recording proxy gets the number of the step; it removes the header.
    if (stepSeq !== undefined && request.url.startsWith(`${this.#baseUrl}/`))
      request.headers.push([STEP_HEADER, stepSeq]);
    const answer = await send(request, this.#sendParts(signal));
    if (answer.kind === 'failed') return answer;
    const wanted: Wanted = { places: step.extract ?? {}, required: REQUIRED[name] ?? [], variables };
    const result = isRpc(step) ? readRpcAnswer(answer, id, wanted) : readHttpAnswer(step, answer, wanted);
    if (OPEN_NONE.has(name) || (name === 'confirmOtp' && result.kind !== 'done'))
      this.#carry({ answer, input, variables });
    else if (name === 'confirmOtp') this.#carried.delete(input.phone ?? '');
    if (result.kind === 'done')
      this.#keep(name, step, { answer, input, variables, opened: result.values.token });
    return result;
  }

  /** Returns how to perform a step as a JSON-RPC batch; undefined where it is no JSON-RPC call. */
  batchOf(name: StepName): Batch | undefined {
    const step = this.#settings.steps[name];
    if (step === undefined || isAbsent(step) || isManual(step) || !isRpc(step)) return undefined;
    return (inputs, signal) => {
      const firstId = this.#lastId + 1;
      this.#lastId += inputs.length;
      const calls = inputs.map(({ stepSeq: _own, codeInPlace: _json, spoilt: _wrong, ...about }) => ({
        ...about,
        ...this.kept.of(name, about),
      }));
      return sendBatch(step, calls, {
        firstId,
        baseUrl: this.#baseUrl,
        header: [STEP_HEADER, inputs[0]?.stepSeq ?? ''],
        required: REQUIRED[name] ?? [],
        send: this.#sendParts(signal),
      });
    };
  }

  #sendParts(signal: AbortSignal) {
    const { clock } = this.#parts;
    return { fetch: this.#parts.fetch ?? fetch, clock, timeoutMs: stepTimeout(this.#settings), signal };
  }

  /** Remembers what came in the form of a session with an answer that is to open none. */
  #carry({ answer, input, variables }: { answer: Answer; input: StepInput; variables: Variables }): void {
    const confirm = this.#settings.steps.confirmOtp;
    const { extract = {}, keep = {} } = !confirm || isAbsent(confirm) || isManual(confirm) ? {} : confirm;
    const carried = carriedSessions({ extract, keep }, answer, variables);
    this.#carried.set(input.phone ?? '', carried);
    // A session that was opened keeps its own values.
    for (const { token, kept } of carried)
      if (!this.kept.isOpen(token)) this.kept.keep('confirmOtp', kept, input, token);
  }

  #keep(
    name: StepName,
    { keep = {} }: RpcStep | RequestStep,
    {
      answer,
      input,
      variables,
      opened,
    }: { answer: Answer; input: StepInput; variables: Variables; opened?: string | undefined },
  ): void {
    const values = valuesFrom(keep, answer, variables);
    this.kept.keep(name, values, input, opened);
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

const DEFAULT_STEP_TIMEOUT_MS = 15_000;

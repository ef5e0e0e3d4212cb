/** The adapter that an adapter file describes. A step is an HTTP request, or an instruction to a person. */
import { type Clock, deadline } from '#protocol/clock.ts';
import type { StepName, StepResult, Values } from '../journal/entry.ts';
import { STEP_HEADER } from '../servers/proxy/step-header.ts';
import type { Adapter, Batch, StepInput } from './adapter.ts';
import { sendBatch } from './batch.ts';
import { buildCall, buildRequest } from './build-request.ts';
import { KeptValues } from './kept-values.ts';
import type { LoadedAdapter } from './load.ts';
import type { OtpSource } from './otp/source.ts';
import { phonesOf } from './phones.ts';
import { publicConfiguration } from './public-configuration.ts';
import { placeText, readHttpAnswer, readRpcAnswer, valuesFrom, type Wanted } from './read-answer.ts';
import type { AdapterSettings } from './schema.ts';
import { failed, send } from './send.ts';
import { isAbsent, isManual, isRpc, type ManualStep, type RequestStep, type RpcStep } from './step-schema.ts';
import { fill, type Variables } from './template.ts';

export type AdapterParts = {
  /**
   * Where the client's steps are sent: the recording proxy before the server under test, without a trailing
   * slash.
   */
  baseUrl: string;
  clock: Clock;
  /** Decides which phones this run uses. */
  seed: number;
  /** How codes are learned; closed with the adapter. */
  otp: OtpSource;
  /** The platform's own unless given. */
  fetch?: typeof fetch;
  /** Tells a person what to do now. */
  tell: (sentence: string) => void;
  /** Resolves when the effect of a manual step was seen on the wire, to the values learned there. */
  waitForEffect: (step: StepName, input: StepInput, signal: AbortSignal) => Promise<Values>;
};

/** Values that a step must yield to be done. */
const REQUIRED: Partial<Record<StepName, readonly string[]>> = {
  confirmOtp: ['user', 'token'],
  exchangeToken: ['exchangeToken'],
};

/** Steps of the kit itself. They are no messages of a client, so they bypass the proxy. */
const HELPERS: readonly StepName[] = ['removeCorrespondence', 'advanceClock', 'expireSession', 'restart'];

/**
 * Creates the adapter of a loaded file whose ports are filled in (`fillPorts`). A module's own adapter wraps
 * it.
 */
export async function createAdapter(loaded: LoadedAdapter, parts: AdapterParts): Promise<Adapter> {
  const declared = declaredAdapter(loaded, parts);
  return loaded.wrap ? await loaded.wrap(declared, parts) : declared;
}

function declaredAdapter({ settings }: LoadedAdapter, parts: AdapterParts): Adapter {
  const { steps, people, timeouts } = settings;
  const kept = new KeptValues();
  /** By step: the places that had no value in its last answer. */
  const keptNothing = new Map<StepName, readonly string[]>();
  let lastId = 0;

  async function perform(name: StepName, input: StepInput, signal: AbortSignal): Promise<StepResult> {
    const step = steps[name];
    if (step === undefined || isAbsent(step)) return { kind: 'absent' };
    const { stepSeq: _ours, requestSeq: _its, codeInPlace: _instead, spoilt: _wrong, ...about } = input;
    const variables: Variables = { ...about, ...kept.of(name, input) };
    return isManual(step)
      ? askPerson(name, step, input, variables, signal)
      : call(name, step, { input, variables, signal });
  }

  async function call(
    name: StepName,
    step: RpcStep | RequestStep,
    { input, variables, signal }: { input: StepInput; variables: Variables; signal: AbortSignal },
  ): Promise<StepResult> {
    const { stepSeq, codeInPlace } = input;
    const inPlace = codeInPlace && { code: codeInPlace };
    const id = ++lastId;
    const baseUrl = (HELPERS.includes(name) ? settings.server.url : parts.baseUrl).replace(/\/+$/, '');
    const request = isRpc(step)
      ? buildCall(step, variables, baseUrl, id, inPlace)
      : buildRequest(step, variables, baseUrl, inPlace);
    // Only the recording proxy gets the number of the step; it removes the header.
    if (stepSeq !== undefined && request.url.startsWith(`${parts.baseUrl.replace(/\/+$/, '')}/`))
      request.headers.push([STEP_HEADER, stepSeq]);
    const answer = await send(request, {
      fetch: parts.fetch ?? fetch,
      clock: parts.clock,
      timeoutMs: stepTimeout(settings),
      signal,
    });
    if (answer.kind === 'failed') return answer;
    const wanted: Wanted = { places: step.extract ?? {}, required: REQUIRED[name] ?? [], variables };
    const result = isRpc(step) ? readRpcAnswer(answer, id, wanted) : readHttpAnswer(step, answer, wanted);
    if (result.kind === 'done') {
      const values = valuesFrom(step.keep ?? {}, answer, variables);
      kept.keep(name, values, input, result.values.token);
      const lacking = Object.entries(step.keep ?? {}).filter(([key]) => values[key] === undefined);
      keptNothing.set(
        name,
        lacking.map(([key, place]) => `steps.${name}.keep.${key} (${placeText(place)})`),
      );
    }
    return result;
  }

  function batchOf(name: StepName): Batch | undefined {
    const step = steps[name];
    if (step === undefined || isAbsent(step) || isManual(step) || !isRpc(step)) return undefined;
    return (inputs, signal) => {
      const firstId = lastId + 1;
      lastId += inputs.length;
      const calls = inputs.map(({ stepSeq: _own, codeInPlace: _json, spoilt: _wrong, ...about }) => ({
        ...about,
        ...kept.of(name, about),
      }));
      return sendBatch(step, calls, {
        firstId,
        baseUrl: parts.baseUrl.replace(/\/+$/, ''),
        header: [STEP_HEADER, inputs[0]?.stepSeq ?? ''],
        required: REQUIRED[name] ?? [],
        send: { fetch: parts.fetch ?? fetch, clock: parts.clock, timeoutMs: stepTimeout(settings), signal },
      });
    };
  }

  async function askPerson(
    name: StepName,
    { manual }: ManualStep,
    input: StepInput,
    variables: Variables,
    signal: AbortSignal,
  ): Promise<StepResult> {
    const limit = deadline(parts.clock, timeouts.personMs, new Error('The time is up.'));
    const either = AbortSignal.any([limit.signal, signal]);
    try {
      parts.tell(fill(manual, variables) ?? manual);
      const values = await Promise.race([parts.waitForEffect(name, input, either), aborted(either)]);
      if (values !== ABORTED) return { kind: 'done', values };
      return failed(
        'timeout',
        limit.signal.aborted ? `nobody did it within ${timeouts.personMs} ms` : 'the step was broken off',
      );
    } finally {
      limit.cancel();
    }
  }

  return {
    name: settings.name,
    has: (name) => steps[name] !== undefined && !isAbsent(steps[name]),
    perform,
    batchOf,
    codeFor: parts.otp.codeFor,
    messagesTo: parts.otp.messagesTo,
    countsMessages: parts.otp.countsMessages,
    ...phonesOf(people, parts.seed),
    bindsCodes:
      Object.keys(steps.requestOtp && 'keep' in steps.requestOtp ? (steps.requestOtp.keep ?? {}) : {}).length > 0,
    keptNothing: () => [...keptNothing.values()].flat(),
    isManual: Object.values(steps).some((step) => step !== undefined && isManual(step)),
    requestsPerSecond: settings.server.requestsPerSecond,
    codesPerMinute: settings.otp?.perMinute,
    codesPerDay: settings.otp?.perDay,
    phoneWithoutCorrespondence: people.withoutCorrespondence,
    otpLifetimeSeconds: settings.otp?.lifetimeSeconds,
    resendAfterSeconds: settings.otp?.resendAfterSeconds,
    patienceMs: timeouts.patienceMs,
    publicConfiguration: publicConfiguration(settings),
    close: parts.otp.close,
  };
}

/** How long (ms) the kit waits for the answer to a step: never less than the judged limit `patienceMs`. */
export function stepTimeout({ timeouts: { stepMs, patienceMs } }: Pick<AdapterSettings, 'timeouts'>): number {
  return stepMs ?? Math.max(DEFAULT_STEP_TIMEOUT_MS, patienceMs);
}

const DEFAULT_STEP_TIMEOUT_MS = 15_000;

const ABORTED = Symbol('aborted');

function aborted(signal: AbortSignal): Promise<typeof ABORTED> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(ABORTED);
    signal.addEventListener('abort', () => resolve(ABORTED), { once: true });
  });
}

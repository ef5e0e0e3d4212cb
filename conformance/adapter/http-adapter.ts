/** The adapter that an adapter file describes: every step as an HTTP request, or as a sentence to the person who does it. */
import { type Clock, deadline } from '#protocol/clock.ts';
import type { StepName, StepResult, Values } from '../journal/entry.ts';
import type { Adapter, StepInput } from './adapter.ts';
import { buildCall, buildRequest } from './build-request.ts';
import { KeptValues } from './kept-values.ts';
import type { LoadedAdapter } from './load.ts';
import type { OtpSource } from './otp/source.ts';
import { phonesOf } from './phones.ts';
import { publicConfiguration } from './public-configuration.ts';
import { readHttpAnswer, readRpcAnswer, valuesFrom, type Wanted } from './read-answer.ts';
import type { AdapterSettings } from './schema.ts';
import { failed, send } from './send.ts';
import { isAbsent, isManual, isRpc, type ManualStep, type RequestStep, type RpcStep } from './step-schema.ts';
import { fill, type Variables } from './template.ts';

export type AdapterParts = {
  /** Where the client's steps are sent: the tap before the server under test, without a trailing slash. */
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
  seen: (step: StepName, input: StepInput, signal: AbortSignal) => Promise<Values>;
};

/** What a step must yield to be done. */
const REQUIRED: Partial<Record<StepName, readonly string[]>> = {
  confirmOtp: ['user', 'token'],
  exchangeToken: ['exchangeToken'],
};

/** Helpers of the harness: they are no client's message, so they do not go through the tap. */
const HELPERS: readonly StepName[] = ['removeCorrespondence', 'advanceClock'];

/**
 * The adapter of a loaded file whose ports are filled in (`fillPorts`). When it is a module with a way of its own, that
 * is laid around it.
 */
export async function createAdapter(loaded: LoadedAdapter, parts: AdapterParts): Promise<Adapter> {
  const declared = declaredAdapter(loaded, parts);
  return loaded.wrap ? await loaded.wrap(declared, parts) : declared;
}

function declaredAdapter({ settings }: LoadedAdapter, parts: AdapterParts): Adapter {
  const { steps, people, timeouts } = settings;
  const kept = new KeptValues();
  let lastId = 0;

  async function perform(name: StepName, input: StepInput, signal: AbortSignal): Promise<StepResult> {
    const step = steps[name];
    if (step === undefined || isAbsent(step)) return { kind: 'absent' };
    const variables: Variables = { ...input, ...kept.of(input) };
    return isManual(step) ? askPerson(name, step, input, variables, signal) : call(name, step, variables, signal);
  }

  async function call(
    name: StepName,
    step: RpcStep | RequestStep,
    variables: Variables,
    signal: AbortSignal,
  ): Promise<StepResult> {
    const id = ++lastId;
    const baseUrl = (HELPERS.includes(name) ? settings.server.url : parts.baseUrl).replace(/\/+$/, '');
    const request = isRpc(step) ? buildCall(step, variables, baseUrl, id) : buildRequest(step, variables, baseUrl);
    const answer = await send(request, {
      fetch: parts.fetch ?? fetch,
      clock: parts.clock,
      timeout: stepTimeout(settings),
      signal,
    });
    if (answer.kind === 'failed') return answer;
    const wanted: Wanted = { places: step.extract ?? {}, required: REQUIRED[name] ?? [], variables };
    const result = isRpc(step) ? readRpcAnswer(answer, id, wanted) : readHttpAnswer(step, answer, wanted);
    if (result.kind === 'done') {
      kept.keep(
        valuesFrom(step.keep ?? {}, answer, variables),
        variables.phone,
        result.values.token ?? variables.token,
      );
    }
    return result;
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
      const values = await Promise.race([parts.seen(name, input, either), aborted(either)]);
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
    codeFor: parts.otp.codeFor,
    messagesTo: parts.otp.messagesTo,
    phone: phonesOf(people.phones, parts.seed, people.withoutCorrespondence),
    phoneWithoutCorrespondence: people.withoutCorrespondence,
    otpLifetimeSeconds: settings.otp?.lifetimeSeconds,
    resendAfterSeconds: settings.otp?.resendAfterSeconds,
    patienceMs: timeouts.patienceMs,
    publicConfiguration: publicConfiguration(settings),
    close: parts.otp.close,
  };
}

/** How long the kit waits for the answer to a step, in milliseconds: never less than the patience that is judged. */
export function stepTimeout({ timeouts: { stepMs, patienceMs } }: Pick<AdapterSettings, 'timeouts'>): number {
  return stepMs ?? Math.max(DEFAULT_STEP_MS, patienceMs);
}

const DEFAULT_STEP_MS = 15_000;

const ABORTED = Symbol('aborted');

function aborted(signal: AbortSignal): Promise<typeof ABORTED> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(ABORTED);
    signal.addEventListener('abort', () => resolve(ABORTED), { once: true });
  });
}

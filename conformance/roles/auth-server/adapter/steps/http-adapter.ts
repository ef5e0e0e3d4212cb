/** Creates the adapter that an adapter file describes: a step is an HTTP request, or asks a person. */
import { deadline } from '#protocol/time/clock.ts';
import type { StepName, StepResult } from '../../../../engine/journal/entry.ts';
import {
  isAbsent,
  isManual,
  isRpc,
  type ManualStep,
  type StepSettings,
} from '../../../../engine/party/file/step-schema.ts';
import { failed } from '../../../../engine/party/requests/send.ts';
import { fill, type Variables } from '../../../../engine/party/requests/template.ts';
import type { Adapter, AdapterParts, StepInput } from '../adapter.ts';
import type { LoadedAdapter } from '../file/load.ts';
import { phonesOf } from '../file/phones.ts';
import { StepCalls } from './step-calls.ts';

export type WhoCalls = {
  /** True when the request names the user. Otherwise the token or a kept value alone identifies the user. */
  user: boolean;
  /** True when a value of `keep`, such as a cookie, may identify the session in place of the token. */
  kept: boolean;
};

/** Assumes user and token where the file describes no request, and that a module may send a cookie instead. */
export function whoCalls({ settings, wrap }: LoadedAdapter, name: StepName): WhoCalls {
  const step = settings.steps[name];
  if (step === undefined || isAbsent(step) || isManual(step) || (isRpc(step) && step.cred === 'session'))
    return { user: true, kept: wrap !== undefined };
  // Only the request counts: `extract` and `keep` are about the answer.
  const { extract: _given, keep: _kept, ...sent } = step;
  const text = JSON.stringify(sent);
  const isKept = !/\$\{token\??\}/.test(text) && text.includes('${keep.');
  return { user: /\$\{user\??\}/.test(text), kept: isKept || wrap !== undefined };
}

/** The adapter of a loaded file; where the file is a module with a function, what that returns. */
export async function createAdapter(loaded: LoadedAdapter, parts: AdapterParts): Promise<Adapter> {
  const declared = declaredAdapter(loaded, parts);
  return loaded.wrap ? await loaded.wrap(declared, parts) : declared;
}

function declaredAdapter({ settings }: LoadedAdapter, parts: AdapterParts): Adapter {
  const { steps } = settings;
  const calls = new StepCalls(settings, parts);
  return {
    settings,
    has: (name) => steps[name] !== undefined && !isAbsent(steps[name]),
    async perform(name, input, signal) {
      const step = steps[name];
      if (step === undefined || isAbsent(step)) return { kind: 'absent' };
      // The members taken out here are no variables of templates.
      const { stepSeq: _ours, requestSeq: _its, codeInPlace: _instead, spoilt: _wrong, ...about } = input;
      const variables: Variables = { ...about, ...calls.kept.of(name, input) };
      return isManual(step)
        ? askPerson(name, step, { input, variables, signal, personMs: settings.timeouts.personMs }, parts)
        : calls.call(name, step, { input, variables, signal });
    },
    batchOf: (name) => calls.batchOf(name),
    ...parts.otp,
    ...phonesOf(settings.people, parts.random),
    bindsCodes: keepsSomething(steps.requestOtp),
    keptNothing: () => calls.keptNothing(),
    carriedSessions: (phone) => calls.carriedSessions(phone),
    isManual: Object.values(steps).some((step) => step !== undefined && isManual(step)),
  };
}

function keepsSomething(step: StepSettings | undefined): boolean {
  if (step === undefined || isAbsent(step) || isManual(step)) return false;
  return Object.keys({ ...step.keep, ...step.before?.keep }).length > 0;
}

type PersonStep = { input: StepInput; variables: Variables; signal: AbortSignal; personMs: number };

async function askPerson(
  name: StepName,
  { manual }: ManualStep,
  { input, variables, signal, personMs }: PersonStep,
  { clock, tell, waitForEffect }: AdapterParts,
): Promise<StepResult> {
  const limit = deadline(clock, personMs, new Error('The time is up.'));
  const either = AbortSignal.any([limit.signal, signal]);
  try {
    tell(fill(manual, variables) ?? manual);
    const values = await Promise.race([waitForEffect(name, input, either), aborted(either)]);
    if (values !== ABORTED) return { kind: 'done', values };
    return failed(
      'timeout',
      limit.signal.aborted ? `nobody did it within ${personMs} ms` : 'the step was broken off',
    );
  } finally {
    limit.cancel();
  }
}

const ABORTED = Symbol('aborted');

function aborted(signal: AbortSignal): Promise<typeof ABORTED> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(ABORTED);
    signal.addEventListener('abort', () => resolve(ABORTED), { once: true });
  });
}

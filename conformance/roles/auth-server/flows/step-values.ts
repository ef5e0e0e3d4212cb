/** Short forms that checks use: what came of a step, and how a judgement is built. */
import type { Fault, Judgement, Shown, Steps } from '../../../engine/check/steps.ts';
import type { ExchangeEntry, Label } from '../../../engine/journal/entry.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';

/** The label of a part: `part('Ann signs in', 'request a code')` is 'Ann signs in: request a code'. */
export function part<T extends string | Label>(step: T, name: StepPart): T {
  const labelOf = (label: string) => `${label}: ${name}`;
  // The cast: the compiler does not see that each branch returns the type that came in.
  return (typeof step === 'string' ? labelOf(step) : { ...(step as Label), label: labelOf(step.label) }) as T;
}

const LINK_PARTS = ['exchange token', 'authenticate', 'report'] as const;

type StepPart = (typeof LINK_PARTS)[number] | 'request a code';

/** The parts of the link with this label, as far as they were played. */
export const partsOfLink = (steps: Steps, label: string): PlayedStep[] =>
  LINK_PARTS.flatMap((name) => steps.find(part(label, name)) ?? []);

export const isDone = ({ result }: PlayedStep) => result.kind === 'done';

/** The exchange of the step itself: the adapter may send other requests before it, which the step has as well. */
export const askedBy = ({ step, exchanges }: PlayedStep): ExchangeEntry | undefined => {
  const asked = exchanges.filter(({ link }) => link === 'client->auth');
  return asked.find((each) => each.step === step.seq) ?? asked.at(-1);
};

/** When (ms) the client was answered; the end of a step without a request. */
export const answeredAt = (played: PlayedStep): number => askedBy(played)?.endedAt ?? played.endedAt;

/** Moments closer than this (ms) are simultaneous: the proxies note them a little late. */
export const CLOCK_MARGIN_MS = 20;

/** Whether the client got an error: a refusal, or an error of the server such as HTTP 500. */
export const gotError = ({ result }: PlayedStep) =>
  result.kind === 'refused' || (result.kind === 'failed' && result.what === 'server-error');

/** Whether the server did not do what was asked: the client got an error, or no answer in time. */
export const wasRefused = (played: PlayedStep) => gotError(played) || wasSilent(played);

const wasSilent = ({ result, exchanges }: PlayedStep) =>
  result.kind === 'failed' &&
  result.what === 'timeout' &&
  exchanges.some(({ link, response }) => link === 'client->auth' && !response);

/** A value that a step extracted, such as `token`; undefined where it did not. */
export const yielded = ({ result }: PlayedStep, name: string) =>
  result.kind === 'done' ? result.values[name] : undefined;

/** The judgement that this run shows neither a fault nor that the server is right. `because` says why. */
export const unclear = (because: string, ...shownBy: readonly Shown[]): Judgement => ({
  unclear: because,
  shownBy,
});

/** Judges a control, a step that must succeed before others prove anything: unclear, and why, if it did not. */
export const controlDone = (
  played: PlayedStep,
  because = `the control "${played.step.label}", which ought to succeed, did not`,
): Judgement => (isDone(played) ? undefined : unclear(`${because} (${describe(played.result)})`, played));

export const fault = (expected: string, actual: string, ...shownBy: readonly Shown[]): Fault => ({
  expected,
  actual,
  shownBy,
});

/** A fault that slowness may have caused: inconclusive where the kit itself stood still meanwhile. */
export const faultUnlessSlow = (expected: string, actual: string, ...shownBy: readonly Shown[]): Fault => ({
  ...fault(expected, actual, ...shownBy),
  timeSensitive: true,
});

/** Puts failed flows together that have one cause, so that it is told once. */
import { type Difference, sentenceOf } from './difference.ts';

export type Failure = {
  /** What was seen, in one sentence. */
  readonly sentence: string;
  /** The first message that differs from the right flow. */
  readonly difference?: Difference | undefined;
  /** What else is to be known, such as that the machine was busy. */
  readonly remark?: string | undefined;
};

/** A failure as each report tells it. */
export function linesOf({ sentence, difference, remark }: Failure): string[] {
  const message = difference && `The first differing message: ${sentenceOf(difference)}`;
  return [sentence, message, remark].filter((line) => line !== undefined);
}

export const textOf = (failure: Failure): string => linesOf(failure).join('\n');

export type Cause<F> = Failure & { readonly flows: readonly F[] };

/**
 * Returns the causes, that of the most flows first. Flows have one cause when the same message differs; those
 * without a differing message, when they have seen the same.
 * @param flows in the order of their telling; each cause is told by its first flow
 */
export function causesOf<F extends { readonly failure?: Failure | undefined }>(
  flows: readonly F[],
): Cause<F>[] {
  const causes = new Map<string, Failure & { flows: F[] }>();
  for (const flow of flows) {
    if (!flow.failure) continue;
    const key = flow.failure.difference?.text ?? flow.failure.sentence.replaceAll(/\d+/g, '#');
    const known = causes.get(key);
    if (known) known.flows.push(flow);
    else causes.set(key, { ...flow.failure, flows: [flow] });
  }
  return [...causes.values()].sort((a, b) => b.flows.length - a.flows.length);
}

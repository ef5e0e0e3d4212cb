/** Puts failed flows together that have one cause, so that it is told once. */
import { type Difference, sentenceOf } from './difference.ts';

export type Failure = {
  readonly sentence: string;
  readonly difference?: Difference | undefined;
  /** What else is to be known, such as that the machine was busy. */
  readonly remark?: string | undefined;
};

export function linesOf({ sentence, difference, remark }: Failure): string[] {
  const message = difference && `The first differing message: ${sentenceOf(difference)}`;
  return [sentence, message, remark].filter((line) => line !== undefined);
}

export const textOf = (failure: Failure): string => linesOf(failure).join('\n');

export type Cause<F> = Failure & { readonly flows: readonly F[] };

/** Flows have one cause when the same message differs, or else when they have seen the same. */
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

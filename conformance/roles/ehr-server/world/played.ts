/** What a step of the journal shows. Secrets and patient data are masked in it, by letters of no header. */
import type { Fault, Steps } from '../../../engine/check/steps.ts';
import type { StepResult } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { jsonIn } from './answer.ts';

/** The reply of a step; undefined where there is none, or none that is JSON. */
export const replyIn = ({ exchanges }: PlayedStep): Record<string, unknown> | undefined =>
  jsonIn(exchanges[0]?.response?.body) as Record<string, unknown> | undefined;

/** The value of a header; null where there is none. */
export function headerIn(
  message: { headers: readonly (readonly [string, string])[] } | undefined,
  name: string,
): string | null {
  return message?.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

/** The values of a step that was done; none of another. */
export const valuesOf = ({ result }: { result: StepResult }): Readonly<Record<string, string | undefined>> =>
  result.kind === 'done' ? result.values : {};

/** The signature in a reply, under whichever of its names the server sends it. */
export function signOf(played: { result: StepResult }): string | undefined {
  const { userSign, user_sign } = valuesOf(played);
  return userSign ?? user_sign;
}

/** Requires that two steps gave the same value of each name. */
export function sameValues<L extends string>(
  [first, second]: readonly [NoInfer<L>, NoInfer<L>],
  names: readonly string[],
): (steps: Steps<L>) => Fault | undefined {
  return ({ of }) => {
    const [before, after] = [of(first), of(second)];
    const other = names.find((name) => valuesOf(before)[name] !== valuesOf(after)[name]);
    if (other === undefined) return undefined;
    return {
      expected: `${other} of "${second}" is that of "${first}"`,
      actual: `${valuesOf(after)[other] ?? 'none'} instead of ${valuesOf(before)[other] ?? 'none'}`,
      shownBy: [before, after],
    };
  };
}

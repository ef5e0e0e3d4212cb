/** Reads the steps of a journal. A mask such as ‹session-token 1› stands for the same value throughout. */
import type { Fault, Steps } from '../../../engine/check/steps.ts';
import type { ExchangeEntry, StepResult } from '../../../engine/journal/entry.ts';
import { headerOf } from '../../../engine/journal/header-of.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { jsonIn } from './answer.ts';

/** The type is a wish: the JSON may be a list or a text, too. */
export const replyIn = ({ exchanges }: PlayedStep): Record<string, unknown> | undefined =>
  jsonIn(exchanges[0]?.response?.body) as Record<string, unknown> | undefined;

function leavesOf(value: unknown, way = 'error'): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[way, value]]);
  return new Map(Object.entries(value).flatMap(([name, each]) => [...leavesOf(each, `${way}.${name}`)]));
}

/** Of masked values such as ‹phone 2› only the kind counts. */
function errorOf(played: PlayedStep): Map<string, unknown> {
  const kindAlone = (value: unknown) =>
    typeof value === 'string' ? value.replace(/‹([^›]*) \d+›/g, '‹$1›') : value;
  const leaves = [...leavesOf(replyIn(played)?.error ?? played.result)];
  return new Map(leaves.map(([name, value]) => [name, kindAlone(value)]));
}

const agreed = (errors: readonly Map<string, unknown>[], name: string): unknown =>
  errors.every((error) => error.get(name) === errors[0]?.get(name))
    ? (errors[0]?.get(name) ?? null)
    : undefined;

/** A value that differs even between steps of one kind, such as an incident's number, tells nothing. */
export function whatTells(some: readonly PlayedStep[], others: readonly PlayedStep[]): string | undefined {
  const [own, other] = [some.map(errorOf), others.map(errorOf)];
  const names = new Set([...own, ...other].flatMap((error) => [...error.keys()]));
  return [...names].find((name) => {
    const [here, there] = [agreed(own, name), agreed(other, name)];
    return here !== undefined && there !== undefined && here !== there;
  });
}

export const headerIn = (message: ExchangeEntry['request' | 'response'], name: string): string | null =>
  headerOf(message?.headers, name) ?? null;

export const valuesOf = ({ result }: { result: StepResult }): Readonly<Record<string, string | undefined>> =>
  result.kind === 'done' ? result.values : {};

/** Servers name it userSign, user_sign, or both. */
export function signOf(played: { result: StepResult }): string | undefined {
  const { userSign, user_sign, signInside } = valuesOf(played);
  return userSign ?? user_sign ?? signInside;
}

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

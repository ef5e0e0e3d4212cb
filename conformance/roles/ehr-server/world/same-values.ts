/** Judges that steps gave the same values. */
import type { Fault, Steps } from '../../../engine/check/steps.ts';

/** Requires that two steps gave the same value of each name. */
export function sameValues<L extends string>(
  [first, second]: readonly [NoInfer<L>, NoInfer<L>],
  names: readonly string[],
): (steps: Steps<L>) => Fault | undefined {
  return ({ of }) => {
    const [before, after] = [of(first), of(second)];
    const valueNamed = ({ result }: typeof before, name: string) =>
      result.kind === 'done' ? result.values[name] : undefined;
    const other = names.find((name) => valueNamed(before, name) !== valueNamed(after, name));
    if (other === undefined) return undefined;
    return {
      expected: `${other} of "${second}" is that of "${first}"`,
      actual: `${valueNamed(after, other) ?? 'none'} instead of ${valueNamed(before, other) ?? 'none'}`,
      shownBy: [before, after],
    };
  };
}

/** Facts about several tokens together: they have little in common. */
import type { Fact } from '../fact.ts';
import type { Trace } from '../trace/traced-call.ts';
import { RANK } from './rank.ts';

/** Values of steps that nobody may guess from others of their kind. */
const KINDS = { token: 'session tokens', exchangeToken: 'exchange tokens' } as const;

/** Tokens with so few places in which they differ can be guessed from each other. */
const MIN_APART = 8;
/** Numbers of tokens that are compared with each other. */
const COUNTS = [2, 4];

/** Facts about the first tokens of each kind. */
export const factsOfTokens = (trace: Trace): Fact[] =>
  Object.entries(KINDS).flatMap(([kind, words]) => {
    const given = trace.calls.flatMap(({ key, result }) => {
      const value = result?.kind === 'done' ? result.values[kind] : undefined;
      const name = value && trace.names.get(value);
      return value && name ? [{ key, value, name }] : [];
    });
    const different = given.filter(
      ({ value }, index) => given.findIndex((each) => each.value === value) === index,
    );
    return COUNTS.filter((count) => count <= different.length).flatMap((count) =>
      apart(different.slice(0, count), words),
    );
  });

type GivenToken = { key: string; value: string; name: string };

function apart(given: readonly GivenToken[], words: string): Fact[] {
  const last = given.at(-1);
  if (!last || leastApart(given.map(({ value }) => value)) < MIN_APART) return [];
  return [
    {
      ...{ id: `${given.length} ${words} apart`, key: last.key, rank: RANK.code, isPortable: true },
      text: `${given.length} ${words} differ from each other in at least ${MIN_APART} places`,
      write(writer) {
        const values = given.map(({ name }) => writer.value(name));
        if (values.includes(undefined)) return undefined;
        const list = `[${values.join(', ')}]`;
        return { test: `leastApart(${list}) >= ${MIN_APART}`, seen: `${list}.join(', ')` };
      },
    },
  ];
}

/** In how many places two of the texts differ at least. `leastApart` of the script says the same. */
function leastApart(texts: readonly string[]): number {
  const differing = (one: string, two: string) =>
    Array.from({ length: Math.max(one.length, two.length) }, (_, index) => index).filter(
      (index) => one.at(-1 - index) !== two.at(-1 - index),
    ).length;
  const pairs = texts.flatMap((one, index) => texts.slice(index + 1).map((two) => differing(one, two)));
  return Math.min(...pairs);
}

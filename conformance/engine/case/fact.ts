/** A fact about a trace, and how a script says it. Two traces are compared by the facts that hold in them. */
import { SET_UP } from './acted/labels.ts';
import { RANK } from './facts/rank.ts';

/** Writes parts of a fact as expressions of one script. Undefined: the script has no such part. */
export type Writer = {
  /** The variable of the answer to the call of this key. */
  answer(key: string): string | undefined;
  /** What the party sent during the call of this key with this method: a list of calls. */
  sent(key: string, method: string): string | undefined;
  /** The value of this name, such as `token of Mia`, as it is known after the call of this key. */
  value(name: string): string | undefined;
  /** The codes that came after the call of this key. */
  code(key: string, index: number): string | undefined;
  /** How many messages came to the phone of this name, and how many of them by other calls than this one. */
  messages(name: string, key: string): { all: string; others: number } | undefined;
};

/** How a script tests a fact, and the expression of what it shows where the fact does not hold. */
export type Tested = { test: string; seen: string };

export type Fact = {
  /** Equal in two traces where the same holds. */
  readonly id: string;
  /** The call in which it shows. */
  readonly key: string;
  /** The message of the party that it is about; without this message in the other trace it says nothing. */
  readonly message?: string;
  /** How much it says about a fault: the lower, the more. */
  readonly rank: number;
  /** Whether it can be compared between two parties whose interfaces to clients differ. */
  readonly isPortable: boolean;
  /** Whether it shows in what a person sees, which a script does not know where a person acts. */
  readonly isShown?: boolean;
  /** The fact in words, as a demand. */
  readonly text: string;
  readonly write: (writer: Writer) => Tested | undefined;
};

/** The facts of the right trace that do not hold in the wrong one, those first that say most. */
export function differences(
  right: readonly Fact[],
  wrong: readonly Fact[],
  { near, played }: { near: ReadonlySet<string>; played: ReadonlySet<string> },
): Fact[] {
  const held = new Set(wrong.map(({ id }) => id));
  const messages = new Set([undefined, ...wrong.map(({ message }) => message)]);
  const rankOf = ({ rank, key }: Fact) => rank + (near.has(key) ? 0 : FAR);
  const differing = right.filter(
    ({ id, key, message }) => played.has(key) && !held.has(id) && messages.has(message),
  );
  const isNear = ({ key }: Fact) => near.has(key);
  // Where a call that the check blames ends otherwise, a difference elsewhere may be another fault.
  const isPlain = differing.some((fact) => isNear(fact) && fact.rank === RANK.outcome);
  const telling = isPlain ? differing.filter((fact) => isNear(fact) && fact.rank < RANK.header) : differing;
  return telling.sort((a, b) => rankOf(a) - rankOf(b));
}

/** What a fact loses in rank where the finding of the check does not blame its call. */
const FAR = 45;

/** The assertion in one sentence: the check's own words, and the fact that shows it here. */
export function sentenceOf(expected: string, fact: Fact): string {
  const text = fact.text.replaceAll(SET_UP, '');
  return expected.startsWith(text) ? expected : `${expected}: ${text}`;
}

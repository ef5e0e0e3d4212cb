/** The messages of a run in which all was right, and where another run goes another way. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { Link } from '#conformance/engine/journal/entry.ts';
import { errorTable, isReason } from '#protocol/wire/errors.ts';
import { type CrossedCall, wordsOf } from '#testing/recording/calls.ts';

type Message = Pick<CrossedCall, 'link' | 'method' | 'outcome'>;

/** The first message in which a flow goes another way. */
export type Difference = {
  /** The number of the message on the page, unless it is missing. */
  readonly seq: number | undefined;
  /** In words, without the number. Equal for flows that fail by one cause. */
  readonly text: string;
};

export function differenceOf(
  calls: readonly (Message & Pick<CrossedCall, 'seq'>)[],
  right: readonly Message[],
): Difference | undefined {
  const length = Math.max(calls.length, right.length);
  const at = Array.from({ length }, (_, index) => index).find((index) => {
    const [own, other] = [calls[index], right[index]];
    return own === undefined || other === undefined || !isSame(own, other);
  });
  if (at === undefined) return undefined;
  const [own, other] = [calls[at], right[at]];
  const here = own ? wordsOf(own) : 'missing';
  return { seq: own?.seq, text: `${here}. ${rightWords(own, other)}` };
}

/** Another server may give the number of an error without its reason. */
function isSame(own: Message, other: Message): boolean {
  const byNumber = isReason(other.outcome) ? `error ${errorTable[other.outcome].code}` : other.outcome;
  return [other, { ...other, outcome: byNumber }].some((right) => wordsOf(own) === wordsOf(right));
}

/** Returns the difference as one sentence, such as `message 5 is … In the right flow it is …`. */
export function sentenceOf({ seq, text }: Difference): string {
  return `${seq === undefined ? 'a further message' : `message ${seq}`} is ${text}`;
}

function rightWords(own: Message | undefined, other: Message | undefined): string {
  if (!other) return 'In the right flow there is no further message.';
  const isSameCall = own?.link === other.link && own.method === other.method;
  return `In the right flow it is ${isSameCall ? `answered with ${other.outcome}` : wordsOf(other)}.`;
}

const file = new URL('right-flows.json', import.meta.url);

/** Separates the words of a message: `client->ehr patient.get_patient ok`. */
const GAP = ' ';

let read: Record<string, readonly string[]> | undefined;

export function rightMessages(test: {
  readonly file: string;
  readonly title: string;
}): Message[] | undefined {
  read ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>;
  return read[keyOf(test)]?.map((line) => {
    const [link = '', method = '', ...outcome] = line.split(GAP);
    return { link: link as Link, method, outcome: outcome.join(GAP) };
  });
}

export function keepMessages(
  flows: readonly { readonly file: string; readonly title: string; readonly calls: readonly Message[] }[],
): void {
  const kept = flows
    .filter(({ calls }) => calls.length > 0)
    .map(
      (flow) =>
        [keyOf(flow), flow.calls.map((call) => [call.link, call.method, call.outcome].join(GAP))] as const,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 1)}\n`);
}

const keyOf = (test: { file: string; title: string }) => `${test.file} > ${test.title}`;

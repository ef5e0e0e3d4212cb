/** Says where a failed flow of any parties goes another way than the right flow. */

import type { Parties } from './parties/open.ts';
import type { PlayedFlow } from './play-flows.ts';
import { type Difference, differenceOf, sentenceOf } from './report/difference.ts';
import { rightMessages } from './report/right-flows.ts';

const OWN_FLOWS = 'e2e/flows/flows.test.ts';

export type ExplainedFlow = PlayedFlow & {
  /** The first message in which a failed flow differs from the right flow; masked. */
  readonly difference: Difference | undefined;
};

export function explain(played: PlayedFlow, { seesInternal, recorder }: Parties): ExplainedFlow {
  const { name, sentence } = played.flow;
  const right = rightMessages({ file: OWN_FLOWS, title: `${name}: ${sentence}` });
  if (played.outcome !== 'failed' || !right) return { ...played, difference: undefined };
  const comparable = right.filter(({ link }) => seesInternal || link !== 'auth->ehr');
  const found = differenceOf(played.calls, comparable);
  return {
    ...played,
    difference: found && { ...found, text: recorder.knowledge.pseudonyms.mask(found.text) },
  };
}

export const differenceText = ({ difference }: ExplainedFlow): string | undefined =>
  difference && sentenceOf(difference);

/** Makes a mistake in a handler fail the test at its place, instead of looking like an answer of a server. */

import { type CallReport, onText, type Pipeline, type TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Reason } from '#protocol/wire/errors.ts';

/** Between handlers in one process, nothing but a mistake is the cause of these. */
const REASONS_OF_MISTAKES: readonly (Reason | undefined)[] = [
  'internal_error',
  'ehr_unreachable',
  'ehr_bad_reply',
];

/**
 * Returns a pipeline that throws the cause of such an error instead of answering it.
 * @param create builds the pipeline with the given report function
 */
export function strictly(create: (report: (report: CallReport) => void) => Pipeline): TextPipeline {
  return async (text, channel) => {
    const mistakes: unknown[] = [];
    const pipeline = create(({ reason, cause }) => {
      if (REASONS_OF_MISTAKES.includes(reason) && cause !== undefined) mistakes.push(cause);
    });
    const answer = await onText(pipeline)(text, channel);
    if (mistakes.length > 0) throw mistakes[0];
    return answer;
  };
}

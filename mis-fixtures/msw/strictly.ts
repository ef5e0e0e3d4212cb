/** Makes a mistake in a handler fail the test at its place, instead of looking like an answer of a server. */
import { type CallReport, onText, type Pipeline, type TextPipeline } from '#protocol/pipeline.ts';

/**
 * Returns a pipeline that throws the cause of an `internal_error` instead of answering it.
 * @param create builds the pipeline with the given report function
 */
export function strictly(create: (report: (report: CallReport) => void) => Pipeline): TextPipeline {
  return async (text, channel) => {
    const mistakes: unknown[] = [];
    const pipeline = create(({ reason, cause }) => {
      if (reason === 'internal_error' && cause !== undefined) mistakes.push(cause);
    });
    const answer = await onText(pipeline)(text, channel);
    if (mistakes.length > 0) throw mistakes[0];
    return answer;
  };
}

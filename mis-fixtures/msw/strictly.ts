/** Keeps a mistake in a handler from passing for an answer of a server: a test should end where the mistake is. */
import type { CallReport, Pipeline } from '#protocol/pipeline.ts';

/**
 * A pipeline that throws what it would have answered as `internal_error` with a cause that nobody sees.
 * @param create builds the pipeline with the report that it is given
 */
export function strictly(create: (report: (report: CallReport) => void) => Pipeline): Pipeline {
  return async (text, channel) => {
    const mistakes: unknown[] = [];
    const pipeline = create(({ reason, cause }) => {
      if (reason === 'internal_error' && cause !== undefined) mistakes.push(cause);
    });
    const answer = await pipeline(text, channel);
    if (mistakes.length > 0) throw mistakes[0];
    return answer;
  };
}

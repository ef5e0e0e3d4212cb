/** Servers that are wrong in one known way: the harness proves with them that each of its checks can fail. */
import type { Pipeline } from '#protocol/pipeline.ts';
import type { Context } from './context.ts';
import type { Digest } from './ehr-client.ts';

export type Variation = {
  /** Makes `cred.token` of the calls to the EHR server. */
  digest?: Digest;
  /** Takes the place of parts that the methods work with. */
  context?: (context: Context) => Context;
  /** Takes the place of the way from a request body to its answer. */
  pipeline?: (pipeline: Pipeline, context: Context) => Pipeline;
};

export function varyContext(variation: Variation | undefined, context: Context): Context {
  return variation?.context?.(context) ?? context;
}

export function varyPipeline(variation: Variation | undefined, pipeline: Pipeline, context: Context): Pipeline {
  return variation?.pipeline?.(pipeline, context) ?? pipeline;
}

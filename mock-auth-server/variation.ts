/** Servers with one known defect. With them, the harness proves that each of its checks can fail. */
import { onText, type Pipeline, type TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Context } from './context.ts';
import type { Digest } from './ehr/ehr-client.ts';

export type Variation = {
  /** Computes `cred.token` of the calls to the EHR server. */
  digest?: Digest;
  /** Replaces parts that the methods work with. */
  context?: (context: Context) => Context;
  /** Replaces the pipeline. */
  pipeline?: (pipeline: TextPipeline, context: Context) => TextPipeline;
};

export function varyContext(variation: Variation | undefined, context: Context): Context {
  return variation?.context?.(context) ?? context;
}

export function varyPipeline(variation: Variation | undefined, pipeline: Pipeline, context: Context): Pipeline {
  const varied = variation?.pipeline?.(onText(pipeline), context);
  return varied ? ({ text }, channel) => varied(text, channel) : pipeline;
}

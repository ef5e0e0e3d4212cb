/** What the viewer can show: the report of a run, the flows of a run with two pages of `e2e/`. */
import type { Entry } from '../../journal/entry.ts';
import type { Report } from '../schema/schema.ts';

export type Shown = { report: Report } | { flows: ShownFlows } | { matrix: ShownMatrix };

export type ShownFlows = {
  verdict: string;
  sentence: string;
  /** Why flows failed. `flows` are places in the list of flows. */
  causes: readonly { lines: readonly string[]; flows: readonly number[] }[];
  /** In the order of the page. */
  flows: readonly ShownFlow[];
  leftOut: readonly string[];
};

/** `differing` is the number of the message in which a failed flow first differs, and a sentence about it. */
export type ShownFlow = {
  file: string;
  title: string;
  /** A short title. */
  name: string;
  passed: boolean;
  /** Milliseconds. */
  took: number;
  entries: readonly Entry[];
  failure?: { lines: readonly string[]; differing?: { seq: number; sentence: string } | undefined };
};

/** Which parties work with each other. A cell begins with a sign: it passed, or it did not. */
export type ShownMatrix = {
  verdict: string;
  isGreen: boolean;
  sentence: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  lists: readonly { title: string; lines: readonly string[] }[];
};

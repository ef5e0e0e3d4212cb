/** What a run of an EHR server or of a client tells about itself. */
import type { RunMeta } from './run-file.ts';

export type RunAbout = Pick<RunMeta, 'startedAt' | 'seed' | 'role' | 'target' | 'configuration'> & {
  canAdvanceClock: boolean;
};

export type MetaOf = (about: Pick<RunMeta, 'tool' | 'finished'> & Partial<Pick<RunMeta, 'mode'>>) => RunMeta;

/** Returns what makes the meta data of the run, whose scenarios are played unless another mode is given. */
export function metaOf({ canAdvanceClock, ...run }: RunAbout): MetaOf {
  return ({ tool, mode = 'scenarios', finished }) => ({
    tool,
    node: process.versions.node,
    ...run,
    mode,
    abilities: { absentSteps: [], canAdvanceClock, otpLifetimeSeconds: undefined },
    longestSilenceMs: 0,
    finished,
  });
}

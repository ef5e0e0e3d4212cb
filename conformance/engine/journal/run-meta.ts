/** Makes the circumstances (`meta`) that a run of an EHR server or of a client records with its journal. */
import type { RunMeta } from './run-file.ts';

export type RunAbout = Pick<RunMeta, 'startedAt' | 'seed' | 'role' | 'target' | 'configuration'> & {
  canAdvanceClock: boolean;
};

export type MetaOf = (about: Pick<RunMeta, 'tool' | 'finished'>) => RunMeta;

export function metaOf({ canAdvanceClock, ...run }: RunAbout): MetaOf {
  return ({ tool, finished }) => ({
    tool,
    node: process.versions.node,
    ...run,
    mode: 'scenarios',
    abilities: { absentSteps: [], canAdvanceClock, otpLifetimeSeconds: undefined },
    longestSilenceMs: 0,
    finished,
  });
}

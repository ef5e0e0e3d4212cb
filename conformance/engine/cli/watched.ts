/** A session that a person drives by their own app, while the kit records and judges. */
import type { Recorder } from '../journal/recorder.ts';
import type { RunMeta } from '../journal/run-file.ts';

/** Where the kit listens between the parties; 0: a free port. */
export type WatchPorts = { clientToAuth: number; clientToEhr: number; authToEhr: number };

export type Watched = {
  readonly recorder: Recorder;
  /** Says where the parties find each other, and what to do. */
  readonly instructions: string;
  meta(about: Pick<RunMeta, 'tool' | 'mode' | 'finished'>): RunMeta;
  close(): Promise<void>;
};

/** The scenario under which the kit notes what it finds in a watched session, which has none of its own. */
export const WATCHED = '';

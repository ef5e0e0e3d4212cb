/**
 * The form of a watched session: a person uses their own client, and the kit records the messages between the
 * parties and judges them. Each role opens such a session in its own way.
 */
import type { Recorder } from '../journal/recorder.ts';
import type { RunMeta } from '../journal/run-file.ts';

/** The ports of the kit's recording proxies: who calls there, and whom the proxy calls. 0: any free port. */
export type WatchPorts = { clientToAuth: number; clientToEhr: number; authToEhr: number };

/** A session under way. `recorder` has its journal; `close` ends the proxies. */
export type Watched = {
  readonly recorder: Recorder;
  /** Tells the user to which addresses the parties must be set, and what to do then. */
  readonly instructions: string;
  /** The circumstances of the session, as a report states them. */
  meta(about: Pick<RunMeta, 'tool' | 'mode' | 'finished'>): RunMeta;
  close(): Promise<void>;
};

/** A watched session has no scenarios. The kit notes its observations there under this empty id. */
export const WATCHED = '';

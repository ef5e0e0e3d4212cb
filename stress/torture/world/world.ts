/** What is under the EHR processes: an engine with its data, and what can be done to it. */
import type { Draw } from '#mis-fixtures/draw.ts';
import type { Rows } from '../check/rows.ts';

export const restartKinds = ['fast', 'immediate', 'kill'] as const;
export type RestartKind = (typeof restartKinds)[number];

export type World = {
  /** Settings of the EHR processes by their environment variables. */
  env: Readonly<Record<string, string>>;
  /** Present where the database is a server. */
  server?: {
    restart(kind: RestartKind): Promise<void>;
    /** Ends some of the connections from inside the server. */
    cutBackends(dice: Draw): Promise<void>;
    /** Breaks every connection on its way. */
    cutWire(): void;
  };
  /** The rows as they are now; no EHR process runs any more. */
  read(): Promise<Rows>;
  /** Removes everything. */
  close(): Promise<void>;
};

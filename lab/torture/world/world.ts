/** The engine under the EHR processes, its data and the faults that it offers. */
import type { Draw } from '#mis-fixtures/draw.ts';
import type { StoredRows } from '../check/rows.ts';

export const restartKinds = ['fast', 'immediate', 'kill'] as const;
export type RestartKind = (typeof restartKinds)[number];

export type TortureWorld = {
  /** Settings of the EHR processes, by environment variable. */
  env: Readonly<Record<string, string>>;
  /** Present where the database is a server. */
  server?: {
    restart(kind: RestartKind): Promise<void>;
    /** Ends some of the connections from inside the server. */
    cutBackends(rng: Draw): Promise<void>;
    /** Breaks every connection on the network. */
    cutWire(): void;
  };
  /** Reads all rows, once no EHR process is running. */
  read(): Promise<StoredRows>;
  /** Removes everything. */
  close(): Promise<void>;
};

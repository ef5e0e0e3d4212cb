import type { FaultTable, ShapeOptions, ShapeServer } from './shape.ts';

export const FAULTS: FaultTable;

/** Starts the server. Rejects when a name of `faults` is not in {@link FAULTS}. */
export function startServer(options?: ShapeOptions): Promise<ShapeServer>;

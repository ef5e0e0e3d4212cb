import type { ShapeOptions, ShapeServer } from './shape.ts';

export function startServer(options?: ShapeOptions): Promise<ShapeServer>;

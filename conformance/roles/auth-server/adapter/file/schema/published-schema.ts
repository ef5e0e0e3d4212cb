/** Makes the JSON Schema of the adapter file, which editors use: `conformance/adapter.schema.json`. */
import { z } from 'zod';
import { adapterSchema } from './schema.ts';

export function publishedSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(
    adapterSchema(() => undefined),
    { io: 'input' },
  );
  // The way through text drops members that are undefined or not enumerable.
  return JSON.parse(JSON.stringify({ title: 'Adapter file of the conformance kit', ...schema }));
}

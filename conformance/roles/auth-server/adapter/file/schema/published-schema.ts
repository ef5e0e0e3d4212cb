/** The published JSON Schema of the adapter file: the content of `conformance/adapter.schema.json`. */
import { z } from 'zod';
import { adapterSchema } from './schema.ts';

/** Returns the schema as JSON. Rules that JSON Schema cannot express are checked when a file is read. */
export function publishedSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(
    adapterSchema(() => undefined),
    { io: 'input' },
  );
  return JSON.parse(JSON.stringify({ title: 'Adapter file of the conformance kit', ...schema }));
}

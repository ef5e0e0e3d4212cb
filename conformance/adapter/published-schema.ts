/** The published JSON Schema of the adapter file, for editors: what `conformance/adapter.schema.json` must say. */
import { z } from 'zod';
import { adapterSchema } from './schema.ts';

/** The schema as JSON. Rules that a JSON Schema cannot express are checked when a file is read. */
export function publishedSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(
    adapterSchema(() => undefined),
    { io: 'input' },
  );
  return JSON.parse(JSON.stringify({ title: 'Adapter file of the conformance kit', ...schema }));
}

/** Writes `conformance/adapter.schema.json`. Run it after a change of the schema, then `npm run format`. */
import { writeFileSync } from 'node:fs';
import { publishedSchema } from './published-schema.ts';

const file = new URL('../../../../../adapter.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(publishedSchema(), null, 2)}\n`);

/** Writes `conformance/adapter.schema.json` anew: run it after a change of the schema, and `npm run format` after it. */
import { writeFileSync } from 'node:fs';
import { publishedSchema } from './published-schema.ts';

const file = new URL('../adapter.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(publishedSchema(), null, 2)}\n`);

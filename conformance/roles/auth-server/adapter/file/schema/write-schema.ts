/** Writes the published schema, after a change of `schema.ts`; then run `npm run format`. */
import { writeFileSync } from 'node:fs';
import { publishedSchema } from './schema.ts';

const file = new URL('../../../../../adapter.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(publishedSchema(), null, 2)}\n`);

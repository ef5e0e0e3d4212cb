/** Writes `conformance/report.schema.json`. Run it after a change of the schema, then `npm run format`. */
import { writeFileSync } from 'node:fs';
import { publishedReportSchema } from './schema.ts';

const file = new URL('../../../report.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(publishedReportSchema(), null, 2)}\n`);

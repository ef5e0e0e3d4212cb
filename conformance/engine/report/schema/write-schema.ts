/**
 * Writes the JSON Schema of the report to `conformance/report.schema.json`. Run this program after a change
 * of `schema.ts`, then `npm run format`.
 */
import { writeFileSync } from 'node:fs';
import { publishedReportSchema } from './schema.ts';

const file = new URL('../../../report.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(publishedReportSchema(), null, 2)}\n`);

/** Builds the report of a run as one HTML page, which opens offline. */
import type { Report } from './schema/schema.ts';
import { pageOf } from './viewer/page.ts';

export function htmlOf(report: Report): string {
  const { meta, summary } = report;
  return pageOf({
    title: `${meta.target}: ${summary.conclusion}`,
    sentence: `${summary.sentence} With JavaScript this page shows more; so do report.json and summary.md.`,
    shown: { report },
  });
}

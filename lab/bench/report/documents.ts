/** The documents made from the figures of a whole run. The same figures always give the same documents. */
import { chart } from './chart.ts';
import { benchmarksPage } from './page.ts';
import { results } from './results.ts';

/** The files of a whole run, relative to the root of the project. */
export const BENCHMARK_FILES = {
  results: 'docs/benchmarks.json',
  page: 'docs/benchmarks.md',
  chart: 'docs/images/benchmarks.svg',
} as const;

/**
 * Creates the page and the chart, by path.
 * @param json the text of the results
 * @throws ZodError when the text contains no results
 */
export function documentsOf(json: string): Map<string, string> {
  const measured = results.parse(JSON.parse(json));
  return new Map([
    [BENCHMARK_FILES.page, benchmarksPage(measured)],
    [BENCHMARK_FILES.chart, chart(measured)],
  ]);
}

/** The documents that are made of the figures of a whole run; whoever has the figures makes the same ones. */
import { chart } from './chart.ts';
import { benchmarksPage } from './page.ts';
import { results } from './results.ts';

/** Where a whole run puts what it found, from the root of the project. */
export const BENCHMARK_FILES = {
  results: 'docs/benchmarks.json',
  page: 'docs/benchmarks.md',
  chart: 'docs/images/benchmarks.svg',
} as const;

/**
 * The page and the chart, by path.
 * @param json the text of the results
 * @throws ZodError when it is none
 */
export function documentsOf(json: string): Map<string, string> {
  const measured = results.parse(JSON.parse(json));
  return new Map([
    [BENCHMARK_FILES.page, benchmarksPage(measured)],
    [BENCHMARK_FILES.chart, chart(measured)],
  ]);
}

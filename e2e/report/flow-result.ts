/** The result of one flow, as a line that a test runner's reporter writes and `npm run e2e` reads. */
import { z } from 'zod';

const shape = z.object({
  /** Relative to the root of the project. */
  file: z.string(),
  /** With the titles of its groups, joined by ` > `. */
  title: z.string(),
  place: z.number(),
  passed: z.boolean(),
  seconds: z.number(),
  /** What a failed test has seen, as far as the test runner knows. */
  sentence: z.string().optional(),
});

export type FlowResult = z.output<typeof shape>;

const MARK = 'FLOW ';

export function tellFlow(result: FlowResult): void {
  process.stdout.write(`\n${MARK}${JSON.stringify(result)}\n`);
}

export function flowIn(line: string): FlowResult | undefined {
  return line.startsWith(MARK) ? shape.parse(JSON.parse(line.slice(MARK.length))) : undefined;
}

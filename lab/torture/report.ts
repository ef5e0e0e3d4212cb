/** Reports a run: a summary for the console and a JSON file for programs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeTotals, type TortureResult } from './run.ts';

const MAX_SHOWN_VIOLATIONS = 10;
const MAX_SHOWN_LINES = 40;

/** Returns the summary and, for each violation, the history of its group. */
export function summaryOf(result: TortureResult): string {
  const { options, totals, faults, violations, checkedCalls, milliseconds } = result;
  const struck = Object.entries(faults).map(([kind, times]) => `${kind} ${times}`);
  const lines = [
    `${options.engine}, seed ${options.seed}, ${(milliseconds / 1000).toFixed(0)} s`,
    `  load        ${describeTotals(totals)}, ${totals.unsent} never sent`,
    `  faults      ${struck.join(', ') || 'none'}`,
    `  checked     ${checkedCalls} calls, with the last questions`,
    `  violations  ${violations.length}`,
  ];
  for (const { rule, message, group, calls, history } of violations.slice(0, MAX_SHOWN_VIOLATIONS)) {
    lines.push('', `${rule}${group === undefined ? '' : ` in group ${group}`}: ${message}`);
    lines.push(...calls.map((call) => `  ${call}`));
    if (history.length > 0)
      lines.push('  All calls of the group, as number [sent..answered] time process method objects:');
    lines.push(...history.slice(0, MAX_SHOWN_LINES).map((call) => `    ${call}`));
    if (history.length > MAX_SHOWN_LINES)
      lines.push(`    … and ${history.length - MAX_SHOWN_LINES} more; the report has them.`);
  }
  const more = violations.length - MAX_SHOWN_VIOLATIONS;
  if (more > 0) lines.push('', `… and ${more} more; the report has them.`);
  return `${lines.join('\n')}\n`;
}

/** Writes `torture-<engine>.json` and returns its path. */
export function writeReport(directory: string, result: TortureResult): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `torture-${result.options.engine}.json`);
  const { violations, ...rest } = result;
  // A fault that was not over when the run ended has an infinite end, which JSON writes as null.
  writeFileSync(file, `${JSON.stringify({ ...rest, passed: violations.length === 0, violations }, undefined, 2)}\n`);
  return file;
}

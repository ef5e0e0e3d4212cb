/**
 * Says what became of the red checks of a report after only these were played again: fixed, still broken,
 * changed, or gone.
 */
import type { Finding, Verdict } from '../../check/verdict.ts';
import { cut, type Paint, signed } from '../terminal/terminal.ts';
import { count, harmless, inOneLine } from '../words.ts';

/**
 * What became of a check. `fixed`: it found a fault, and passes now. One that could not be judged before and
 * passes now has changed: no fault was found that could have been mended. `gone`: the kit has no such check
 * any more.
 */
const kinds = ['fixed', 'still broken', 'changed', 'gone'] as const;

/** A check that was red, and what became of it. `now` is undefined for a check that is gone. */
export type Again = { kind: (typeof kinds)[number]; was: Verdict; now: Verdict | undefined };

/** Compares the verdicts that were red with those on the same checks now. */
export function comparedAgain(red: readonly Verdict[], now: readonly Verdict[]): Again[] {
  const byCheck = new Map(now.map((verdict) => [verdict.check, verdict]));
  return red.map((was) => {
    const verdict = byCheck.get(was.check);
    return { kind: kindOf(was, verdict), was, now: verdict };
  });
}

function kindOf(was: Verdict, now: Verdict | undefined): Again['kind'] {
  if (!now) return 'gone';
  if (now.outcome === 'pass') return was.outcome === 'inconclusive' ? 'changed' : 'fixed';
  return isSameFinding(was, now) ? 'still broken' : 'changed';
}

/** Whether two verdicts on a check say the same. */
export function isSameFinding(was: Verdict, now: Verdict): boolean {
  return now.outcome === was.outcome && lasting(now.finding) === lasting(was.finding);
}

/**
 * What a finding says, without the numbers that differ from run to run, and without the step at which a rule
 * saw it first: scenarios that are played at once come in any order. HTTP status and error codes stay.
 */
function lasting(finding: Finding): string {
  return saidBy(finding)
    .replace(/ \(at "[^"]*"\)/g, '')
    .replace(/(HTTP \d+|[-−]\d{5})|\d+/g, (_all, stays?: string) => stays ?? '#');
}

/** What a finding says of the party. Empty for a pass. */
export function saidBy(finding: Finding): string {
  if (finding.outcome === 'pass') return '';
  return finding.outcome === 'fail' ? finding.actual : finding.because;
}

/** One line about a check. */
export function againLine({ kind, was, now }: Again, paint: Paint): string {
  const sign = now ? signed(now.outcome, paint) : paint('dim', '–');
  const change = kind === 'changed' && now ? ` (was ${shortly(was)}, now ${shortly(now)})` : '';
  return `${sign} ${harmless(was.check)}: ${kind}${change}`;
}

/** Limits what a line says of a finding. */
const MAX_FINDING_CHARS = 80;

function shortly({ outcome, finding }: Verdict): string {
  const said = inOneLine(saidBy(finding));
  return said === '' ? outcome : `${outcome}: ${cut(said, MAX_FINDING_CHARS)}`;
}

/** The last line: how many checks there were, and what became of them. */
export function againSummary(all: readonly Again[]): string {
  const counts = kinds.flatMap((kind) => {
    const number = all.filter((each) => each.kind === kind).length;
    return number > 0 ? [`${number} ${kind}`] : [];
  });
  return `${count(all.length, 'check was', 'checks were')} red: ${counts.join(', ')}.`;
}

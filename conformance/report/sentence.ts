/** The conclusion in words: what was judged, what was found, and what keeps it from being the whole truth. */
import type { Report } from './schema.ts';
import { count } from './words.ts';

type Summary = Omit<Report['summary'], 'sentence'>;

export function sentenceOf(summary: Summary, { mode, stale }: { mode: Report['meta']['mode']; stale: number }): string {
  if (summary.conclusion === 'not set up') return 'The set-up is not ready, so the server was not judged.';
  const { known, only, finished } = summary;
  return [
    found(summary),
    known > 0 && `${count(known, 'of them is known and does', 'of them are known and do')} not count.`,
    stale > 0 &&
      `${count(stale, 'entry', 'entries')} of the list of known failures no longer ${stale === 1 ? 'holds' : 'hold'}.`,
    !finished && 'The run was broken off: what was not played could not be judged.',
    only !== undefined && `The run was restricted to ${only}: the rest was not asked.`,
    mode === 'watch' && 'A watched session was judged: only what crossed the wire in it.',
  ]
    .filter((part) => part !== false)
    .join(' ');
}

function found({ counts, conclusion }: Summary): string {
  const { pass, fail, warning, inconclusive } = counts;
  const applying = pass + fail + warning + inconclusive;
  if (conclusion === 'nothing judged') return 'Not a single check had anything to judge.';
  if (applying === 0) return 'No check had anything to judge yet.';
  const worse = [
    fail > 0 && `${fail} failed`,
    inconclusive > 0 && `${inconclusive} could not be judged`,
    warning > 0 && `${warning} gave a warning`,
  ].filter((part) => part !== false);
  if (worse.length === 0)
    return `${applying === 1 ? 'The one check that applies' : `All ${applying} checks that apply`} passed.`;
  return `Of ${count(applying, 'check')} that ${applying === 1 ? 'applies' : 'apply'}, ${list([...worse, `${pass} passed`])}.`;
}

function list(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

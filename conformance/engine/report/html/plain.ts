/**
 * Tells a verdict as plain text: in a card before its messages are unpacked, for browsers that run no
 * scripts, and on paper. It is a single element, since a page has hundreds of cards.
 */
import { outcomesIn } from '../../journal/played-steps.ts';
import { adviceOf } from '../causes/causes.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { count, evidenceOf, exchangeLine, type FactName, factsOf, remarkOf, stepLine } from '../words.ts';
import { html, type Markup } from './markup.ts';

export const factTitles: Readonly<Record<FactName, string>> = {
  expected: 'Expected',
  actual: 'Actual',
  undecided: 'Could not be judged',
  blame: 'To blame',
  advice: 'What to do',
};

export function plainOf(verdict: ReportedVerdict, report: Report, command: string | undefined): Markup {
  const { check, finding, requirements, known } = verdict;
  const because = finding.outcome === 'not applicable' ? [`Does not apply: ${finding.because}`] : [];
  const facts = factsOf(finding, adviceOf(check, report.causes)).map(
    ([name, text]) => `${factTitles[name]}: ${text}`,
  );
  const reasons = known === undefined ? [] : [`Known: ${known}`];
  const repeat = command === undefined ? [] : [`Play it alone: ${command}`];
  const lines = [`Requires: ${requirements.join(', ')}`, ...because, ...facts, ...reasons, ...repeat];
  return html`<pre class="plain">${[...lines, ...seenLines(verdict, report)].join('\n')}</pre>`;
}

/** Limits the lines about messages. An opened card shows the messages themselves. */
const MAX_SEEN = 6;

/** The steps and messages that a verdict which is not green names, a line each. */
function seenLines({ outcome, finding }: ReportedVerdict, report: Report): string[] {
  if (outcome === 'pass' || outcome === 'not applicable') return [];
  const named = new Set(evidenceOf(finding));
  const entries = report.evidence.filter(({ seq }) => named.has(seq));
  const outcomes = outcomesIn(entries);
  const lines = entries.flatMap((entry) => {
    if (entry.kind === 'exchange') return [exchangeLine(entry)];
    if (entry.kind === 'step') return [stepLine(entry, outcomes.get(entry.seq))];
    // The line of a step says how it ended.
    return entry.kind === 'outcome' || entry.kind === 'scenario' ? [] : [`#${entry.seq} ${remarkOf(entry)}`];
  });
  const more = lines.length - MAX_SEEN;
  return [
    ...lines.slice(0, MAX_SEEN),
    ...(more > 0 ? [`… and ${count(more, 'more line')} in report.json`] : []),
  ];
}

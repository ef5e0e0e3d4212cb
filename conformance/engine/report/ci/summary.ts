/** Writes the report as Markdown, for the page of a build: the verdicts, the counts and the causes. */
import { parts } from '../../check/weight.ts';
import { harmless, inOneLine } from '../../harmless.ts';
import { breaksRun, type ShownCause, shownCauses } from '../lookup.ts';
import type { Report } from '../schema/schema.ts';
import { count, outcomeSigns, partNames, talliesOf, weightWords } from '../words.ts';

/** Limits the causes that are listed: a summary of GitHub holds 1 MiB. */
const MAX_CAUSES = 50;
/** Limits the other checks that are named below a cause. */
const MAX_OTHERS = 5;

export function summaryOf(report: Report): string {
  const { summary, meta } = report;
  const causes = shownCauses(report);
  const more = causes.length - MAX_CAUSES;
  const blocks = [
    `## ${markdownOf(meta.target)}: ${summary.conclusion}`,
    ...(summary.conclusion === 'not set up'
      ? [problemsOf(report)]
      : [verdictsOf(report), `${talliesOf(summary.counts)}.`]),
    markdownOf(summary.sentence),
    ...(causes.length > 0 ? [`### ${count(causes.length, 'cause')}`] : []),
    causes.slice(0, MAX_CAUSES).map(causeOf).join('\n'),
    ...(more > 0 ? [`… and ${count(more, 'more cause')}, in the report.`] : []),
    report.staleBaseline
      .map(({ check, because }) => `- \`${inOneLine(check).replaceAll('`', '')}\`: ${markdownOf(because)}`)
      .join('\n'),
    `Seed ${meta.seed}, ${markdownOf(meta.tool)}.`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** The conclusion on each part, with a sign that says whether it makes the run fail. */
function verdictsOf(report: Report): string {
  const rows = parts.map((part) => {
    const sign = breaksRun(part, report) ? outcomeSigns.fail : outcomeSigns.pass;
    return `| ${sign} | **${partNames[part]}** | ${markdownOf(report.summary.parts[part].headline)} |`;
  });
  return ['| | Part | Verdict |', '|---|---|---|', ...rows].join('\n');
}

function problemsOf({ notSetUp = [] }: Report): string {
  return notSetUp
    .map(({ problem, remedy }) => `- **${markdownOf(problem)}** To do: ${markdownOf(remedy)}`)
    .join('\n');
}

function causeOf({ cause, verdicts, worst }: ShownCause): string {
  const [first] = verdicts;
  const shown = verdicts.find(({ check }) => check === cause.check) ?? first;
  const others = verdicts.filter((verdict) => verdict !== shown).map(({ check }) => markdownOf(check));
  const more = others.length - MAX_OTHERS;
  const listed = `${others.slice(0, MAX_OTHERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    `- ${outcomeSigns[worst]} **${markdownOf(shown.check)}**, ${weightWords(shown)}, ${markdownOf(shown.clause)}:`,
    `  ${markdownOf(cause.cause)}`,
    ...(cause.advice === undefined ? [] : [`  **To do:** ${markdownOf(cause.advice)}`]),
    ...(others.length > 0 ? [`  Shows also in ${listed}.`] : []),
  ].join('<br>\n');
}

/** A text as one line of Markdown that shows it as it is: whatever would be mark-up becomes an entity. */
export function markdownOf(text: string): string {
  return harmless(text)
    .replace(/\s+/g, ' ')
    .replace(/[&<>\\`*_[\]|~#@]/g, (char) => `&#${char.charCodeAt(0)};`);
}

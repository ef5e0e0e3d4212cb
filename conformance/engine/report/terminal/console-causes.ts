/**
 * Writes the causes of failures for a terminal: each cause in at most three lines, and the first causes in
 * full where they fit, with the steps and messages that show them.
 */
import type { Finding } from '../../check/verdict.ts';
import { inOneLine } from '../../harmless.ts';
import type { Entry, ExchangeEntry } from '../../journal/entry.ts';
import { outcomesIn } from '../../journal/played-steps.ts';
import { causeWords, requirementsOf, type ShownCause } from '../lookup.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import {
  count,
  evidenceOf,
  exchangeLine,
  factNames,
  factsOf,
  remarkOf,
  stepLine,
  weightWords,
} from '../words.ts';
import { cut, hanging, heading, paintedSign, type TextOptions, wrap } from './terminal.ts';

/** Limits the causes on the terminal. The other forms of the report have all of them. */
const MAX_CAUSES = 15;

/** Returns the lines of all causes. A cause has at most three: two for what is wrong, one for what to do. */
export function causeList(causes: readonly ShownCause[], { paint, width }: TextOptions): string[] {
  const checks = causes.reduce((sum, { verdicts }) => sum + verdicts.length, 0);
  const more = causes.length - MAX_CAUSES;
  return [
    '',
    paint('bold', heading(`${count(causes.length, 'cause')} of ${checks} checks that are not green`, width)),
    ...causes.slice(0, MAX_CAUSES).flatMap((cause) => threeLines(cause, { paint, width })),
    ...(more > 0 ? [`  … and ${count(more, 'more cause')}, in the report`] : []),
  ];
}

function threeLines({ cause, verdicts, worst }: ShownCause, { paint, width }: TextOptions): string[] {
  const others = verdicts.length - 1;
  const much = others === 0 ? '' : ` (and ${others} more)`;
  const head = `${cause.check ?? verdicts[0].check}${much}`;
  const [first = '', second, third] = wrap(`${head}: ${cause.cause}`, width - 4);
  return [
    `${paintedSign(worst, paint)} ${first}`,
    ...(second === undefined ? [] : [`  ${cut(third === undefined ? second : `${second} …`, width - 4)}`]),
    ...(cause.advice === undefined
      ? []
      : [paint('dim', cut(`  to do: ${inOneLine(cause.advice)}`, width - 1))]),
  ];
}

const LABELS = {
  requires: 'requires',
  basis: 'rests on',
  risk: 'risk',
  ...factNames,
  undecided: 'actual',
  seen: 'seen',
  cause: 'cause',
  shows: 'shows in',
} as const;
const LABEL_CHARS = 12;

/** As many first causes in full as fit into `max` lines. The first is shown in any case, if need be cut. */
export function detailLines(
  causes: readonly ShownCause[],
  report: Report,
  { max, ...options }: TextOptions & { max: number },
): string[] {
  const lines: string[] = [];
  for (const cause of causes) {
    const added = ['', ...fullLines(cause, report, options)];
    if (lines.length > 0 && lines.length + added.length > max) break;
    lines.push(...added);
  }
  return lines.slice(0, Math.max(0, max));
}

const MAX_SHOWN = 5;

/** A cause in full: the check that shows it, or the cause itself, with the other checks below. */
function fullLines({ cause, verdicts, worst }: ShownCause, report: Report, options: TextOptions): string[] {
  const [first, ...others] = verdicts;
  if (first.check === cause.check || (others.length === 0 && cause.checks.length === 1))
    return [...verdictLines(first, report, options, cause.advice), ...checkList(others, options)];
  const { paint } = options;
  const { finding } = first;
  const row = rows(options);
  return [
    `${paintedSign(worst, paint)} ${paint('bold', `One cause, ${count(verdicts.length, 'check')}`)}`,
    ...row('cause', causeWords(cause)),
    ...seenLines(finding, report, options),
    ...('blame' in finding ? row('blame', finding.blame) : []),
    ...(cause.advice === undefined ? [] : row('advice', cause.advice)),
    ...checkList(verdicts, options),
  ];
}

function checkList(verdicts: readonly ReportedVerdict[], { paint, width }: TextOptions): string[] {
  const more = verdicts.length - MAX_SHOWN;
  const lines = verdicts.slice(0, MAX_SHOWN).flatMap(({ check, title, outcome }, index) => {
    const label = (index === 0 ? `  ${LABELS.shows}` : '').padEnd(LABEL_CHARS);
    return hanging(`${label}${paintedSign(outcome, paint)} `, `${check}: ${title}`, width);
  });
  return more > 0 ? [...lines, `${' '.repeat(LABEL_CHARS)}… and ${more} more, in the report`] : lines;
}

/** Returns a function that writes a label and its text, as lines. */
const rows =
  ({ paint, width }: TextOptions) =>
  (label: keyof typeof LABELS, text: string) =>
    hanging(paint('dim', `  ${LABELS[label].padEnd(LABEL_CHARS - 2)}`), text, width);

/** A verdict in full, with the `advice` for its cause, if any, in place of its own. */
function verdictLines(
  verdict: ReportedVerdict,
  report: Report,
  options: TextOptions,
  advice: string | undefined,
): string[] {
  const { paint, width } = options;
  const { check, title, clause, finding, outcome } = verdict;
  const row = rows(options);
  return [
    `${paintedSign(outcome, paint)} ${paint('bold', check)}  ${paint('dim', `${weightWords(verdict)}  ${clause}`)}`,
    ...wrap(title, width - 2).map((line) => `  ${line}`),
    '',
    ...requirementsOf(verdict, report).flatMap(({ clause: where, text, basis, risk }) => [
      ...row('requires', `${text} (${where})`),
      ...(basis === undefined ? [] : row('basis', basis)),
      ...(risk === undefined ? [] : row('risk', risk)),
    ]),
    ...factsOf(finding, advice).flatMap(([name, text]) => [
      ...(name === 'blame' ? seenLines(finding, report, options) : []),
      ...row(name, name === 'undecided' ? `Could not be judged: ${text}` : text),
    ]),
  ];
}

function seenLines(finding: Finding, report: Report, { paint, width }: TextOptions): string[] {
  const lines = exchangeLines(evidenceOf(finding), report, width - LABEL_CHARS);
  return lines.map(
    (line, index) => paint('dim', (index === 0 ? `  ${LABELS.seen}` : '').padEnd(LABEL_CHARS)) + line,
  );
}

/** Limits the journal entries that are shown. The HTML report shows more. */
const MAX_ENTRIES = 6;
/** Limits the shown part of a body. */
const MAX_BODY_CHARS = 240;

/** Steps with their results and messages with their bodies, of these `seq`, in lines of this width. */
export function exchangeLines(evidence: readonly number[], report: Report, width: number): string[] {
  const wanted = new Set(evidence);
  const named = report.entries.filter(({ seq }) => wanted.has(seq));
  // The line of a step says how it ended, so the entry of its end gets no line.
  const worth = named.filter(({ kind }) => kind !== 'outcome' && kind !== 'scenario');
  const shown = worth.slice(0, MAX_ENTRIES);
  const more = worth.length - shown.length + (wanted.size - named.length);
  const told = new Set<string>();
  return [
    ...shown.flatMap((entry) => [...linesOf(entry, named, width), ...traceLine(entry, told)]),
    ...(more > 0 ? [`… and ${more} more in the HTML report`] : []),
  ];
}

/** The trace id of a message. The messages of a step share one, which is `told` once. */
function traceLine(entry: Entry, told: Set<string>): string[] {
  const trace = entry.kind === 'exchange' ? entry.trace : undefined;
  if (trace === undefined || told.has(trace)) return [];
  told.add(trace);
  return [`  trace ${inOneLine(trace)}`];
}

/** The lines of one journal entry. `named` has the entry of its end, if it is a step. */
function linesOf(entry: Entry, named: readonly Entry[], width: number): string[] {
  if (entry.kind === 'exchange') return [...wrap(exchangeLine(entry), width), ...messageLines(entry, width)];
  if (entry.kind === 'outcome' || entry.kind === 'scenario') return [];
  if (entry.kind !== 'step') return wrap(`#${entry.seq} ${remarkOf(entry)}`, width);
  return wrap(stepLine(entry, outcomesIn(named).get(entry.seq)), width);
}

/** The bodies of a message, and details outside of them: `>` was sent, `<` came back. */
function messageLines({ request, response }: ExchangeEntry, width: number): string[] {
  const asked = [...outsideBody(request), request.body];
  const answered = response ? [...outsideBody(response), response.body] : [];
  return [
    ...asked.flatMap((text) => bodyLines('>', text, width)),
    ...answered.flatMap((text) => bodyLines('<', text, width)),
  ];
}

/** Details outside the body: a path with a query, and headers with a masked value (`‹…›`). */
function outsideBody({
  path = '',
  headers,
}: Pick<ExchangeEntry['request'], 'headers'> & { path?: string }): string[] {
  const masked = headers
    .filter(([, value]) => value.includes('‹'))
    .map(([name, value]) => `${name}: ${value}`);
  return [...(/[?‹]/.test(path) ? [path] : []), ...masked];
}

/** One body as lines, cut to its limit. */
function bodyLines(sign: string, text: string, width: number): string[] {
  if (text === '') return [];
  // A blank behind a comma of JSON allows a line break there, so that no word is split.
  const short = cut(text.replaceAll(/\s+/g, ' ').replaceAll(',"', ', "'), MAX_BODY_CHARS);
  return wrap(short, width - 4).map((line, index) => `  ${index === 0 ? sign : ' '} ${line}`);
}

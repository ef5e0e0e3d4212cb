/** Writes the steps and messages that show a verdict, shortened for a terminal. */
import type { Entry, ExchangeEntry } from '../../journal/entry.ts';
import { outcomesIn } from '../../journal/played-steps.ts';
import type { Report } from '../schema/schema.ts';
import { exchangeLine, harmless, remarkOf, stepLine } from '../words.ts';
import { cut, wrap } from './terminal.ts';

/** Limits the journal entries that are shown. The HTML report shows more. */
const MAX_ENTRIES = 6;
/** Limits the shown part of a body. */
const MAX_BODY_CHARS = 240;

/**
 * Returns lines of at most `width` characters about these entries: steps with their results, and messages
 * with their bodies.
 * @param evidence `seq` of the entries
 */
export function exchangeLines(evidence: readonly number[], report: Report, width: number): string[] {
  const entries = new Map(report.entries.map((entry) => [entry.seq, entry]));
  const named = [...new Set(evidence)].sort((a, b) => a - b).flatMap((seq) => entries.get(seq) ?? []);
  // The line of a step says how it ended, so the entry of its end gets no line.
  const worth = named.filter(({ kind }) => kind !== 'outcome' && kind !== 'scenario');
  const shown = worth.slice(0, MAX_ENTRIES);
  const more = worth.length - shown.length + (new Set(evidence).size - named.length);
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
  return [`  trace ${harmless(trace)}`];
}

/** The lines of one journal entry. `named` has the entry of its end, if it is a step. */
function linesOf(entry: Entry, named: readonly Entry[], width: number): string[] {
  if (entry.kind === 'exchange')
    return [...wrap(harmless(exchangeLine(entry)), width), ...bodies(entry, width)];
  if (entry.kind === 'outcome' || entry.kind === 'scenario') return [];
  if (entry.kind !== 'step') return wrap(harmless(`#${entry.seq} ${remarkOf(entry)}`), width);
  return wrap(harmless(stepLine(entry, outcomesIn(named).get(entry.seq))), width);
}

/** The bodies of a message, and details outside of them: `>` was sent, `<` came back. */
function bodies({ request, response }: ExchangeEntry, width: number): string[] {
  const asked = [...detailLines(request), request.body];
  const answered = response ? [...detailLines(response), response.body] : [];
  return [
    ...asked.flatMap((text) => part('>', text, width)),
    ...answered.flatMap((text) => part('<', text, width)),
  ];
}

/** Details outside the body: a path with a query, and headers with a masked value (`‹…›`). */
function detailLines({
  path = '',
  headers,
}: {
  path?: string;
  headers: ExchangeEntry['request']['headers'];
}): string[] {
  const masked = headers
    .filter(([, value]) => value.includes('‹'))
    .map(([name, value]) => `${name}: ${value}`);
  return [...(/[?‹]/.test(path) ? [path] : []), ...masked];
}

/** One body as lines, cut to its limit. */
function part(sign: string, text: string, width: number): string[] {
  if (text === '') return [];
  // A blank behind a comma of JSON allows a line break there, so that no word is split.
  const short = cut(text.replaceAll(/\s+/g, ' ').replaceAll(',"', ', "'), MAX_BODY_CHARS);
  return wrap(harmless(short), width - 4).map((line, index) => `  ${index === 0 ? sign : ' '} ${line}`);
}

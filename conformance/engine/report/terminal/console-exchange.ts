/** The messages behind a verdict, shortened for a terminal. */
import type { Entry, ExchangeEntry } from '../../journal/entry.ts';
import { outcomesIn } from '../../journal/played-steps.ts';
import type { Report } from '../schema/schema.ts';
import { exchangeLine, harmless, remarkOf, stepLine } from '../words.ts';
import { cut, wrap } from './terminal.ts';

/** Limits the shown entries; the HTML report suits more of them. */
const MAX_ENTRIES = 6;
/** Limits the shown part of a body. */
const MAX_BODY_CHARS = 240;

/** Lines of at most `width` characters on these entries: steps with their end, messages with bodies. */
export function exchangeLines(evidence: readonly number[], report: Report, width: number): string[] {
  const entries = new Map(report.evidence.map((entry) => [entry.seq, entry]));
  const named = [...new Set(evidence)].sort((a, b) => a - b).flatMap((seq) => entries.get(seq) ?? []);
  // A step says how it ended, so its end needs no line of its own.
  const worth = named.filter(({ kind }) => kind !== 'outcome' && kind !== 'scenario');
  const shown = worth.slice(0, MAX_ENTRIES);
  const more = worth.length - shown.length;
  return [
    ...shown.flatMap((entry) => linesOf(entry, named, width)),
    ...(more > 0 ? [`… and ${more} more in the HTML report`] : []),
  ];
}

function linesOf(entry: Entry, named: readonly Entry[], width: number): string[] {
  if (entry.kind === 'exchange')
    return [...wrap(harmless(exchangeLine(entry)), width), ...bodies(entry, width)];
  if (entry.kind === 'outcome' || entry.kind === 'scenario') return [];
  if (entry.kind !== 'step') return wrap(harmless(`#${entry.seq} ${remarkOf(entry)}`), width);
  return wrap(harmless(stepLine(entry, outcomesIn(named).get(entry.seq))), width);
}

function bodies({ request, response }: ExchangeEntry, width: number): string[] {
  const asked = [...detailLines(request), request.body];
  const answered = response ? [...detailLines(response), response.body] : [];
  return [
    ...asked.flatMap((text) => part('>', text, width)),
    ...answered.flatMap((text) => part('<', text, width)),
  ];
}

/** Details outside the body: a path with a query, and headers that carry something masked. */
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

function part(sign: string, text: string, width: number): string[] {
  if (text === '') return [];
  // A blank behind each comma of JSON allows a line break there and nowhere worse.
  const short = cut(text.replaceAll(/\s+/g, ' ').replaceAll(',"', ', "'), MAX_BODY_CHARS);
  return wrap(harmless(short), width - 4).map((line, index) => `  ${index === 0 ? sign : ' '} ${line}`);
}

/** The messages behind a verdict, in short, for a terminal. */
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import type { Report } from './schema.ts';
import { cut, wrap } from './terminal.ts';
import { exchangeLine, harmless, remarkOf, stepLine } from './words.ts';

/** More than this is read better in the HTML report. */
const MOST_ENTRIES = 6;
/** How much of a body is shown. */
const MOST_BODY = 240;

/** Lines of at most `width` characters on the entries named: steps with their end, messages with their bodies. */
export function exchangeLines(evidence: readonly number[], report: Report, width: number): string[] {
  const entries = new Map(report.evidence.map((entry) => [entry.seq, entry]));
  const named = [...new Set(evidence)].sort((a, b) => a - b).flatMap((seq) => entries.get(seq) ?? []);
  // A step says how it ended, so its end needs no line of its own.
  const worth = named.filter(({ kind }) => kind !== 'outcome' && kind !== 'scenario');
  const shown = worth.slice(0, MOST_ENTRIES);
  const more = worth.length - shown.length;
  return [
    ...shown.flatMap((entry) => linesOf(entry, named, width)),
    ...(more > 0 ? [`… and ${more} more in the HTML report`] : []),
  ];
}

function linesOf(entry: Entry, named: readonly Entry[], width: number): string[] {
  if (entry.kind === 'exchange') return [...wrap(harmless(exchangeLine(entry)), width), ...bodies(entry, width)];
  if (entry.kind === 'outcome' || entry.kind === 'scenario') return [];
  if (entry.kind !== 'step') return wrap(harmless(`#${entry.seq} ${remarkOf(entry)}`), width);
  const outcomes = named.filter((other) => other.kind === 'outcome');
  return wrap(
    harmless(
      stepLine(
        entry,
        outcomes.find(({ step }) => step === entry.seq),
      ),
    ),
    width,
  );
}

function bodies({ request, response }: ExchangeEntry, width: number): string[] {
  const asked = [...tellingLines(request), request.body];
  const answered = response ? [...tellingLines(response), response.body] : [];
  return [...asked.flatMap((text) => part('>', text, width)), ...answered.flatMap((text) => part('<', text, width))];
}

/** What stands outside the body and may matter: a path with more than a path in it, and headers that carry something masked. */
function tellingLines({
  path = '',
  headers,
}: {
  path?: string;
  headers: readonly (readonly [string, string])[];
}): string[] {
  const masked = headers.filter(([, value]) => value.includes('‹')).map(([name, value]) => `${name}: ${value}`);
  return [...(/[?‹]/.test(path) ? [path] : []), ...masked];
}

function part(sign: string, text: string, width: number): string[] {
  if (text === '') return [];
  // A blank behind each comma of JSON lets the line break there and nowhere worse.
  const short = cut(text.replaceAll(/\s+/g, ' ').replaceAll(',"', ', "'), MOST_BODY);
  return wrap(harmless(short), width - 4).map((line, index) => `  ${index === 0 ? sign : ' '} ${line}`);
}

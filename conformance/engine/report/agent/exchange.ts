/** Writes one exchange as labelled lines: both first lines, the headers that matter, and both bodies. */
import type { ExchangeEntry } from '../../journal/entry.ts';
import { endsOf, laneNames } from '../words.ts';
import type { LabelledLine } from './lines.ts';

/** Headers that checks are about. Others, such as Host and Date, differ from run to run or say nothing. */
const HEADERS: ReadonlySet<string> = new Set([
  'access-control-allow-origin',
  'authorization',
  'cache-control',
  'content-type',
  'cookie',
  'location',
  'origin',
  'retry-after',
  'set-cookie',
  'www-authenticate',
]);

/** The lines of an exchange. A part that is empty has none. */
export function exchangeLines({ link, request, response, fault, broke }: ExchangeEntry): LabelledLine[] {
  const [from, to] = endsOf(link);
  const onPurpose = fault === undefined ? '' : `, disturbed by the kit on purpose: ${fault}`;
  const status = response ? [`HTTP ${response.status}`] : ['none'];
  const said = (label: string, text: string): LabelledLine[] =>
    text === '' ? [] : [{ label, text, quoted: true, soft: true }];
  return [
    { label: 'exchange', text: `${laneNames[from]} to ${laneNames[to]}${onPurpose}`, quoted: false },
    ...said('request', `${request.method} ${request.path}`),
    ...said('request headers', headersIn(request)),
    ...said('request body', request.body),
    { label: 'reply', text: [...status, ...(broke ? [BROKEN[broke]] : [])].join(', '), quoted: false },
    ...said('reply headers', response ? headersIn(response) : ''),
    ...said('reply body', response?.body ?? ''),
  ];
}

const BROKEN: Readonly<Record<NonNullable<ExchangeEntry['broke']>, string>> = {
  refused: 'the connection was refused',
  reset: 'the connection was reset',
  'closed-early': 'the connection was closed early',
  timeout: 'no answer came in time',
};

/** The headers that matter, joined. */
function headersIn({ headers }: Pick<ExchangeEntry['request'], 'headers'>): string {
  return headers
    .filter(([name]) => HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
}

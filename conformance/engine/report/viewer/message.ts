/** Shows one recorded message in full. A reader can take it along as a `curl` command. */
import { curlOf } from '#protocol/wire/har.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import { answerOf, callOf, duration, endsOf, laneNames } from '../words.ts';
import { type Content, el, fold } from './elements.ts';

/** Limits the shown headers. `run.json` has all of them. */
const MAX_HEADERS = 40;

export function messageOf(exchange: ExchangeEntry): HTMLDetailsElement {
  const { seq, request, fault, at, endedAt, trace } = exchange;
  const [from, to] = endsOf(exchange.link);
  const { text, tone } = answerOf(exchange);
  const summary = [
    el('span.number', seq),
    el('span', `${laneNames[from]} → ${laneNames[to]}`),
    el('code', callOf(exchange)),
    el(`span.result.${tone}`, text),
    fault && el('span.fault', `fault on purpose: ${fault}`),
    el('span.took', `at ${duration(at)}, took ${duration(endedAt - at)}`),
  ];
  const start = `${request.method} ${request.path} HTTP/${request.httpVersion}`;
  const made = fold('message', summary, () => [
    el('div.sides', side('Request', start, request), reply(exchange, text)),
    trace !== undefined && el('p.trace', 'Trace ', el('code', trace)),
    sendAgain(exchange),
  ]);
  made.dataset.seq = String(seq);
  return made;
}

function reply({ response, facts }: ExchangeEntry, text: string): HTMLElement {
  if (!response) return el('div.side', el('p.small', 'Response'), el('p.start', `None: ${text}.`));
  const reason = facts.reply?.reason;
  const start = `HTTP status ${response.status}${reason === undefined ? '' : `, ${reason}`}`;
  return side('Response', start, response);
}

type Side = Pick<ExchangeEntry['request'], 'headers' | 'body' | 'cut'>;

function side(name: string, start: string, { headers, body, cut }: Side): HTMLElement {
  const listed = headers.slice(0, MAX_HEADERS).map(([name, value]) => [el('b', `${name}:`), ` ${value}\n`]);
  const more = headers.length > MAX_HEADERS && `… and ${headers.length - MAX_HEADERS} more`;
  return el(
    'div.side',
    el('p.small', name),
    el('p.start', start),
    headers.length > 0 && el('pre.headers', listed, more),
    body === '' ? el('p.empty', 'No body.') : el('pre.body', withPseudonyms(indentJson(body)), rest(cut)),
  );
}

const rest = (cut = 0): Content => cut > 0 && `\n… ${cut} more characters, in run.json`;

/** Highlights pseudonyms such as `‹token 1›`, so that the eye can follow a secret through the messages. */
function withPseudonyms(text: string): Content[] {
  return text.split(/(‹[^›\n]{1,60}›)/).map((part, index) => (index % 2 === 1 ? el('i', part) : part));
}

function sendAgain({ request }: ExchangeEntry): HTMLElement {
  if (request.cut !== undefined)
    return el(
      'p.again.empty',
      'Too long for a ',
      el('code', 'curl'),
      ' here: drop run.json on the page of the console.',
    );
  return el(
    'div.again',
    fold('curl', ['curl'], () => el('pre', curlOf(request))),
  );
}

/** Indents JSON, and keeps all else, such as a doubled member or a `1.0`. Other text is unchanged. */
export function indentJson(text: string): string {
  if (!tryJson(text)) return text;
  let depth = 0;
  // Changes the depth, and begins a line at the new depth.
  const line = (change: number) => {
    depth += change;
    return `\n${'  '.repeat(depth)}`;
  };
  return text.replace(TOKEN, (token: string) => {
    if (token === '{' || token === '[') return token + line(1);
    if (token === '}' || token === ']') return line(-1) + token;
    if (token === ',') return token + line(0);
    if (token === ':') return ': ';
    return /^\s/.test(token) ? '' : token.replaceAll(/\s+(?=[\]}]$)/g, '');
  });
}

/** A string, an empty object or list, a mark, or blank space. Numbers and words stay unchanged. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g;

/**
 * Shows one recorded message in full in the HTML report, folded at first. A reader can take it along as a
 * `curl` command.
 */
import { isReason } from '#protocol/wire/errors.ts';
import { curlOf } from '#protocol/wire/har.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import { answerOf, callOf, duration, endsOf, laneNames } from '../words.ts';
import { type Content, html, type Markup } from './markup.ts';

/** Limits the shown part of a body. `run.json` has the whole body. */
const MAX_BODY_CHARS = 4_000;
/** Limits the shown headers. `run.json` has all of them. */
const MAX_HEADERS = 40;

/**
 * Shows a message.
 * @param beside is placed below request and response
 */
export function messageOf(exchange: ExchangeEntry, beside?: Markup): Markup {
  const { seq, request, response, fault, at, endedAt, facts, trace } = exchange;
  const [from, to] = endsOf(exchange.link);
  const { text, tone } = answerOf(exchange);
  return html`<details class="message" id="m${seq}"><summary><span class="number">${seq}</span> <span class="route">${laneNames[from]} → ${laneNames[to]}</span> <code>${callOf(exchange)}</code> <span class="result ${tone}">${text}</span>${
    fault && html` <span class="fault">fault on purpose: ${fault}</span>`
  } <span class="took">at ${duration(at)}, took ${duration(endedAt - at)}</span></summary><div class="sides">${side(
    'Request',
    `${request.method} ${request.path} HTTP/${request.httpVersion}`,
    request,
  )}${response ? side('Response', html`HTTP status ${response.status}${errorOf(facts)}`, response) : html`<div class="side"><p class="name">Response</p><p class="start">None: ${text}.</p></div>`}</div>${trace !== undefined && html`<p class="trace">Trace <code>${trace}</code></p>`}${beside}</details>`;
}

function errorOf({ reply }: ExchangeEntry['facts']): Markup | false {
  const reason = reply?.reason;
  return isReason(reason) && html`, ${reason}`;
}

function side(
  title: string,
  start: Content,
  { headers, body }: { headers: readonly (readonly [string, string])[]; body: string },
): Markup {
  const listed = headers.slice(0, MAX_HEADERS).map(([name, value]) => html`<b>${name}:</b> ${value}\n`);
  const more = headers.length > MAX_HEADERS && `… and ${headers.length - MAX_HEADERS} more`;
  return html`<div class="side"><p class="name">${title}</p><p class="start">${start}</p>${
    headers.length > 0 && html`<pre class="headers">${listed}${more}</pre>`
  }${body === '' ? html`<p class="empty">No body.</p>` : html`<pre class="body">${pretty(body)}</pre>`}</div>`;
}

/** A body for the page: JSON with line breaks, anything else unchanged. A long body is cut. */
function pretty(body: string): Markup[] {
  const text = indentJson(body);
  const shown = text.length > MAX_BODY_CHARS ? text.slice(0, MAX_BODY_CHARS) : text;
  const rest = text.length - shown.length;
  return [...withPseudonyms(shown), ...(rest > 0 ? [html`\n… ${rest} more characters, in run.json`] : [])];
}

/** Highlights pseudonyms such as `‹token 1›`, so that the eye can follow a secret through the messages. */
function withPseudonyms(text: string): Markup[] {
  return text
    .split(/(‹[^›\n]{1,60}›)/)
    .map((part, index) => (index % 2 === 1 ? html`<i>${part}</i>` : html`${part}`));
}

/**
 * Adds line breaks and indents to JSON. Keeps everything else, so that a doubled member or a `1.0` stays
 * visible. Returns a text that is not JSON unchanged.
 */
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

/**
 * Matches what {@link indentJson} treats: a string, an empty object or list, a punctuation mark, or blank
 * space. Numbers and words match nothing and stay unchanged.
 */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g;

/** Limits a `curl` command in the page. `run.json` has the longer messages. */
const MAX_TAKEN_CHARS = 8_000;

export function sendAgain(exchange: ExchangeEntry): Markup {
  const curl = curlOf(exchange.request);
  if (curl.length > MAX_TAKEN_CHARS)
    return html`<p class="again empty">Too long for a <code>curl</code> here: drop run.json on the page of the console.</p>`;
  return html`<div class="again"><details><summary>curl</summary><pre>${curl}</pre></details></div>`;
}

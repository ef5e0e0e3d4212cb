/** One message of the journal in full: request and response, headers and body, closed at first. */
import type { ExchangeEntry } from '../../journal/entry.ts';
import { answerOf, callOf, duration, endsOf, laneNames } from '../words.ts';
import { indentJson } from './indent-json.ts';
import { html, type Markup } from './markup.ts';

/** Limits the shown body; run.json has the whole one. */
const MAX_BODY_CHARS = 4_000;
const MAX_HEADERS = 40;

/** @param beside what stands below request and response */
export function messageOf(exchange: ExchangeEntry, beside?: Markup): Markup {
  const { seq, request, response, fault, at, endedAt } = exchange;
  const [from, to] = endsOf(exchange.link);
  const { text, tone } = answerOf(exchange);
  return html`<details class="message" id="m${seq}"><summary><span class="number">${seq}</span> <span class="route">${laneNames[from]} → ${laneNames[to]}</span> <code>${callOf(exchange)}</code> <span class="result ${tone}">${text}</span>${
    fault && html` <span class="fault">fault on purpose: ${fault}</span>`
  } <span class="took">at ${duration(at)}, took ${duration(endedAt - at)}</span></summary><div class="sides">${side(
    'Request',
    `${request.method} ${request.path} HTTP/${request.httpVersion}`,
    request,
  )}${response ? side('Response', `HTTP status ${response.status}`, response) : html`<div class="side"><h5>Response</h5><p class="start">None: ${text}.</p></div>`}</div>${beside}</details>`;
}

function side(
  title: string,
  start: string,
  { headers, body }: { headers: readonly (readonly [string, string])[]; body: string },
): Markup {
  const listed = headers.slice(0, MAX_HEADERS).map(([name, value]) => html`<b>${name}:</b> ${value}\n`);
  const more = headers.length > MAX_HEADERS && `… and ${headers.length - MAX_HEADERS} more`;
  return html`<div class="side"><h5>${title}</h5><p class="start">${start}</p>${
    headers.length > 0 && html`<pre class="headers">${listed}${more}</pre>`
  }${body === '' ? html`<p class="empty">No body.</p>` : html`<pre class="body">${pretty(body)}</pre>`}</div>`;
}

/** JSON with line breaks, anything else unchanged; a long one is cut. */
function pretty(body: string): Markup[] {
  const text = indentJson(body);
  const shown = text.length > MAX_BODY_CHARS ? text.slice(0, MAX_BODY_CHARS) : text;
  const rest = text.length - shown.length;
  return [...withPseudonyms(shown), ...(rest > 0 ? [html`\n… ${rest} more characters, in run.json`] : [])];
}

/** Highlights masked values, so that the eye can follow one from message to message. */
function withPseudonyms(text: string): Markup[] {
  return text
    .split(/(‹[^›\n]{1,60}›)/)
    .map((part, index) => (index % 2 === 1 ? html`<i>${part}</i>` : html`${part}`));
}

/** A message as other tools take it: its request as a command for bash, and the whole as a HAR. */
import { curlOf, harEntryOf, harOf } from '#protocol/wire/har.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { RunMeta } from '../../journal/run-file.ts';
import { html, type Markup, trusted } from './markup.ts';

/** Limits what is kept of a message for this; run.json has the longer ones. */
const MAX_CHARS = 8_000;

/** The command, and the place of a button that the script of the page shows. */
export function sendAgain(exchange: ExchangeEntry): Markup {
  const curl = curlOf(exchange.request);
  if (curl.length > MAX_CHARS)
    return html`<p class="again empty">Too long for a <code>curl</code> here: drop run.json on the page of the console.</p>`;
  return html`<div class="again"><details><summary>curl</summary><pre>${curl}</pre></details><button type="button" class="har" hidden>HAR</button></div>`;
}

/**
 * The messages as entries of a HAR, by their number, for the script of the page. A browser does not run what
 * is JSON, so the policy of the page lets it be.
 */
export function harData(exchanges: readonly ExchangeEntry[], { startedAt, tool }: RunMeta): Markup {
  const began = Date.parse(startedAt);
  const entries: Record<number, object> = {};
  for (const { seq, at, endedAt, request, response } of exchanges) {
    const entry = harEntryOf({ beganAt: began + at, endedAt: began + endedAt, request, reply: response });
    if (JSON.stringify(entry).length <= MAX_CHARS) entries[seq] = entry;
  }
  const [, version = ''] = / (\S+)$/.exec(tool) ?? [];
  const data = JSON.stringify({ har: harOf([], version), entries });
  // No text of a message can end the element.
  return html`<script type="application/json" id="har">${trusted(data.replaceAll('<', '\\u003c'))}</script>`;
}

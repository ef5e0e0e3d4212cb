/**
 * Packs what cards show when they are opened: diagrams and messages, as HTML. A run has more of it than a
 * browser shows at ease, so the page has it compressed, and the script of the page unpacks it.
 */
import { deflateSync } from 'node:zlib';
import { harEntryOf, harOf } from '#protocol/wire/har.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { RunMeta } from '../../journal/run-file.ts';
import { html, type Markup, trusted } from './markup.ts';
import { MAX_TAKEN_CHARS, messageOf, sendAgain } from './message.ts';

/** What the script of the page reads. */
export type Packed = {
  /** What an element shows when it is opened, by its `data-packed`: HTML. */
  parts: Record<string, string>;
  /** The messages by their `seq`. */
  messages: Record<number, PackedMessage>;
  /** A HAR without entries. */
  har: object;
};

/** A message as HTML and as a HAR entry, which a very long one has not. `scenario` is where it belongs. */
export type PackedMessage = { html: string; scenario: string; har?: object };

/** Packs one message of a run that began at this time. */
export function packedMessage(
  exchange: ExchangeEntry,
  scenario: string,
  { startedAt }: RunMeta,
): PackedMessage {
  const { at, endedAt, request, response } = exchange;
  const began = Date.parse(startedAt);
  const har = harEntryOf({ beganAt: began + at, endedAt: began + endedAt, request, reply: response });
  const isShort = JSON.stringify(har).length <= MAX_TAKEN_CHARS;
  const shown = messageOf(exchange, sendAgain(exchange, isShort)).text;
  return { html: shown, scenario, ...(isShort && { har }) };
}

/** Returns the HAR of a run without its entries. */
export function emptyHar({ tool }: RunMeta): object {
  const [, version = ''] = / (\S+)$/.exec(tool) ?? [];
  return harOf([], version);
}

/** Writes the packed data as an element of the page. A browser does not run a script of this type. */
export function packedElement(data: Packed): Markup {
  const text = deflateSync(JSON.stringify(data), { level: 9 }).toString('base64');
  // The letters of base64 can end no element.
  return html`<script type="application/octet-stream" id="packed">${trusted(text)}</script>`;
}

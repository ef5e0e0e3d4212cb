/**
 * Packs what cards show when they are opened: diagrams and messages, as HTML. A run has more of it than a
 * browser shows at ease, so the page has it compressed, and the script of the page unpacks it.
 */
import { deflateSync } from 'node:zlib';
import type { ExchangeEntry } from '../../journal/entry.ts';
import { html, type Markup, trusted } from './markup.ts';
import { messageOf, sendAgain } from './message.ts';

export type Packed = {
  /** What an element shows when it is opened, by its `data-packed`: HTML. */
  parts: Record<string, string>;
  messages: Record<number, PackedMessage>;
};

/** A message as HTML. `scenario` is where it belongs. */
export type PackedMessage = { html: string; scenario: string };

export const packedMessage = (exchange: ExchangeEntry, scenario: string): PackedMessage => ({
  html: messageOf(exchange, sendAgain(exchange)).text,
  scenario,
});

/** Writes the packed data as an element of the page. A browser does not run a script of this type. */
export function packedElement(data: Packed): Markup {
  const text = deflateSync(JSON.stringify(data)).toString('base64');
  // The letters of base64 can end no element.
  return html`<script type="application/octet-stream" id="packed">${trusted(text)}</script>`;
}

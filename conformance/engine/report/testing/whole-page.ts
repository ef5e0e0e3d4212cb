/** For tests of the HTML report: what the page shows when everything in it is opened. */
import { inflateSync } from 'node:zlib';
import type { Packed } from '../html/packed.ts';

const PACKED = /<script type="application\/octet-stream" id="packed">([^<]*)<\/script>/;

export function unpackedIn(page: string): Packed {
  const [, text] = PACKED.exec(page) ?? [];
  if (text === undefined) throw new Error('This page has no packed data.');
  return JSON.parse(inflateSync(Buffer.from(text, 'base64')).toString());
}

/** Returns the page as HTML without anything packed: its texts, then each diagram and message once. */
export function wholePage(page: string): string {
  const { parts, messages } = unpackedIn(page);
  const shown = [...Object.values(parts), ...Object.values(messages).map((message) => message.html)];
  return `${page.replace(PACKED, '')}${shown.join('\n')}`;
}

/** Returns the card of this id as HTML: its texts, and the diagrams that it shows when it is opened. */
export function cardIn(page: string, id: string): string {
  const start = page.indexOf(` id="${id}"`);
  const next = page.indexOf('<details class="card', start);
  const { parts } = unpackedIn(page);
  const own = Object.entries(parts).filter(([key]) => key.split(' ')[0] === id);
  return `${page.slice(start, next === -1 ? undefined : next)}${own.map(([, part]) => part).join('\n')}`;
}

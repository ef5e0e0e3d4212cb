/** For tests of pages of the viewer: what a page shows when everything in it is opened. */
import { inflateSync } from 'node:zlib';
import type { Shown } from '../viewer/e2e.ts';

const SHOWN = /<script type="application\/octet-stream" id="shown">([^<]*)<\/script>/;

/** Returns the data that the page contains. */
export function shownIn(page: string): Shown {
  const [, text] = SHOWN.exec(page) ?? [];
  if (text === undefined) throw new Error('This page has no data.');
  return JSON.parse(inflateSync(Buffer.from(text, 'base64')).toString());
}

/** Returns all texts of a page, a line each: its sentence, and the names and values of its data. */
export function wholePage(page: string): string {
  const own = page.replace(SHOWN, '').replace(/<(style|script)>.*?<\/\1>/gs, '');
  return [own, ...textsIn(shownIn(page))].join('\n');
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** For tests of pages of the viewer: opens one as a person does, and reads what it shows with all opened. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import type { Page, TestInfo } from '@playwright/test';
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

/** Opens a report. Returns the page's errors and its attempts to load something, as they come. */
export async function openReport(page: Page, info: TestInfo, text: string): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const file = pathToFileURL(info.outputPath('report.html')).href;
  page.on('request', (request) => {
    const url = request.url().replace(/#.*$/s, '');
    if (url !== file && url !== 'data:,') complaints.push(`loads ${url}`);
  });
  writeFileSync(info.outputPath('report.html'), text);
  await page.goto(file);
  return complaints;
}

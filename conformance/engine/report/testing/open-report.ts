/** For tests in a browser: opens an HTML report as a person does, as a file on the disk. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page, TestInfo } from '@playwright/test';

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

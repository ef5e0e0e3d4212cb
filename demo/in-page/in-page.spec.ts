/** The demo in one page, alone in a browser: once it is there, the network is cut. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type FrameLocator, type Page } from '@playwright/test';
import express from 'express';
import { violations } from '#console/page/testing/console-test.ts';
import { bind } from '#service/http/listener/ports.ts';
import { buildInPage } from './build.ts';

/** The page works below any path. */
const PLACE = '/some/where/';

type Served = { address: string };

const test = base.extend<{ complaints: string[] }, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed
    async ({}, use) => {
      const directory = mkdtempSync(join(tmpdir(), 'in-page-'));
      await buildInPage(directory);
      const server = createServer(express().use(PLACE, express.static(directory)));
      await use({ address: `http://127.0.0.1:${await bind(server)}${PLACE}` });
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
      page.on('requestfailed', (request) => {
        // A frame that is taken away amid its loading is no trouble.
        if (!request.url().startsWith('blob:')) complaints.push(`not loaded: ${request.url()}`);
      });
      await use(complaints);
      // The next test has the same window.
      await page.context().setOffline(false);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens the page as somebody who was there before, and cuts the network once it is there. */
async function openAlone(page: Page, address: string): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('console-explained', 'yes'));
  await page.goto(address);
  await expect(clientIn(page).getByRole('button', { name: 'Send code' })).toBeVisible();
  await page.context().setOffline(true);
}

const clientIn = (page: Page): FrameLocator =>
  page.getByTitle('The client, as a patient sees it').contentFrame();

test.use({ viewport: { width: 1600, height: 900 } });

const calls = (page: Page, method: string) => page.locator('[data-message]').filter({ hasText: method });

test('a person links the record by hand, and sees it', async ({ page, served }) => {
  await openAlone(page, served.address);
  await expect(page.getByText('All three parties run in this page')).toBeVisible();
  await page.getByRole('button', { name: 'Anna', exact: true }).click();
  const client = clientIn(page);
  await client.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: /^Fill in the code/ }).click();
  await client.getByRole('button', { name: 'Confirm' }).click();
  await client.getByRole('button', { name: 'Find my record' }).click();
  await expect(client.getByRole('heading', { level: 1, name: /Anna.*Petrova/ })).toBeVisible();
  await expect(calls(page, 'save_auth_info')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

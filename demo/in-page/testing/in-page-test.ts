/** Playwright's test of the page without an installation: its built files, on a server that knows nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type FrameLocator, type Page } from '@playwright/test';
import express from 'express';
import { bind } from '#service/http/listener/bind.ts';
import { buildInPage } from '../build.ts';

/** The page works below any path. */
const PLACE = '/some/where/';

type Served = { address: string };

export const test = base.extend<{ complaints: string[] }, { served: Served }>({
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
export async function openAlone(page: Page, address: string): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('console-explained', 'yes'));
  await page.goto(address);
  await expect(clientIn(page).getByRole('button', { name: 'Send code' })).toBeVisible();
  await page.context().setOffline(true);
}

export const clientIn = (page: Page): FrameLocator =>
  page.getByTitle('The client, as a patient sees it').contentFrame();

export { expect };

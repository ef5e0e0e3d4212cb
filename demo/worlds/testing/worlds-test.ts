/** For browser tests of the console: two worlds of one process, which all tests of a file share. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as atOnce, test as base, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { buildConsolePage } from '#console/page/build.ts';
import type { Consoles } from '#console/server/open-console.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { portProblem } from '../../prepare/ports.ts';
import { portsOfWorlds } from '../../settings.ts';
import { portsOfWorld } from '../setup.ts';
import { startWorlds } from '../start-worlds.ts';

const NAMES = ['one', 'two'];

/** A machine that does much else at once takes its time. */
export const expect = atOnce.configure({ timeout: 20_000 });

export const test = base.extend<object, { worlds: Consoles }>({
  worlds: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters of a fixture.
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'worlds-'));
      const misDatabase = join(folder, 'population.sqlite');
      await writePopulation({ file: misDatabase, patients: 0, seed: 7, locales: ['en'] });
      const pagePort = await freePagePort();
      const worlds = await startWorlds({
        worlds: NAMES.map((name, index) => ({
          name,
          token: `token-${name}`,
          ports: portsOfWorld(pagePort, index),
        })),
        pagePort,
        pageDirectory: (await buildConsolePage()).directory,
        misDatabase,
        internalUser: 'auth-server',
        internalPassword: 'internal-password',
        seed: 7,
        logLevel: 'silent',
      });
      await use(worlds);
      await worlds.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

async function freePagePort(): Promise<number> {
  for (let port = 24_000 + (process.pid % 100) * 20; ; port += 20)
    if ((await portProblem(portsOfWorlds({ worlds: NAMES, consolePort: port }))) === undefined) return port;
}

/** Opens the page of a world that begins anew. */
export async function open(page: Page, worlds: Consoles, name = 'one'): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('console-explained', 'yes'));
  await ask(worlds, 'scenario', { do: 'takeOver' }, name);
  await ask(worlds, 'reset', {}, name);
  await page.goto(`${worlds.url}/w/${name}/?token=token-${name}`);
  await expect(page.getByRole('contentinfo').getByRole('status')).toHaveClass('is-good');
}

export async function ask<T = object>(
  worlds: Consoles,
  path: string,
  body?: unknown,
  name = 'one',
): Promise<T> {
  const response = await fetch(`${worlds.url}/w/${name}/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer token-${name}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

/** Makes the first steps of a scenario. */
export async function play(worlds: Consoles, id: string, steps: number): Promise<void> {
  for (let made = 0; made < steps; made++)
    await ask(worlds, 'scenario', { do: 'step', ...(made === 0 && { id }) });
}

/** The client in its frame. */
export const clientIn = (page: Page): FrameLocator =>
  page.getByTitle('The client, as a patient sees it').contentFrame();
export const messages = (page: Page): Locator => page.locator('[data-message]');
export const calls = (page: Page, method: string): Locator => messages(page).filter({ hasText: method });

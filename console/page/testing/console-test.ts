/** Playwright's test of the console's page, against a server with its routes over a scripted exchange. */
import { expect, type Locator, type Page } from '@playwright/test';
import { violationsOn } from '#testing/accessibility.ts';
import { test as base } from '#testing/translated-page.ts';
import { type FakeConsole, type FakeOptions, startFakeConsole } from './fake-console.ts';

type Fixtures = { settings: FakeOptions; fake: FakeConsole; complaints: string[] };

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  fake: async ({ settings }, use) => {
    const fake = await startFakeConsole(settings);
    await use(fake);
    await fake.stop();
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', ({ message: text }) => complaints.push(text));
    page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
    await use(complaints);
    expect(complaints).toEqual([]);
  },
});

/** Opens the page as somebody who was there before. */
export async function open(page: Page, { address }: FakeConsole): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('console-explained', 'yes'));
  await page.goto(address);
  await expect(lines(page).first()).toBeVisible();
}

export const line = (page: Page, id: number): Locator => page.locator(`[data-message="${id}"]`);
export const lines = (page: Page): Locator => page.locator('[data-message]');

/** Every violation of accessibility that axe finds, and whether anything is wider than the screen. */
export async function violations(page: Page, anotherLook = false): Promise<string[]> {
  const named = await violationsOn(page, undefined, anotherLook);
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return beyond > 0 ? [...named, `${beyond} px too wide`] : named;
}

/** Playwright's test of the console's page, against a server with its routes over a scripted exchange. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test as base, type SearchOptions, violationsOn } from '#testing/page.ts';
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
export async function violations(page: Page, options?: SearchOptions): Promise<string[]> {
  const named = await violationsOn(page, options);
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return beyond > 0 ? [...named, `${beyond} px too wide`] : named;
}

/** Headings of the page, of lanes, panels, tables and dialogs, and what can be pressed or is a label. */
const HEADINGS = 'h1, h2, h3, caption, th, .head, summary, label > span, [role="tab"], button:not(.arrow)';

/** Each word of a heading that stands on two lines, or goes beyond its heading or the screen. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
    const range = document.createRange();
    return [...document.querySelectorAll(selector)].flatMap((heading) => {
      const { left, right } = heading.getBoundingClientRect();
      // What only a screen reader reads has no room.
      if (right - left < 2 || !heading.checkVisibility()) return [];
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        for (const { 0: word, index } of text.data.matchAll(/[^\s\u00a0]+/g)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
          const lines = new Set(boxes.map(({ top }) => Math.round(top)));
          const end = Math.max(...boxes.map((box) => box.right));
          if (lines.size > 1) found.push(`"${word}" is broken`);
          else if (end > Math.min(right, innerWidth) + 1) found.push(`"${word}" is cut`);
        }
      }
      return found;
    });
  }, HEADINGS);
}

/** Searches the headings of a page for words that are broken or cut. */
import type { Page } from '@playwright/test';

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

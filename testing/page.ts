/** A page in a browser: searched for what keeps people out, or translated. */
import { createRequire } from 'node:module';
import { test as base, type Page } from '@playwright/test';

type Axe = {
  run(
    context: { exclude: string },
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
};

/**
 * The script of axe. Its builder would put it into a page three times for each search, and a page reads the
 * short one in half of the time.
 */
const { source } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core/axe.min.js') as {
  source: string;
};

/** The rules of axe whose outcome depends on colours and on the size of the screen. */
const OF_LOOKS = ['color-contrast', 'scrollable-region-focusable'];

export type SearchOptions = {
  /** Selects what is left out; frames unless given. */
  without?: string;
  /** Try only the rules of looks: the same elements were searched by all rules in another look. */
  looksOnly?: boolean;
};

/** Every violation that axe finds on a page, with its place. */
export async function violationsOn(
  page: Page,
  { without = 'iframe', looksOnly = false }: SearchOptions = {},
): Promise<string[]> {
  // A colour in transition has no final contrast yet.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(
    async ({ exclude, runOnly }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      // Where else the rules were met, the selectors of places and loading the styles again take a third of the time.
      const options = {
        resultTypes: ['violations'],
        selectors: false,
        iframes: false,
        preload: false,
        ...(runOnly && { runOnly }),
      };
      const { violations } = await axe.run({ exclude }, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    { exclude: without, runOnly: looksOnly ? OF_LOOKS : undefined },
  );
}

/** A page translator on demand: replaces each text by an element of its own, as that of a browser does. */
export const test = base.extend<{ translated: boolean }>({
  translated: [false, { option: true }],
  context: async ({ context, translated }, use) => {
    if (translated) await context.addInitScript(translateAlways);
    await use(context);
  },
});

/** Runs in the page and in its frames, before their own scripts. */
function translateAlways(): void {
  const KEPT = 'script, style, svg, textarea, title, noscript, font';
  const translate = () => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest(KEPT)) continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  new MutationObserver(translate).observe(document, { childList: true, characterData: true, subtree: true });
}

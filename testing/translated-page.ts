/** A page translator on demand: replaces each text by an element of its own, as that of a browser does. */
import { test as base } from '@playwright/test';

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

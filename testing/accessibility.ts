/** Searches a page in a browser for what keeps people out. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Every violation that axe finds on a page, with its place. Frames and what `without` selects are left out. */
export async function violationsOn(page: Page, without = 'iframe'): Promise<string[]> {
  // A colour in transition has no final contrast yet.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  // The other mode looks into frames of other origins, and opens a further page for that each time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .exclude(without)
    // Where else the rules were met, and the selectors of places, would take a tenth of the time.
    .options({ resultTypes: ['violations'], selectors: false })
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Reads a page as a person does: waits until nothing happens any more, and tells which screen it is. */
import type { Page } from '@playwright/test';
import { DriverFailure, type Screen, type Seen, screens } from '../driver.ts';
import type { BrowserSettings } from './settings.ts';

/** What stands on a page. */
export type Look = {
  /** The texts of alerts, notices and open dialogs. */
  told: string;
  /** The text of the page's main part; of the whole page where no part, or more than one, is the main one. */
  main: string;
  /** The text of the whole page. */
  all: string;
};

/**
 * Waits in the page until it has stayed as it is for a while, and returns its texts. A text of JavaScript: a
 * function would be changed by the tools that build the kit.
 */
const lookAfter = (quietMs: number): string => `(async () => {
  const begun = performance.now();
  let changed = begun;
  const observer = new MutationObserver(() => { changed = performance.now(); });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const isOver = (now) => now - changed >= ${quietMs} || now - begun >= ${quietMs * MAX_QUIETS};
  do await new Promise((resolve) => setTimeout(resolve, 10));
  while (!isOver(performance.now()));
  observer.disconnect();
  const [main, ...others] = document.querySelectorAll('main, [role=main]');
  const place = main && others.length === 0 ? main : document.body;
  const told = [...document.querySelectorAll('[role=alert], [role=status], dialog[open]')];
  return {
    told: told.map((each) => each.innerText.trim()).filter(Boolean).join(' '),
    main: place?.innerText ?? '',
    all: document.body?.innerText ?? '',
  };
})()`;

/** A page that never stays as it is, such as one with a clock, is read after this many quiet times. */
const MAX_QUIETS = 10;

/** A text with single blanks. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Reads the page. Undefined while it is being replaced by another. */
export async function lookAt(page: Page, quietMs: number): Promise<Look | undefined> {
  try {
    const { told, main, all } = await page.evaluate<Look>(lookAfter(quietMs));
    return { told: plain(told), main: plain(main), all: plain(all) };
  } catch (error) {
    if (page.isClosed())
      throw new DriverFailure('the page was closed', { what: 'unreachable', cause: error });
    // A navigation ends what runs in the page.
    return undefined;
  }
}

/** Whether the main part of the page has one of these texts. */
export const isThere = (texts: readonly string[], { main }: Look): boolean =>
  texts.some((text) => main.includes(plain(text)));

/**
 * The screen of a page; undefined when none of the file's texts stands there.
 * @throws DriverFailure when the texts of two screens do
 */
export function screenIn(
  look: Look,
  { screens: texts }: Pick<BrowserSettings, 'screens'>,
): Screen | undefined {
  const [one, other] = screens.filter((screen) => isThere(texts[screen], look));
  if (one === undefined || other === undefined) return one;
  const message = `the page has texts of the screen ${one} and of the screen ${other}: name texts that stand on one alone`;
  throw new DriverFailure(message, { what: 'unexpected-answer' });
}

/**
 * What the person sees.
 * @param recorded texts that stand in records alone: where one is read, a record is shown on whatever screen
 */
export function seenOn(look: Look, sees: Screen, recorded: readonly string[], note = ''): Seen {
  const text = [note, look.told, look.main].filter(Boolean).join(' ');
  const hasRecord = sees === 'patient' || recorded.some((value) => look.all.includes(value));
  return { sees, text, ...(hasRecord && { patient: look.all }) };
}

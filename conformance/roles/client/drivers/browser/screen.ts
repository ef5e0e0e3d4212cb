/** Reads a page as a person does: waits until nothing happens any more, and tells which screen it is. */
import type { Page } from '@playwright/test';
import { DriverFailure, type Screen, type Seen, screens } from '../driver.ts';
import { IN_PAGE, type QuietTime } from './rest.ts';
import type { BrowserSettings, ScreenTexts } from './settings.ts';

export type Look = {
  told: string;
  /** The text of the page's main part; of the whole page where no part, or more than one, is the main one. */
  main: string;
  all: string;
  beside: string;
};

/** On a busy machine a page that has no time to change has none for these looks: they are counted. */
const TURN_MS = 10;

/** A text of JavaScript: the tools that build the kit would change a function. */
const lookAfter = (quietMs: number): string => `(async () => {
  const { set = setTimeout, isWaiting = () => false } = window.${IN_PAGE} ?? {};
  const begun = performance.now();
  let changed = begun, paused = 0, turns = 0;
  const observer = new MutationObserver(() => {
    const now = performance.now();
    paused = Math.max(paused, now - changed);
    changed = now;
    turns = 0;
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const isAtRest = (now) => now - changed >= ${quietMs} && turns >= ${quietMs / TURN_MS} && !isWaiting();
  const isOver = (now) => isAtRest(now) || now - begun >= ${Math.max(quietMs * MAX_QUIETS, MIN_LOOK_MS)};
  do {
    await new Promise((resolve) => set(resolve, ${TURN_MS}));
    turns++;
  }
  while (!isOver(performance.now()));
  observer.disconnect();
  const [main, ...others] = document.querySelectorAll('main, [role=main]');
  const place = main && others.length === 0 ? main : document.body;
  const told = [...document.querySelectorAll('[role=alert], [role=status], dialog[open]')];
  const isShown = (each) => each.getClientRects().length > 0;
  const fields = [...document.querySelectorAll('input:not([type=radio], [type=checkbox]), textarea')].filter(isShown);
  return {
    paused,
    told: told.map((each) => each.innerText.trim()).filter(Boolean).join(' '),
    main: place?.innerText ?? '',
    all: document.body?.innerText ?? '',
    beside: [document.title, ...fields.map((field) => field.value ?? '')].filter(Boolean).join(' '),
  };
})()`;

/** A page that never stays as it is, such as one with a moving picture, is read after ten quiet times. */
const MAX_QUIETS = 10;
/** The shortest time (ms) for which a page that changes is watched: several pauses may follow each other. */
const MIN_LOOK_MS = 2_000;

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

export async function lookAt(page: Page, pace: QuietTime): Promise<Look | undefined> {
  try {
    const look = await page.evaluate<Look & { paused: number }>(lookAfter(pace.quietMs));
    const { told, main, all, beside } = look;
    pace.learn(look.paused);
    return { told: plain(told), main: plain(main), all: plain(all), beside: plain(beside) };
  } catch (error) {
    if (page.isClosed())
      throw new DriverFailure('the page was closed', { what: 'unreachable', cause: error });
    // A navigation ends what runs in the page.
    return undefined;
  }
}

export const isThere = (texts: readonly string[], { main }: Look): boolean =>
  texts.some((text) => main.includes(plain(text)));

const fits = ({ anyOf, matches, not }: ScreenTexts, look: Look): boolean =>
  (anyOf.length === 0 || isThere(anyOf, look)) &&
  (matches === undefined || new RegExp(matches, 'u').test(look.main)) &&
  !isThere(not, look);

/** @throws DriverFailure when the texts of two screens stand there */
export function screenIn(
  look: Look,
  { screens: texts, order }: Pick<BrowserSettings, 'screens' | 'order'>,
): Screen | undefined {
  const found = screens.filter((screen) => fits(texts[screen], look));
  const [one, other] = found;
  if (one === undefined || other === undefined) return one;
  const first = order.find((screen) => found.includes(screen));
  if (first !== undefined) return first;
  const message = `the page has texts of the screen ${one} and of the screen ${other}: name texts that stand on one alone, or say in order which counts`;
  throw new DriverFailure(message, { what: 'unexpected-answer' });
}

/** `recorded`: texts that stand in records alone; where one is read, a record is shown. */
export function seenOn(look: Look, sees: Screen, recorded: readonly string[], note = ''): Seen {
  const text = [note, look.told, look.main].filter(Boolean).join(' ');
  const { all, beside } = look;
  const hasRecord = sees === 'patient' || recorded.some((value) => `${all} ${beside}`.includes(value));
  return { sees, text, beside, ...(hasRecord && { patient: all }) };
}

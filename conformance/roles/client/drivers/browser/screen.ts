/** Reads a page as a person does: waits until nothing happens any more, and tells which screen it is. */
import type { Page } from '@playwright/test';
import { ScenarioStopped } from '../../../../engine/check/playing.ts';
import { DriverFailure, type Screen, type Seen, screens } from '../driver.ts';
import type { BrowserSettings, ScreenTexts } from './settings.ts';

/** The property of `window` under which each page has {@link NOTE_TIMERS}. No enumeration shows it. */
export const IN_PAGE = '__ehrConformance';
/** Limits the delay (ms) of a timer that is waited for. A clock on a page ticks each second. */
const MAX_PAUSE_MS = 900;
/** A timer that is set within this time (ms) after the same timer fired is the next one in a row. */
const MAX_GAP_MS = 50;
/** A page may pause a few times on the way to a screen. A longer row of timers never ends, as in a clock. */
const MAX_IN_A_ROW = 4;

/** `isWaiting`: a timer will change the page soon. A text: tools that build the kit change functions. */
export const NOTE_TIMERS = `(() => {
  const { setTimeout: set, clearTimeout: clear } = window;
  const running = new Map(), rows = new Map();
  const now = () => performance.now();
  const isWaiting = () => [...running.values()].some(({ length }) => length < ${MAX_IN_A_ROW});
  window.setTimeout = (what, delay = 0, ...given) => {
    if (typeof what !== 'function' || delay > ${MAX_PAUSE_MS}) return set(what, delay, ...given);
    const key = delay + ' ' + what;
    const row = rows.get(key) ?? { length: 0, firedAt: -Infinity };
    rows.set(key, row);
    row.length = now() - row.firedAt < ${MAX_GAP_MS} ? row.length + 1 : 0;
    const id = set(() => {
      running.delete(id);
      row.firedAt = now();
      what(...given);
    }, delay);
    running.set(id, row);
    return id;
  };
  window.clearTimeout = (id) => {
    running.delete(id);
    clear(id);
  };
  Object.defineProperty(window, '${IN_PAGE}', { value: { set, isWaiting } });
})()`;

/** The first reads of a run find out how long its pages pause between two changes. */
const LEARNING_READS = 4;
const LEARNING_MS = 300;
const [MIN_QUIET_MS, MAX_QUIET_MS] = [40, 600];

export class QuietTime {
  readonly #given: number | undefined;
  #reads = 0;
  #longestMs = 0;

  /** @param given the quiet time (ms) of the file; undefined: the first reads find it out */
  constructor(given?: number) {
    this.#given = given;
  }

  get quietMs(): number {
    if (this.#given !== undefined) return this.#given;
    if (this.#reads < LEARNING_READS) return LEARNING_MS;
    return Math.min(Math.max(2 * this.#longestMs, MIN_QUIET_MS), MAX_QUIET_MS);
  }

  learn(pausedMs: number): void {
    this.#reads += 1;
    this.#longestMs = Math.max(this.#longestMs, pausedMs);
  }
}

type Look = {
  told: string;
  /** The text of the page's main part; of the whole page where no part, or more than one, is the main one. */
  main: string;
  all: string;
  beside: string;
  /** The main part in the case in which the page shows it. */
  shown: string;
};

/** On a busy machine a page that has no time to change has none for these looks: they are counted. */
const TURN_MS = 10;

/** A text of JavaScript: the tools that build the kit would change a function. */
const lookAfter = (quietMs: number): string => `(async () => {
  const { set = setTimeout, isWaiting = () => false } = window.${IN_PAGE} ?? {};
  const begun = performance.now();
  let changed = begun, paused = 0, turns = 0;
  const EMPTY = { paused: 0, told: '', main: '', all: '', beside: '', shown: '' };
  const isSeen = window === top || (innerWidth > 1 && innerHeight > 1);
  if (!isSeen || window.frameElement?.checkVisibility({ visibilityProperty: true }) === false) return EMPTY;
  const observer = new MutationObserver(() => {
    const now = performance.now();
    paused = Math.max(paused, now - changed);
    changed = now;
    turns = 0;
  });
  // The document, and each open shadow root in it.
  const roots = [];
  const lookForRoots = () => {
    const of = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((e) => e.shadowRoot ? of(e.shadowRoot) : [])];
    for (const root of of(document)) {
      if (roots.includes(root)) continue;
      roots.push(root);
      observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    }
  };
  lookForRoots();
  const isAtRest = (now) => now - changed >= ${quietMs} && turns >= ${quietMs / TURN_MS} && !isWaiting();
  const isOver = (now) => isAtRest(now) || now - begun >= ${Math.max(quietMs * MAX_QUIETS, MIN_LOOK_MS)};
  do {
    await new Promise((resolve) => set(resolve, ${TURN_MS}));
    turns++;
    lookForRoots();
  }
  while (!isOver(performance.now()));
  observer.disconnect();
  const every = (what) => roots.flatMap((root) => [...root.querySelectorAll(what)]);
  // A part with shadow roots is read as it is drawn: slots have what stands in them.
  const hasRoots = (e) => e.shadowRoot || e.localName === 'slot' || [...e.children].some(hasRoots);
  const textOf = (e) => {
    if (!e || roots.length === 1) return e?.innerText ?? '';
    const { display, visibility } = getComputedStyle(e);
    if (display === 'none') return '';
    const edge = display.startsWith('inline') || display === 'contents' ? '' : '\\n';
    const parts = e.localName === 'slot' ? e.assignedNodes({ flatten: true }) : (e.shadowRoot ?? e).childNodes;
    const read = (part) => part.nodeType === 1 ? textOf(part) : part.nodeType === 3 && visibility === 'visible' ? part.data : '';
    return edge + (hasRoots(e) ? [...parts].map(read).join('') : e.innerText ?? '') + edge;
  };
  const isShown = (each) => each.getClientRects().length > 0;
  const fields = every('input:not([type=radio], [type=checkbox]), textarea').filter(isShown);
  const read = () => {
    const [main, ...others] = every('main, [role=main]');
    const told = every('[role=alert], [role=status], dialog[open]');
    return {
      told: told.map((each) => textOf(each).trim()).filter(Boolean).join(' '),
      main: textOf(main && others.length === 0 ? main : document.body),
      all: textOf(document.body),
    };
  };
  const shown = read().main;
  // The words as their author wrote them: a style sheet may show them in capitals.
  const plain = new CSSStyleSheet();
  plain.replaceSync('* { text-transform: none !important }');
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, plain];
  const written = read();
  for (const root of roots) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== plain);
  const beside = [document.title, ...fields.map((field) => field.value ?? '')].filter(Boolean).join(' ');
  return { paused, ...written, beside, shown };
})()`;

/** A page that never stays as it is, such as one with a moving picture, is read after ten quiet times. */
const MAX_QUIETS = 10;
/** The shortest time (ms) for which a page that changes is watched: several pauses may follow each other. */
const MIN_LOOK_MS = 2_000;

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Looks at the page and at its frames; undefined while the page is loaded. */
export async function lookAt(page: Page, pace: QuietTime): Promise<Look | undefined> {
  const { quietMs } = pace;
  const main = page.mainFrame();
  try {
    const looks = await Promise.all(
      page.frames().map((frame) => {
        const look = frame.evaluate<Look & { paused: number }>(lookAfter(quietMs));
        // A frame may go, or be loaded, at any time: the next look reads it.
        return frame === main ? look : look.catch(() => undefined);
      }),
    );
    const seen = looks.filter((look) => look !== undefined);
    pace.learn(Math.max(...seen.map(({ paused }) => paused)));
    const joined = (part: keyof Look) => plain(seen.map((look) => look[part]).join(' '));
    const [told, all, beside] = [joined('told'), joined('all'), joined('beside')];
    return { told, main: joined('main'), all, beside, shown: joined('shown') };
  } catch (error) {
    if (page.isClosed())
      throw new DriverFailure('the page was closed', { what: 'unreachable', cause: error });
    // A navigation ends what runs in the page.
    return undefined;
  }
}

export const isThere = (texts: readonly string[], { main, shown }: Look): boolean =>
  texts.some((text) => [main, shown].some((all) => all.includes(plain(text))));

const fits = ({ anyOf, matches, not }: ScreenTexts, look: Look): boolean =>
  (anyOf.length === 0 || isThere(anyOf, look)) &&
  (matches === undefined || [look.main, look.shown].some((all) => new RegExp(matches, 'u').test(all))) &&
  !isThere(not, look);

/** @throws ScenarioStopped when the texts of two screens stand there: the file must tell them apart */
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
  throw new ScenarioStopped(message, 'harness');
}

/**
 * `recorded`: texts that stand in records alone; where one is read, a record is shown. `missing`: what the person
 * looked for and did not find. `dialogs`: what the page asked meanwhile.
 */
export function seenOn(
  look: Look,
  sees: Screen,
  recorded: readonly string[],
  missing = '',
  dialogs: readonly string[] = [],
): Seen {
  const text = [missing, ...dialogs, look.told, look.main].filter(Boolean).join(' ');
  const { all, beside } = look;
  const hasRecord = sees === 'patient' || recorded.some((value) => `${all} ${beside}`.includes(value));
  return { sees, text, beside, missing, ...(hasRecord && { patient: all }) };
}

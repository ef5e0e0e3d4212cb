/** Drives a client in a browser, as a person does, in one tab or two. */
import type { BrowserContext, Locator, Page, Request } from '@playwright/test';
import { type Clock, deadline, pause } from '#protocol/time/clock.ts';
import { fill } from '../../../../engine/party/requests/template.ts';
import { type Action, type ClientDriver, DriverFailure, inTurns, type Seen } from '../driver.ts';
import { isThere, lookAt, type QuietTime, screenIn, seenOn } from './screen.ts';
import type { BrowserSettings, BrowserStep, TypedName } from './settings.ts';

type BrowserDriverParts = {
  context: BrowserContext;
  settings: BrowserSettings;
  timeouts: { actionMs: number; leaveMs: number };
  servers: readonly string[];
  storage: string;
  /** Texts that occur in records only; a page that has one shows a record. */
  recorded: readonly string[];
  /** How long a page must stay as it is; what one page shows is learnt for all pages of the run. */
  pace: QuietTime;
  clock: Clock;
};

/** A page with none of the file's texts is looked at again for this long (ms), then it counts as an error. */
const UNKNOWN_SCREEN_MS = 1_500;
const LOOK_INTERVAL_MS = 20;
/** An answer counts as taken after this long (ms), though its body, such as that of HTTP 500, is not read. */
const UNREAD_MS = 300;

/** A call to another server than the kit, such as the client's own, is waited for this long (ms). */
const OTHER_CALL_MS = 3_000;
const CALL_TYPES = ['fetch', 'xhr'];

export class BrowserDriver implements ClientDriver {
  readonly #parts: BrowserDriverParts;
  readonly #tabs: Page[] = [];
  #page: Page | undefined;
  /** Calls that are under way, by tab, each with the time until which the page is waited for. */
  readonly #calls = new Map<Page, Map<unknown, number>>();
  readonly #addresses = new Set<string>();
  readonly #console: string[] = [];
  #ended = 0;
  #acting = 0;

  constructor(parts: BrowserDriverParts) {
    this.#parts = parts;
    parts.context.setDefaultTimeout(parts.timeouts.actionMs);
  }

  readonly act = inTurns((action, isTwice) => this.#guarded(action, isTwice));

  async leave(): Promise<void> {
    const { context, storage, timeouts, clock } = this.#parts;
    const closed = this.#tabs.map((page) => {
      const isClosed = new Promise<void>((resolve) => page.once('close', () => resolve()));
      void page.close({ runBeforeUnload: true });
      return isClosed;
    });
    const limit = new AbortController();
    await Promise.race([Promise.all(closed), pause(clock, timeouts.leaveMs, limit.signal)]);
    limit.abort();
    await context.storageState({ path: storage, indexedDB: true });
    await context.close();
  }

  kill(): Promise<void> {
    return this.#parts.context.close();
  }

  logged(): string[] {
    return this.#console.splice(0);
  }

  /** Storage, cookies, the addresses of the page, and those to which and from which its requests went. */
  async kept(): Promise<string[]> {
    const state = await this.#parts.context.storageState({ indexedDB: true });
    const session = await this.#page?.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    const kept = [...state.cookies, ...state.origins].map((each) => JSON.stringify(each));
    return [...kept, session ?? '', ...this.#addresses];
  }

  async #guarded(action: Action, isTwice: boolean): Promise<Seen> {
    const { clock, timeouts } = this.#parts;
    const message = `the page was still at work ${timeouts.actionMs} ms after ${action.do}`;
    const late = new DriverFailure(message, { what: 'timeout' });
    const { signal, cancel } = deadline(clock, timeouts.actionMs, late);
    this.#acting += 1;
    try {
      const note = await this.#perform(action, isTwice);
      return await this.#seen(note, signal);
    } catch (error) {
      if (signal.aborted) throw late;
      if (error instanceof DriverFailure) throw error;
      const [first] = String((error as Error).message).split('\n');
      throw new DriverFailure(`the browser said: ${first}`, { what: 'unreachable', cause: error });
    } finally {
      cancel();
      this.#acting -= 1;
    }
  }

  /** Waits until the other action has called a server: a reload then comes in the middle. */
  async #untilCalling(page: Page): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = new AbortController();
    while (this.#acting > 1 && this.#calls.get(page)?.size === 0)
      await pause(clock, LOOK_INTERVAL_MS, signal);
  }

  /** Returns what the person looked for and did not find; '' where all was there. */
  async #perform(action: Action, isTwice: boolean): Promise<string> {
    const { settings, timeouts, pace } = this.#parts;
    const page = await this.#opened();
    switch (action.do) {
      case 'restart':
        await this.#restart();
        return '';
      case 'reload':
        await this.#untilCalling(page);
        await page.reload();
        return '';
      case 'back':
        await page.goBack();
        // Back may leave the client's pages: the person then goes forward again.
        if (new URL(page.url()).origin !== new URL(settings.address).origin) await page.goForward();
        return '';
      case 'otherTab':
        this.#page = this.#tabs.find((tab) => tab !== page) ?? (await this.#openTab());
        return '';
    }
    const steps = settings.actions[action.do] ?? [];
    const lastPress = steps.findLastIndex(({ press }) => press !== undefined);
    try {
      for (const [at, step] of steps.entries()) {
        const { address } = settings;
        const twice = isTwice && at === lastPress;
        const doing = { page, address, typed: typedOf(action), timeoutMs: timeouts.actionMs, twice };
        // What a press opens, such as a question, must be there for the next step.
        if (await doStep(step, doing)) await lookAt(page, pace);
      }
      return '';
    } catch (error) {
      if (error instanceof NotThere) return error.message;
      throw error;
    }
  }

  async #seen(note: string, signal: AbortSignal): Promise<Seen> {
    const { settings, recorded, clock, pace } = this.#parts;
    let unknownSince: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      const page = await this.#opened();
      const ended = this.#ended;
      const look = await lookAt(page, pace);
      // A page whose call has ended during the look may not have shown the answer yet.
      const isCalling = this.#isCalling(page) || this.#ended > ended;
      const isAtWork = !look || isCalling || isThere(settings.busy, look);
      if (!isAtWork) {
        const screen = screenIn(look, settings);
        if (screen) return seenOn(look, screen, recorded, note);
        unknownSince ??= clock.now();
        if (clock.now() - unknownSince > UNKNOWN_SCREEN_MS) return seenOn(look, 'error', recorded, note);
      } else unknownSince = undefined;
      await pause(clock, LOOK_INTERVAL_MS, signal);
    }
  }

  /** Whether a call of the page to the kit is under way, or one to another server that began just now. */
  #isCalling(page: Page): boolean {
    const now = this.#parts.clock.now();
    return [...(this.#calls.get(page)?.values() ?? [])].some((until) => now < until);
  }

  async #opened(): Promise<Page> {
    this.#page ??= await this.#openTab();
    return this.#page;
  }

  async #restart(): Promise<void> {
    const old = this.#tabs.splice(0);
    this.#page = await this.#openTab();
    await Promise.all(old.map((page) => page.close()));
  }

  async #openTab(): Promise<Page> {
    const { context, settings, servers, clock } = this.#parts;
    const page = await context.newPage();
    const calls = new Map<unknown, number>();
    this.#calls.set(page, calls);
    this.#tabs.push(page);
    page.on('console', (message) => void this.#console.push(message.text()));
    page.on('pageerror', ({ message }) => void this.#console.push(message));
    page.on('request', (request) => {
      const isOfKit = servers.some((url) => request.url().startsWith(url));
      if (isOfKit) calls.set(request, Number.POSITIVE_INFINITY);
      else if (CALL_TYPES.includes(request.resourceType())) calls.set(request, clock.now() + OTHER_CALL_MS);
      const { referer } = request.headers();
      for (const address of [request.url(), referer]) if (address) this.#addresses.add(address);
    });
    const forget = (request: Request) => {
      if (calls.get(request) === Number.POSITIVE_INFINITY) this.#ended += 1;
      calls.delete(request);
    };
    page.on('requestfinished', forget).on('requestfailed', forget);
    page.on('response', (response) => void clock.after(UNREAD_MS, () => forget(response.request())));
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return;
      // The new page does not wait for the calls of the page before.
      calls.clear();
      this.#addresses.add(frame.url());
    });
    await page.goto(settings.address);
    return page;
  }
}

type Typed = Readonly<Partial<Record<TypedName, string>>>;

function typedOf(action: Action): Typed {
  if (action.do !== 'fillForm') {
    const { do: _, ...typed } = action;
    return typed;
  }
  const { name, surname, date, phone, gender } = action.values;
  const [year = '', month = '', day = ''] = date.split('-');
  const chosen = gender === undefined ? {} : { gender: String(gender) };
  return { ...{ name, surname, date, year, month, day, phone }, ...chosen };
}

/** The page lacks a field, a button or a text that the step needs. The message says which. */
class NotThere extends Error {}

/** A person looks for a field or a button for this long (ms) on a page that is at rest. */
const FIND_TIMEOUT_MS = 1_000;

type Doing = { page: Page; address: string; typed: Typed; timeoutMs: number; twice: boolean };

/** Returns whether a button was pressed. @throws NotThere when the page lacks what the step needs */
async function doStep(
  step: BrowserStep,
  { page, address, typed, timeoutMs, twice }: Doing,
): Promise<boolean> {
  const timeout = timeoutMs;
  if (step.open) await page.goto(address, { timeout });
  if (step.reload) await page.reload({ timeout });
  if (step.fill) {
    const { field, with: template } = step.fill;
    const place = await found(fieldOf(page, field), `a field "${field}"`);
    await place.fill(fill(template, typed) ?? '', { timeout });
  }
  if (step.choose) await choose(page, step.choose, typed, timeout);
  if (step.sees)
    await found(anyOf(step.sees.map((text) => page.getByText(text))), `the text "${orWords(step.sees)}"`);
  const names = step.press ?? step.mayPress;
  const button = names && (await firstOf(page, names, step.press !== undefined));
  if (twice) await button?.dblclick({ timeout });
  else await button?.click({ timeout });
  return button !== undefined;
}

const orWords = (texts: readonly string[]): string => texts.join('" or "');

const anyOf = (places: readonly Locator[]): Locator => places.reduce((all, each) => all.or(each)).first();

async function choose(
  page: Page,
  { field, option, words = {} }: NonNullable<BrowserStep['choose']>,
  typed: Typed,
  timeout: number,
): Promise<void> {
  const value = fill(option, typed);
  if (value === undefined) return;
  const name = words[value] ?? value;
  // The text of a label around a list has the words of all options.
  const named = page.getByRole('combobox', { name: field, exact: true });
  const list = page.getByLabel(field, { exact: true }).or(named).and(page.locator('select'));
  const radio = page.getByRole('radio', { name, exact: true });
  const place = await found(list.or(radio).first(), `a choice "${field}" with "${name}"`);
  const isList = (await list.count()) > 0;
  // Selects by the words of an option or by its value.
  if (isList) await place.selectOption(name, { timeout });
  else await place.check({ timeout });
}

const fieldOf = (page: Page, label: string): Locator =>
  page
    .getByLabel(label, { exact: true })
    .or(page.getByPlaceholder(label, { exact: true }))
    .filter({ visible: true })
    .first();

/** What a person takes for a button of this name: a button, else a link and so on, else a text. */
function buttonsOf(page: Page, name: string): Locator[] {
  const ofRole = (role: 'button' | 'link' | 'menuitem' | 'tab') =>
    page.getByRole(role, { name, exact: true });
  const links = ofRole('link').or(ofRole('menuitem')).or(ofRole('tab'));
  return [ofRole('button'), links, page.getByText(name, { exact: true })].map((each) =>
    each.filter({ visible: true }).first(),
  );
}

async function firstOf(
  page: Page,
  names: readonly string[],
  isNeeded: boolean,
): Promise<Locator | undefined> {
  const buttons = names.flatMap((name) => buttonsOf(page, name));
  for (const button of buttons) if (await button.isVisible()) return button;
  if (!isNeeded) return undefined;
  return found(anyOf(buttons), `a button "${orWords(names)}"`);
}

async function found(place: Locator, what: string): Promise<Locator> {
  // This look has no time limit: a busy machine may answer it late.
  if (await place.isVisible()) return place;
  try {
    await place.waitFor({ state: 'visible', timeout: FIND_TIMEOUT_MS });
    return place;
  } catch (cause) {
    throw new NotThere(`There is not ${what} now.`, { cause });
  }
}

/** Drives a client in a browser, as a person does, in one tab or two. */
import type { BrowserContext, Dialog, Page, Request } from '@playwright/test';
import { type Clock, deadline, pause } from '#protocol/time/clock.ts';
import { ScenarioStopped } from '../../../../engine/check/playing.ts';
import { type Action, type ClientDriver, DriverFailure, type Kept, type Seen } from '../driver.ts';
import { isThere, lookAt, type QuietTime, screenIn, seenOn } from './screen.ts';
import type { BrowserSettings } from './settings.ts';
import { type Dialogs, NotThere, playSteps, typedOf } from './steps.ts';

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

/** Performs an action once, with `isTwice`, where it is asked for again before it begins: a double click. */
function withDoubleClicks(perform: (action: Action, isTwice: boolean) => Promise<Seen>) {
  type Asked = { do: Action['do']; isTwice: boolean; seen: Promise<Seen> };
  let next: Asked | undefined;
  return (action: Action): Promise<Seen> => {
    if (next?.do === action.do) {
      next.isTwice = true;
      return next.seen;
    }
    const begin = () => {
      if (next === asked) next = undefined;
      return perform(action, asked.isTwice);
    };
    const asked: Asked = { do: action.do, isTwice: false, seen: Promise.resolve().then(() => begin()) };
    next = asked;
    return asked.seen;
  };
}

export class BrowserDriver implements ClientDriver {
  readonly #parts: BrowserDriverParts;
  readonly #tabs: Page[] = [];
  #page: Page | undefined;
  /** Calls that are under way, by tab, each with the time until which the page is waited for. */
  readonly #calls = new Map<Page, Map<unknown, number>>();
  readonly #addresses = new Set<string>();
  readonly #console: string[] = [];
  readonly #dialogs: Dialogs = { told: [], unmet: 0, answers: [] };
  #ended = 0;
  #acting = 0;

  constructor(parts: BrowserDriverParts) {
    this.#parts = parts;
    parts.context.setDefaultTimeout(parts.timeouts.actionMs);
  }

  readonly act = withDoubleClicks((action, isTwice) => this.#guarded(action, isTwice));

  async leave(): ReturnType<ClientDriver['leave']> {
    const { context, storage, timeouts, clock } = this.#parts;
    const closed = this.#tabs.map((page) => {
      const isClosed = new Promise<void>((resolve) => page.once('close', () => resolve()));
      void page.close({ runBeforeUnload: true });
      return isClosed;
    });
    const limit = new AbortController();
    const left = Promise.all(closed).then(() => true);
    const isClosed = await Promise.race([
      left,
      pause(clock, timeouts.leaveMs, limit.signal).then(() => false),
    ]);
    limit.abort();
    await context.storageState({ path: storage, indexedDB: true });
    await context.close();
    return isClosed ? undefined : 'timeouts.leaveMs';
  }

  kill(): Promise<void> {
    return this.#parts.context.close();
  }

  logged(): string[] {
    return this.#console.splice(0);
  }

  /** Storage, cookies, the addresses of the page, and those to which and from which its requests went. */
  async kept(): Promise<Kept[]> {
    const { cookies, origins } = await this.#parts.context.storageState({ indexedDB: true });
    const session = await this.#page?.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    return [
      ...cookies.map((each): Kept => ({ place: 'a cookie', text: JSON.stringify(each) })),
      ...origins.map((each) => ({ text: JSON.stringify(each) })),
      { text: session ?? '' },
      ...[...this.#addresses].map((text): Kept => ({ place: 'an address of the page', text })),
    ];
  }

  look = (): Promise<Seen> => this.#guarded(undefined, false);

  /** Without an action it only looks. */
  async #guarded(action: Action | undefined, isTwice: boolean): Promise<Seen> {
    const { clock, timeouts } = this.#parts;
    const message = `the page was still at work ${timeouts.actionMs} ms after ${action?.do ?? 'a look'}`;
    const late = new DriverFailure(message, { what: 'timeout' });
    const { signal, cancel } = deadline(clock, timeouts.actionMs, late);
    this.#acting += 1;
    try {
      const missing = action ? await this.#perform(action, isTwice) : '';
      return await this.#seen(missing, signal);
    } catch (error) {
      if (signal.aborted) throw late;
      if (error instanceof DriverFailure || error instanceof ScenarioStopped) throw error;
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
    const { actions, address } = settings;
    const about = { page, address, pace, typed: typedOf(action), dialogs: this.#dialogs };
    try {
      await playSteps(actions[action.do] ?? [], { ...about, timeout: timeouts.actionMs, twice: isTwice });
      return '';
    } catch (error) {
      if (error instanceof NotThere) return error.message;
      throw error;
    }
  }

  async #seen(missing: string, signal: AbortSignal): Promise<Seen> {
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
        unknownSince ??= clock.now();
        if (screen || clock.now() - unknownSince > UNKNOWN_SCREEN_MS)
          return seenOn(look, screen ?? 'error', recorded, missing, this.#dialogs.told.splice(0));
      } else unknownSince = undefined;
      await pause(clock, LOOK_INTERVAL_MS, signal);
    }
  }

  /** Whether a call of the page to the kit is under way, or one to another server that began just now. */
  #isCalling(page: Page): boolean {
    const now = this.#parts.clock.now();
    return [...(this.#calls.get(page)?.values() ?? [])].some((until) => now < until);
  }

  /** Accepts a dialog, unless a step says otherwise. A person reads what it says. */
  async #answer(dialog: Dialog): Promise<void> {
    const isLeaving = dialog.type() === 'beforeunload';
    const [step, ...later] = isLeaving ? [] : this.#dialogs.answers;
    if (!isLeaving) {
      this.#dialogs.told.push(dialog.message());
      this.#dialogs.unmet += 1;
      this.#dialogs.answers = later;
    }
    const answered =
      step?.answer === 'dismiss' ? dialog.dismiss() : dialog.accept(step?.with ?? dialog.defaultValue());
    // A page that is closed meanwhile needs no answer.
    await answered.catch(() => undefined);
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
    page.on('dialog', (dialog) => void this.#answer(dialog));
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

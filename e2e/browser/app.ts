/** The web client as a person uses it: by labels, headings and buttons. */
import { expect, type Locator, type Page } from '@playwright/test';
import { noteInFlow } from '#testing/recording/recorded-flow.ts';
import { signOfLife, signsOfLife } from '#testing/runner/signs-of-life.ts';

export type Typed = { name: string; surname: string; date: string; phone: string };

/** How long (ms) an idle page, and the wire, may be silent before what is not there counts as missing. */
const SILENT_PAGE_MS = 8_000;

/** A page that asks again and again without end is waited for so many times. */
const MAX_TURNS = 20;

/** Longest text of an alert that a failure tells. */
const MAX_TOLD_CHARS = 160;

export class App {
  readonly page: Page;
  readonly complaints: string[] = [];
  readonly #url: string;
  readonly #codeFor: (to: string) => string | Promise<string>;

  constructor(page: Page, url: string, codeFor: (to: string) => string | Promise<string>) {
    this.page = page;
    this.#url = url;
    this.#codeFor = codeFor;
    for (const event of ['request', 'requestfinished', 'requestfailed'] as const)
      page.on(event as 'request', signOfLife);
    page.on('pageerror', ({ message }) => this.complaints.push(message));
  }

  async open(): Promise<void> {
    await this.page.goto(this.#url);
    await this.sees('Sign in');
  }

  sees(heading: string | RegExp): Promise<void> {
    return this.#shows(this.page.getByRole('heading', { level: 1, name: heading }), `see ${quoted(heading)}`);
  }

  isTold(text: string | RegExp): Promise<void> {
    return this.#shows(this.page.getByRole('alert').filter({ hasText: text }), `be told ${quoted(text)}`);
  }

  press(name: string): Promise<void> {
    noteInFlow(`The user presses “${name}”.`);
    const button = this.page.getByRole('button', { name, exact: true });
    return this.#patiently(`have a button ${quoted(name)} to press`, (timeout) => button.click({ timeout }));
  }

  async requestCode(phone: string): Promise<string> {
    await this.#fill('Phone number', phone);
    await this.press('Send code');
    await this.sees('Enter the code');
    return this.#codeFor(phone);
  }

  async enterCode(code: string): Promise<void> {
    await this.#fill('Code', code);
    await this.press('Confirm');
  }

  async findRecord({ name, surname, date, phone }: Typed): Promise<void> {
    await this.#fill('Given name', name);
    await this.#fill('Family name', surname);
    await this.#fill('Date of birth', date.slice(0, 10));
    await this.#fill('Phone number', phone);
    await this.press('Find my record');
  }

  async seesRecordOf({ name, surname }: Typed): Promise<void> {
    await this.sees(new RegExp(`${name}.*${surname}`));
    await this.#shows(
      this.page.getByRole('article', { name: 'Your health record' }),
      'see their health record',
    );
    // The link is reported in the background. The buttons are enabled again when that is done.
    const button = this.page.getByRole('button', { name: 'Log out' });
    await this.#patiently('be able to log out', (timeout) => expect(button).toBeEnabled({ timeout }));
  }

  #fill(label: string, value: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: true });
    return this.#patiently(`have a field ${quoted(label)}`, (timeout) => field.fill(value, { timeout }));
  }

  #shows(what: Locator, wanted: string): Promise<void> {
    return this.#patiently(wanted, (timeout) => expect(what).toBeVisible({ timeout }));
  }

  /** Waits as long as anything happens. @throws Error that says what the person sees instead */
  async #patiently(wanted: string, wait: (timeout: number) => Promise<void>): Promise<void> {
    for (let turn = 1; ; turn++) {
      const before = signsOfLife();
      try {
        await wait(SILENT_PAGE_MS);
        return;
      } catch (cause) {
        if (turn < MAX_TURNS && signsOfLife() !== before) continue;
        throw new Error(`The person ought to ${wanted}; they ${await this.#seen()}.`, { cause });
      }
    }
  }

  async #seen(): Promise<string> {
    const textsOf = (role: 'alert' | 'heading') =>
      this.page
        .getByRole(role)
        .allInnerTexts()
        .catch(() => []);
    const [heading] = await textsOf('heading');
    const told = (await textsOf('alert')).join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TOLD_CHARS);
    const [complaint] = this.complaints;
    const seen = heading === undefined ? 'see an empty page' : `see ${quoted(heading)}`;
    return `${seen}${told && ` and are told ${quoted(told)}`}${complaint === undefined ? '' : `; the page fails: ${complaint}`}`;
  }
}

const quoted = (text: string | RegExp) =>
  `“${typeof text === 'string' ? text : text.source.replace('.*', ' ')}”`;

/**
 * The web client as a person uses it: by labels, headings and buttons, never by the structure of the page.
 */
import { expect, type Page } from '@playwright/test';
import { noteInFlow } from '#testing/recorded-flow.ts';

export type Typed = { name: string; surname: string; date: string; phone: string };

/** Returns a code that is not this one. */
export function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

export class App {
  readonly page: Page;
  readonly #url: string;
  readonly #codeFor: (to: string) => string | Promise<string>;

  constructor(page: Page, url: string, codeFor: (to: string) => string | Promise<string>) {
    this.page = page;
    this.#url = url;
    this.#codeFor = codeFor;
  }

  async open(): Promise<void> {
    await this.page.goto(this.#url);
    await this.sees('Sign in');
  }

  /** Checks the heading of the current step. */
  sees(heading: string | RegExp): Promise<void> {
    return expect(this.page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }

  /** Checks the text of an alert. */
  isTold(text: string | RegExp): Promise<void> {
    return expect(this.page.getByRole('alert').filter({ hasText: text })).toBeVisible();
  }

  /** Checks the text of a notice. */
  isNotified(text: string | RegExp): Promise<void> {
    return expect(this.page.getByRole('status').filter({ hasText: text })).toBeVisible();
  }

  press(name: string): Promise<void> {
    noteInFlow(`The user presses “${name}”.`);
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  async requestCode(phone: string): Promise<string> {
    await this.page.getByLabel('Phone number').fill(phone);
    await this.press('Send code');
    await this.sees('Enter the code');
    return this.#codeFor(phone);
  }

  async enterCode(code: string): Promise<void> {
    await this.page.getByLabel('Code', { exact: true }).fill(code);
    await this.press('Confirm');
  }

  async signIn(phone: string): Promise<void> {
    await this.enterCode(await this.requestCode(phone));
  }

  async fillDetails({ name, surname, date, phone }: Typed): Promise<void> {
    await this.page.getByLabel('Given name').fill(name);
    await this.page.getByLabel('Family name').fill(surname);
    await this.page.getByLabel('Date of birth').fill(date.slice(0, 10));
    await this.page.getByLabel('Phone number').fill(phone);
  }

  async findRecord(typed: Typed): Promise<void> {
    await this.fillDetails(typed);
    await this.press('Find my record');
  }

  /** Goes through the whole first link, up to the record. */
  async connect(phone: string, typed: Typed): Promise<void> {
    await this.open();
    await this.signIn(phone);
    await this.sees('Find your record');
    await this.findRecord(typed);
    await this.seesRecordOf(typed);
  }

  async seesRecordOf({ name, surname }: Typed): Promise<void> {
    await this.sees(new RegExp(`${name}.*${surname}`));
    await expect(this.page.getByRole('article', { name: 'Your health record' })).toBeVisible();
    // The link is reported in the background. The buttons are enabled again when that is done.
    await expect(this.page.getByRole('button', { name: 'Log out' })).toBeEnabled();
  }
}

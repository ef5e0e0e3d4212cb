/** Performs the steps of the file on the page, found as a person finds them. */
import type { Locator, Page } from '@playwright/test';
import { fill } from '../../../../engine/party/requests/template.ts';
import type { Action } from '../driver.ts';
import type { BrowserStep, TypedName } from './settings.ts';

export type Typed = Readonly<Partial<Record<TypedName, string>>>;

export function typedOf(action: Action): Typed {
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
export class NotThere extends Error {}

/** A person looks for a field or a button for this long (ms) on a page that is at rest. */
const FIND_TIMEOUT_MS = 1_000;

export type Doing = { page: Page; address: string; typed: Typed; timeoutMs: number; twice: boolean };

/** Returns whether a button was pressed. @throws NotThere when the page lacks what the step needs */
export async function doStep(
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

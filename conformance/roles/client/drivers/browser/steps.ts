/** Plays the steps of an action, as a person finds fields and buttons: in the page and in its frames. */
import type { Frame, Locator, Page } from '@playwright/test';
import { fill, variablesIn } from '../../../../engine/party/requests/template.ts';
import type { Action } from '../driver.ts';
import { lookAt, type QuietTime } from './screen.ts';
import type { BrowserStep, TypedName } from './settings.ts';

type Typed = Readonly<Partial<Record<TypedName, string>>>;

export function typedOf(action: Action): Typed {
  if (action.do !== 'fillForm') {
    const { do: _, ...typed } = action;
    return typed;
  }
  const { name, surname, date, phone, gender } = action.values;
  const [year = '', month = '', day = ''] = date.split('-');
  const chosen = gender === undefined ? {} : { gender: String(gender) };
  return { name, surname, date, year, month, day, phone, ...chosen };
}

/** The page lacks a field, a button or a text that the step needs. The message says which. */
export class NotThere extends Error {}

export type Dialogs = {
  /** What the page asked by `confirm` and the like. */
  told: string[];
  /** How many of them no step has met: each dialog counts up, its step down. */
  unmet: number;
  /** For the next ones. */
  answers: readonly DialogStep[];
};
type DialogStep = NonNullable<BrowserStep['dialog']>;

type Doing = {
  page: Page;
  address: string;
  typed: Typed;
  timeout: number;
  twice: boolean;
  pace: QuietTime;
  dialogs: Dialogs;
};

/** @throws NotThere when the page lacks what a step needs */
export async function playSteps(steps: readonly BrowserStep[], doing: Doing): Promise<void> {
  const { page, pace, dialogs } = doing;
  const lastPress = steps.findLastIndex(({ press }) => press !== undefined);
  for (const [at, step] of steps.entries()) {
    // A dialog stops the page: its answer must be known before the press that opens it.
    if (!step.dialog) Object.assign(dialogs, { unmet: 0, answers: dialogsFrom(steps, at + 1) });
    else if (--dialogs.unmet < 0) throw new NotThere('There is not a dialog now.');
    // What a press opens, such as a question, must be there for the next step.
    if (await doStep(step, { ...doing, twice: doing.twice && at === lastPress })) await lookAt(page, pace);
  }
}

function dialogsFrom(steps: readonly BrowserStep[], start: number): DialogStep[] {
  const { dialog } = steps[start] ?? {};
  return dialog ? [dialog, ...dialogsFrom(steps, start + 1)] : [];
}

/** The time (ms) for which a hand holds a button, and leaves it, in a double click. */
const HAND_MS = 60;

/** Returns whether a button was pressed. */
async function doStep(step: BrowserStep, { page, address, typed, timeout, twice }: Doing): Promise<boolean> {
  if (step.open) await page.goto(address, { timeout });
  if (step.reload) await page.reload({ timeout });
  if (step.fill) {
    const { field, with: template } = step.fill;
    const place = await found(page, (frame) => fieldsIn(frame, field), `a field "${field}"`);
    const text = fill(template, typed) ?? '';
    const isCode = variablesIn(template)?.some(({ name }) => name === 'code');
    await place.fill(isCode ? '' : text, { timeout });
    // As keys: six boxes of one digit hand the focus on, and take no more at once.
    if (isCode) await place.pressSequentially(text, { timeout });
  }
  if (step.choose) await choose(page, step.choose, typed, timeout);
  const { sees } = step;
  if (sees)
    await found(
      page,
      (frame) => sees.map((text) => firstOf(frame.getByText(text))),
      `the text ${either(sees)}`,
    );
  const names = step.press ?? step.mayPress;
  if (!names) return false;
  const buttons = (frame: Frame) => buttonsIn(frame, names);
  const button = step.press
    ? await found(page, buttons, `a button ${either(names)}`)
    : await seenOf(page, buttons);
  if (twice) await button?.dblclick({ timeout, delay: HAND_MS });
  else await button?.click({ timeout });
  return button !== undefined;
}

const either = (texts: readonly string[]): string => `"${texts.join('" or "')}"`;

/** Without case: a style sheet may write the words in capitals. */
const inAnyCase = (words: string): RegExp =>
  new RegExp(`^\\s*${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`, 'i');

const firstOf = (place: Locator): Locator => place.filter({ visible: true }).first();

const fieldsIn = (frame: Frame, label: string): Locator[] =>
  [label, inAnyCase(label)].map((name) =>
    firstOf(frame.getByLabel(name, { exact: true }).or(frame.getByPlaceholder(name, { exact: true }))),
  );

/** What a person takes for a button of this name: a button, else a link and so on, else a text. */
function buttonsIn(frame: Frame, names: readonly string[]): Locator[] {
  const ofName = (name: string | RegExp) => {
    const ofRole = (role: 'button' | 'link' | 'menuitem' | 'tab') =>
      frame.getByRole(role, { name, exact: true });
    const links = ofRole('link').or(ofRole('menuitem')).or(ofRole('tab'));
    return [ofRole('button'), links, frame.getByText(name, { exact: true })];
  };
  const others = names.map(inAnyCase).flatMap(ofName);
  return [...names.flatMap(ofName), others.reduce((all, each) => all.or(each))].map(firstOf);
}

async function choose(
  page: Page,
  { field, option, words = {} }: NonNullable<BrowserStep['choose']>,
  typed: Typed,
  timeout: number,
): Promise<void> {
  const value = fill(option, typed);
  if (value === undefined) return;
  const name = words[value] ?? value;
  const optionIn = (place: Frame | Locator) => firstOf(place.getByRole('option', { name, exact: true }));
  const choicesIn = (frame: Frame) => {
    // The text of a label around a list has the words of all options.
    const named = frame
      .getByLabel(field, { exact: true })
      .or(frame.getByRole('combobox', { name: field, exact: true }));
    const opening = named.and(frame.locator('[role=combobox], [aria-haspopup=listbox]'));
    const open = frame.getByRole('listbox', { name: field, exact: true });
    const radio = frame.getByRole('radio', { name, exact: true });
    const group = frame.getByRole('group', { name: field, exact: true });
    const ofValue = group
      .or(frame.getByRole('radiogroup', { name: field, exact: true }))
      .locator(`input[type=radio][value=${JSON.stringify(name)}]`);
    return [named.and(frame.locator('select')), radio, ofValue, opening]
      .map((each) => each.first())
      .concat(optionIn(open));
  };
  const place = await found(page, choicesIn, `a choice "${field}" with "${name}"`);
  const kind = await place.evaluate((each) => each.getAttribute('role') ?? each.localName);
  if (kind === 'select') await select(place, name, { field, timeout });
  else if (kind === 'input' || kind === 'radio') await place.check({ timeout });
  else await place.click({ timeout });
  if (kind === 'combobox' || kind === 'button')
    await (await found(page, (frame) => [optionIn(frame)], `an option "${name}" of "${field}"`)).click({
      timeout,
    });
}

/** Selects an option by its words or its value; a number also where it is written without a 0 before it. */
async function select(
  list: Locator,
  name: string,
  { field, timeout }: { field: string; timeout: number },
): Promise<void> {
  const wanted = [name, ...(/^\d+$/.test(name) ? [String(Number(name))] : [])];
  const optionAt = async () => {
    const options = await list
      .locator('option')
      .evaluateAll((all) => (all as HTMLOptionElement[]).map(({ label, value }) => [label.trim(), value]));
    const found = wanted.map((text) => options.findIndex((texts) => texts.includes(text)));
    return found.find((index) => index >= 0);
  };
  let at = await optionAt();
  if (at === undefined) {
    // A list may be filled by the choice before it.
    const last = list.locator('option').filter({ hasText: inAnyCase(wanted.at(-1) ?? name) });
    await last
      .first()
      .waitFor({ state: 'attached', timeout: FIND_TIMEOUT_MS })
      .catch(() => undefined);
    at = await optionAt();
  }
  if (at === undefined) throw new NotThere(`There is not an option "${name}" of "${field}" now.`);
  await list.selectOption({ index: at }, { timeout });
}

/** A person looks for a field or a button for this long (ms) on a page that is at rest. */
const FIND_TIMEOUT_MS = 1_000;

type PlacesIn = (frame: Frame) => readonly Locator[];

/** The first of these places that is seen, in whichever frame. */
async function seenOf(page: Page, placesIn: PlacesIn): Promise<Locator | undefined> {
  const all = page.frames().map(placesIn);
  for (const at of all[0]?.keys() ?? [])
    for (const places of all) {
      const place = places[at];
      // A frame may go while it is looked at. This look has no time limit: a busy machine may answer it late.
      if (await place?.isVisible().catch(() => false)) return place;
    }
  return undefined;
}

/** @throws NotThere when none of these places is seen */
async function found(page: Page, placesIn: PlacesIn, what: string): Promise<Locator> {
  const seen = await seenOf(page, placesIn);
  if (seen) return seen;
  const waits = page.frames().flatMap((frame) =>
    placesIn(frame).map(async (place) => {
      await place.waitFor({ state: 'visible', timeout: FIND_TIMEOUT_MS });
      return place;
    }),
  );
  return Promise.any(waits).catch((cause: unknown) => {
    throw new NotThere(`There is not ${what} now.`, { cause });
  });
}

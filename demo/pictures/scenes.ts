/** What the pictures show: the first link, step by step, and a walk through the page. */
import { type Browser, expect, type Page } from '@playwright/test';
import { type Camera, type Film, type Frame, pictureOptions } from './camera.ts';

const FILM_SIZE = { width: 1240, height: 740 };
const WALK_SIZE = { width: 1280, height: 760 };
/** In seconds: after this, an exchange token is about to end. */
const NEARLY_TEN_MINUTES_S = '570';
const PHONE_SIZE = { width: 390, height: 760 };

/** As the page lists them, with the number of their steps. */
const FIRST_LINK = { title: 'The first link', steps: 6 };
const LAST_SECOND = { title: 'An exchange token in its last second', steps: 4 };

/** The film: why the exchange token exists, then each step of the first link as it happens. */
export async function playFilm(browser: Browser, camera: Camera, address: string): Promise<Film> {
  const page = await open(browser, address, FILM_SIZE);
  const frames: Frame[] = [];
  const shoot = async (seconds: number) => void frames.push({ picture: await camera(page), seconds });
  await page.getByRole('button', { name: 'Next' }).click();
  await shoot(3);
  for (const _ of [1, 2]) await page.getByRole('button', { name: 'Next' }).click();
  await shoot(3.5);
  await page.getByRole('button', { name: 'Close' }).click();
  for (let step = 1; step <= FIRST_LINK.steps; step += 1) {
    await playStep(page, FIRST_LINK, step);
    await shoot(1.6);
  }
  await chooseMessage(page, 'save_exchange_token');
  await shoot(3);
  await page.getByRole('tab', { name: 'State' }).click();
  await shoot(3);
  await page.context().close();
  return { ...FILM_SIZE, frames };
}

/** The pictures of the walk by name. The film was played before: its messages are there. */
export async function takeWalk(
  browser: Browser,
  camera: Camera,
  address: string,
): Promise<Map<string, Buffer>> {
  const walk = new Map<string, Buffer>();
  const page = await open(browser, address, WALK_SIZE);
  for (const _ of [1, 2]) await page.getByRole('button', { name: 'Next' }).click();
  walk.set('console-why', await camera(page));
  await page.getByRole('button', { name: 'Close' }).click();
  await chooseMessage(page, 'save_auth_info');
  walk.set('console-message', await camera(page));

  for (const step of [1, 2]) await playStep(page, LAST_SECOND, step);
  await page.getByRole('slider').fill(NEARLY_TEN_MINUTES_S);
  await page.getByRole('slider').press('Enter');
  await page.getByRole('tab', { name: 'State' }).click();
  // The token that is about to end.
  await expect(page.locator('.soon')).toBeVisible();
  walk.set('console-state', await camera(page));

  await page.getByRole('button', { name: /^Trouble: Authorization server/ }).click();
  const trouble = page.getByRole('dialog');
  await trouble.getByLabel('What happens').selectOption('reply-lost');
  await trouble.getByLabel('Method').selectOption('embedded_storage.save_auth_info');
  await trouble.getByRole('button', { name: 'Switch on' }).click();
  await expect(trouble.getByText('Nothing is switched on here.')).toBeHidden();
  walk.set('console-trouble', await camera(page));
  await page.context().close();

  const phone = await open(browser, address, PHONE_SIZE, 'dark');
  await phone.getByRole('button', { name: 'Close' }).click();
  walk.set('console-phone', await camera(phone));
  await phone.context().close();
  return walk;
}

async function open(
  browser: Browser,
  address: string,
  viewport: { width: number; height: number },
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Page> {
  const context = await browser.newContext({ ...pictureOptions, viewport, colorScheme });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.getByText('Three parties, live')).toBeVisible();
  return page;
}

/** Plays one step of a scenario, up to its last message. */
async function playStep(
  page: Page,
  { title, steps }: { title: string; steps: number },
  step: number,
): Promise<void> {
  const bar = page.getByRole('banner');
  await bar.getByLabel('Scenario').selectOption({ label: title });
  await bar.getByRole('button', { name: 'Step', exact: true }).click();
  const state = page.getByRole('region', { name: 'Scenario' });
  await expect(state).toContainText(`Step ${step} of ${steps}`);
  await expect(state.getByRole('status')).toHaveText(step === steps ? 'done' : 'paused');
}

async function chooseMessage(page: Page, method: string): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(method) })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: /^Request/ })).toBeVisible();
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { startProgram } from '#testing/programs/program.ts';
import { readHarFile } from '../../../engine/learn/har.ts';
import { choosePorts } from '../../../engine/party/process/ports.ts';
import { example, inDirectory } from '../../../testing/cli.ts';
import { usualAnswers } from '../../../testing/usual-answers.ts';
import { examineClient } from '../doctor.ts';
import { people } from '../people/people.ts';
import { openClientRun, recorderOf } from '../run.ts';
import { Front } from '../servers/front.ts';
import { loadClientFile } from '../settings.ts';
import { learnedFile } from './file.ts';

const PAGE = example('plain-page.yaml');
const { darya } = people;

/** Signs in, links and logs out as a person does. */
async function walk(page: Page, codeOf: () => string | undefined): Promise<void> {
  const { name, surname, date, phone } = darya.form;
  await page.getByLabel('Phone', { exact: true }).fill(darya.signIn);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  await page.getByLabel('Code').fill(codeOf() ?? '');
  await page.getByRole('button', { name: 'Confirm' }).click();
  for (const [label, value] of Object.entries({
    'Given name': name,
    'Family name': surname,
    'Date of birth': date,
  }))
    await page.getByLabel(label).fill(value);
  await page.getByLabel('Phone of the record').fill(phone);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { name: 'Your record' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** Records the walk in a browser, with both servers of the kit, and returns the path of the HAR. */
async function recorded(browser: Browser, directory: string, pageUrl: string): Promise<string> {
  const { settings } = loadClientFile(PAGE, {});
  const parts = { settings, recorder: recorderOf(systemClock), clock: systemClock, random: systemRandom };
  const front = await Front.open({ ...parts, ports: { auth: 0, ehr: 0 } });
  const path = join(directory, 'walk.har');
  const context = await browser.newContext({ recordHar: { path, content: 'embed' } });
  try {
    const page = await context.newPage();
    await page.goto(`${pageUrl}?auth=${front.urls.auth}&ehr=${front.urls.ehr}&lang=en`);
    await walk(page, () => front.servers.code(darya.signIn));
  } finally {
    await context.close();
    await front.close();
  }
  return path;
}

/** What the doctor finds about the client of a file. */
async function examined(file: string) {
  const about = { clock: systemClock, seed: 1, random: systemRandom, env: process.env };
  const run = await openClientRun({
    ...about,
    ...{ loaded: loadClientFile(file, {}), signal: new AbortController().signal },
  });
  try {
    return await examineClient(run, () => undefined);
  } finally {
    await run.close();
  }
}

test('one walk through a page makes a file that the doctor passes', async ({ browser }) => {
  const { page: port = 0 } = await choosePorts({ page: 0 });
  const server = startProgram([example('plain-page/server.mjs'), '--port', String(port)]);
  try {
    await inDirectory(async (directory) => {
      const pageUrl = `http://127.0.0.1:${port}/`;
      await expect
        .poll(() =>
          fetch(pageUrl).then(
            (answer) => answer.ok,
            () => false,
          ),
        )
        .toBe(true);
      const recording = readHarFile(await recorded(browser, directory, pageUrl));
      const { text, left } = await learnedFile(recording, usualAnswers);
      expect(left).toEqual([]);
      for (const value of [...Object.values(darya.form), darya.signIn])
        if (String(value).length > 2) expect(text).not.toContain(String(value));
      const file = join(directory, 'page.yaml');
      writeFileSync(file, text);
      const found = (await examined(file)).map((diagnosis) => diagnosis.found);
      expect(found).toEqual(['the screen code', 'the screen form', 'the screen patient']);
    });
  } finally {
    await server.stop();
  }
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { example, inDirectory } from '../../testing/cli.ts';
import { loadClientFile } from './settings.ts';

const saidOf = (
  change: (file: { browser: Record<string, unknown>; client?: unknown }) => void,
): Promise<string> =>
  inDirectory(async (directory) => {
    const data = parse(readFileSync(example('web-client.yaml'), 'utf8'));
    change(data);
    const file = join(directory, 'mine.json');
    writeFileSync(file, JSON.stringify(data));
    try {
      loadClientFile(file, {});
      return '';
    } catch (error) {
      return (error as Error).message.replaceAll(file, 'mine.json');
    }
  });

test('a file names one way to drive the client', async () => {
  expect(await saidOf(() => undefined)).toBe('');
  expect(await saidOf((file) => Object.assign(file, { client: { command: ['x'] } }))).toContain(
    'browser: cannot stand beside client. Please keep one of them.',
  );
  expect(await saidOf((file) => Object.assign(file, { browser: undefined }))).toContain(
    'lacks one of client, browser',
  );
});

test('a page without a deletion says why', async () => {
  const without = (absent?: object) =>
    saidOf((file) => {
      delete (file.browser.actions as Record<string, unknown>).deleteAccount;
      Object.assign(file, { absent });
    });
  expect(await without()).toContain('lacks deleteAccount. Please describe it, or say under absent why');
  expect(await without({ deleteAccount: 'on the site of the clinic' })).toBe('');
});

test('a step is one action of a person, with the kit’s templates', async () => {
  const withSteps = (...logout: unknown[]) =>
    saidOf(({ browser }) => Object.assign(browser.actions as object, { logout }));
  expect(await withSteps({ press: 'Log out', reload: true })).toContain('must be one of open, reload, fill,');
  expect(await withSteps({ fill: { field: 'Phone', with: `\${number}` } })).toContain(
    `may have the templates \${phone}`,
  );
  expect(await withSteps({ click: 'Log out' })).toContain(
    'browser.actions.logout[0].click: is not known here.',
  );
  expect(await withSteps()).toContain('must have a step');
});

test('a text with that of another screen in it is a fault', async () => {
  const withTexts = (screens: object, order?: string[]) =>
    saidOf(
      ({ browser }) =>
        void Object.assign(browser, order && { order }, {
          screens: { ...(browser.screens as object), ...screens },
        }),
    );
  const texts = { code: ['Enter the code'], form: 'Enter the code of your clinic' };
  expect(await withTexts(texts)).toContain(
    'browser.screens.form: has a text of code in it. Please name texts',
  );
  expect(await withTexts(texts, ['form'])).toBe('');
  expect(await withTexts({ ...texts, code: { anyOf: ['Enter the code'], not: ['clinic'] } })).toBe('');
});

test('a browser has a language, a zone and an authority', async () => {
  const withKeys = (keys: object) => saidOf(({ browser }) => void Object.assign(browser, keys));
  expect(await withKeys({ language: 'ru-RU', zone: 'Europe/Berlin', authority: 'ca.pem' })).toBe('');
  expect(await withKeys({ language: 'no language' })).toContain('must be a language such as ru-RU');
  expect(await withKeys({ zone: 'Berlin' })).toContain('must be a time zone such as Europe/Berlin');
});

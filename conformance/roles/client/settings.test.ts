import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readExample, writeParty } from '../../testing/cli.ts';
import { loadClientFile } from './settings.ts';

type File = { browser: Record<string, unknown>; client?: unknown };

/** What the kit says of the web client’s file, changed by `change`; an empty text where it takes the file. */
function saidOf(change: (file: File) => void): string {
  const file = readExample<File>('web-client.yaml');
  change(file);
  try {
    loadClientFile(writeParty(temporaryFolder(), file), {});
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a file names one way to drive the client', () => {
  expect(saidOf(() => undefined)).toBe('');
  expect(saidOf((file) => Object.assign(file, { client: { command: ['x'] } }))).toContain(
    'browser: cannot stand beside client. Please keep one of them.',
  );
  expect(saidOf((file) => Object.assign(file, { browser: undefined }))).toContain(
    'lacks one of client, browser',
  );
});

test('a page without a deletion says why', () => {
  const without = (absent?: object) =>
    saidOf((file) => {
      delete (file.browser.actions as Record<string, unknown>).deleteAccount;
      Object.assign(file, { absent });
    });
  expect(without()).toContain('lacks deleteAccount. Please describe it, or say under absent why');
  expect(without({ deleteAccount: 'on the site of the clinic' })).toBe('');
});

test('a step is one action of a person, with the kit’s templates', () => {
  const withSteps = (...logout: unknown[]) =>
    saidOf(({ browser }) => Object.assign(browser.actions as object, { logout }));
  expect(withSteps({ press: 'Log out', reload: true })).toContain('must be one of open, reload, fill,');
  expect(withSteps({ fill: { field: 'Phone', with: `\${number}` } })).toContain(
    `may have the templates \${phone}`,
  );
  expect(withSteps({ click: 'Log out' })).toContain('browser.actions.logout[0].click: is not known here.');
  expect(withSteps()).toContain('must have a step');
});

test('a text with that of another screen in it is a fault', () => {
  const withTexts = (screens: object, order?: string[]) =>
    saidOf(
      ({ browser }) =>
        void Object.assign(browser, order && { order }, {
          screens: { ...(browser.screens as object), ...screens },
        }),
    );
  const texts = { code: ['Enter the code'], form: 'Enter the code of your clinic' };
  expect(withTexts(texts)).toContain('browser.screens.form: has a text of code in it. Please name texts');
  expect(withTexts(texts, ['form'])).toBe('');
  expect(withTexts({ ...texts, code: { anyOf: ['Enter the code'], not: ['clinic'] } })).toBe('');
});

test('a browser has a language, a zone and an authority', () => {
  const withKeys = (keys: object) => saidOf(({ browser }) => void Object.assign(browser, keys));
  expect(withKeys({ language: 'ru-RU', zone: 'Europe/Berlin', authority: 'ca.pem' })).toBe('');
  expect(withKeys({ language: 'no language' })).toContain('must be a language such as ru-RU');
  expect(withKeys({ zone: 'Berlin' })).toContain('must be a time zone such as Europe/Berlin');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RawExchange, seenExchanges } from '../../../engine/learn/exchange.ts';
import { usualAnswers } from '../../../testing/usual-answers.ts';
import { temporaryDirectory } from '../../auth-server/adapter/testing/adapter-file.ts';
import { loadClientFile } from '../settings.ts';
import { learnedFile } from './file.ts';

const called = (url: string, method: string): RawExchange => ({
  startedAt: 1,
  request: { method: 'POST', url, headers: [], body: JSON.stringify({ id: 1, method }) },
  answer: { status: 200, headers: [], body: '' },
});
const CALLS = [
  called('http://127.0.0.1:4200/', 'auth.request_otp'),
  called('http://127.0.0.1:4100/1.0-alpha/', 'embedded_storage.authenticate'),
];
const page = (body: string): RawExchange => ({
  startedAt: 0,
  request: { method: 'GET', url: 'http://127.0.0.1:8080/', headers: [], body: '' },
  answer: { status: 200, headers: [['content-type', 'text/html']], body },
});

/** The file of a recording, read back. */
async function learned(...recording: RawExchange[]) {
  const { text, left } = await learnedFile(seenExchanges(recording), usualAnswers);
  const file = join(temporaryDirectory(), 'client.yaml');
  writeFileSync(file, text);
  return { text, left, settings: loadClientFile(file, {}).settings };
}

test('a page of a script has address and ports, and lacks words', async () => {
  const { settings, text, left } = await learned(page('<div id="root"></div>'), ...CALLS);
  expect(settings).toMatchObject({
    browser: { address: 'http://127.0.0.1:8080/' },
    ports: { auth: 4_200, ehr: 4_100 },
  });
  expect(text).toContain('# Not seen in the HTML of the recording: these words are invented.\n      - fill:');
  expect(text).toContain(
    '# Guessed: embedded_storage.authenticate was sent to http://127.0.0.1:4100/1.0-alpha/ (request 3).\nports:',
  );
  expect(left).toEqual([
    'Stop the authorization server at http://127.0.0.1:4200/: the kit listens there while it judges.',
    'Stop the EHR server at http://127.0.0.1:4100: the kit listens there while it judges.',
    expect.stringMatching(
      /^Not seen in the HTML: the words for the phone, the code, the form about the person/,
    ),
  ]);
});

test('forms of a page give fields, buttons and screens with their evidence', async () => {
  const { settings, text } = await learned(
    page(`<form><label>Ihr Telefon <input type=tel></label><button>Weiter</button></form>
      <form><label>Code <input name=otp></label><button>Prüfen</button></form>
      <form><label>Vorname <input></label><label>Nachname <input></label><label>Geburtsdatum <input></label>
      <label>Geschlecht <select><option value=m>männlich<option value=w>weiblich</select></label><button>Suchen</button></form>
      <button>Abmelden</button>`),
    ...CALLS,
  );
  expect(settings.browser?.actions).toMatchObject({
    signIn: [{ mayPress: ['Abmelden'] }, { fill: { field: 'Ihr Telefon' } }, { press: ['Weiter'] }],
    enterCode: [{ fill: { field: 'Code' } }, { press: ['Prüfen'] }],
    fillForm: [
      { fill: { field: 'Vorname' } },
      { fill: { field: 'Nachname' } },
      { fill: { field: 'Geburtsdatum' } },
      { choose: { field: 'Geschlecht', words: { 0: 'männlich', 1: 'weiblich' } } },
      { press: ['Suchen'] },
    ],
  });
  expect(settings.browser?.screens).toMatchObject({
    code: { anyOf: ['Prüfen'] },
    patient: { anyOf: ['Abmelden'], not: ['Weiter', 'Prüfen', 'Suchen'] },
    signedOut: { anyOf: ['Weiter'], not: ['Abmelden', 'Prüfen', 'Suchen'] },
  });
  expect(text).toContain('# Guessed: a form in / (request 1).\n      - fill: { field: "Code"');
});

test('an application without a page is driven by a person', async () => {
  expect((await learned(...CALLS)).settings.person?.address).toBe('http://127.0.0.1:8080/');
});

test('a recording with neither page nor calls is refused with the reason', async () => {
  await expect(learned()).rejects.toThrow('it has neither a page nor a call of the interface.');
});

import { expect, test } from 'vitest';
import { formsIn } from './html.ts';
import { genderWords, kindOfButton, kindOfField } from './kinds.ts';
import { seenPage } from './seen-page.ts';

const nothingPrivate = () => false;

/** What a page of this HTML is inferred to have. */
const inferred = (...pages: string[]) =>
  seenPage(
    pages.map((html, index) => ({ html, where: `/${index}` })),
    nothingPrivate,
  );

test('labels are found around a field, by its id, and as aria-label or placeholder', async () => {
  const [form] = await formsIn(`<form><label>Phone&nbsp;&amp; code <input name=phone></label>
    <label for='c'>The <b>code</b></label><input id='c' value="a > b"><input aria-label="Name"><input placeholder=Day>
    <textarea>text of nobody</textarea><input type=hidden name=csrf value=secret><input type="checkbox"></form>`);
  expect(form?.fields.map(({ label }) => label)).toEqual(['Phone & code', 'The code', 'Name', 'Day', '']);
});

test('scripts, comments and options give no words of a page', async () => {
  const [form] =
    await formsIn(`<!-- <button>No</button> --><script>'<button>No</button>'</script><template><a>No</a></template>
    <label>Sex <select><option value=0>Man<option>Woman</select></label><button type=button> Yes\n, go </button>`);
  expect(form?.buttons).toEqual([{ words: 'Yes , go', submits: false, isText: true }]);
  expect(form?.fields).toMatchObject([
    {
      label: 'Sex',
      options: [
        { value: '0', words: 'Man' },
        { value: 'Woman', words: 'Woman' },
      ],
    },
  ]);
});

test.each([
  [{ names: ['one-time-code'], label: 'Digits' }, 'code'],
  [{ names: ['phoneNumber'], label: '' }, 'phone'],
  [{ names: [], label: 'Номер телефона' }, 'phone'],
  [{ names: ['f3'], label: 'Код из SMS' }, 'code'],
  [{ names: ['last_name'], label: '' }, 'surname'],
  [{ names: [], label: 'Имя' }, 'name'],
  [{ names: [], label: 'Geburtsdatum' }, 'date'],
  [{ names: ['user'], label: 'Postcode' }, undefined],
  [{ names: ['constructor'], label: 'Postcode' }, undefined],
])('the field %j is for %s', (field, kind) => {
  expect(kindOfField({ type: 'text', options: [], ...field })).toBe(kind);
});

test.each([
  ['Send a new code', 'resend'],
  ['Send code', undefined],
  ['Try again', undefined],
  ['Sign out', 'logout'],
  ['Выйти', 'logout'],
  ['Trennen', 'disconnect'],
  ['Delete my account', 'deleteAccount'],
])('the button "%s" is for %s', (words, kind) => {
  expect(kindOfButton({ words, submits: true, isText: true })).toBe(kind);
});

test('options of gender are taken by their words where their values are others', () => {
  const options = ['Female', 'Male', 'Other'].map((words) => ({ value: words[0] ?? '', words }));
  const field = { label: 'Sex', names: [], type: 'select', options };
  expect(genderWords(field)).toEqual({ 0: 'Male', 1: 'Female', 2: 'Other' });
  expect(genderWords({ ...field, options: [{ value: '1', words: 'Female' }] })).toEqual({});
});

test('pages of one form each are told apart by headings without text buttons', async () => {
  const page = (heading: string, field: string, send: string) =>
    `<h1>${heading}</h1><form><input name="${field}" placeholder="${field}"><input type=submit value="${send}"></form>`;
  const { forms } = await inferred(page('Welcome', 'phone', 'Go'), page('Your code', 'code', 'Go on'));
  expect(forms.signIn?.value).toMatchObject({ press: 'Go', text: 'Welcome' });
  expect(forms.enterCode).toMatchObject({
    value: { press: 'Go on', text: 'Your code' },
    because: 'a form in /1',
  });
});

test('headings that two forms share tell no screen apart', async () => {
  const form = (field: string) =>
    `<form><input name=${field} placeholder=${field}><input type=submit value=Go></form>`;
  const { forms } = await inferred(`<h1>Welcome</h1>${form('phone')}${form('code')}`);
  expect([forms.signIn?.value.text, forms.enterCode?.value.text]).toEqual([undefined, undefined]);
});

test('a page that a script makes shows nothing', async () => {
  expect(await inferred('<!doctype html><div id="root"></div><script src="/app.js"></script>')).toEqual({
    forms: {},
    buttons: {},
  });
});

test('words with something of a person are not taken', async () => {
  const html =
    '<a>Log out Anna</a><form><input name=phone placeholder="79990000001"><button>Send</button></form>';
  const page = await seenPage([{ html, where: '/' }], (text) => /Anna|7999/.test(text));
  expect(page).toEqual({ forms: {}, buttons: {} });
});

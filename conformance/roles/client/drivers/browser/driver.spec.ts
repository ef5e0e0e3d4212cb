import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { systemClock } from '#protocol/time/clock.ts';
import { BrowserDriver } from './driver.ts';
import { IN_PAGE, lookAt, QuietTime } from './screen.ts';
import { browserSchema } from './settings.ts';

const ADDRESS = 'http://page.test/';
/** A page with a form, whose buttons lead to screens and count how often they are pressed. */
const PAGE = `<!doctype html><title>Page</title>
<h1>Welcome</h1><p id="where">Please sign in</p>
<label>Phone <input id="phone"></label><input id="code" placeholder="Code">
<fieldset><legend>Which</legend><label><input type="radio" name="sex" value="1">Woman</label><label><input type="radio" name="sex" value="0">Man</label></fieldset>
<label>Sex<select id="sex"><option value="0">Male</option><option value="1">Female</option></select></label>
<button onclick="go('A code was sent to ' + phone.value)">Send</button>
<button onclick="go('Pressed ' + (count += 1))">Count</button>
<button onclick="go('A code was sent. Your record')">Both</button>
<button onclick="go('Nobody knows')">Odd</button>
<button onclick="ask()">Ask</button>
<script>let count = 0; const still = (ms) => document.body.animate([], ms).finished;
const ask = async () => { await still(450); await fetch('http://auth.test/'); await still(250); go('Your record'); };
const go = (text) => { where.textContent = text; localStorage.at = text; };</script>`;

const typed = (name: string) => `\${${name}}`;
const press = (name: string) => [{ press: name }];
const FILE = {
  address: ADDRESS,
  actions: {
    signIn: [
      { fill: { field: 'Phone', with: typed('phone') } },
      ...press('Send'),
      { sees: 'A code was sent to' },
    ],
    enterCode: [
      { fill: { field: 'Code', with: typed('code') } },
      { mayPress: 'Not there' },
      ...press('Nowhere'),
    ],
    fillForm: [
      { choose: { field: 'Sex', option: typed('gender?') } },
      { choose: { field: 'Which', option: typed('gender?'), words: { 1: 'Woman' } } },
    ],
    resend: press('Both'),
    readPatient: [{ reload: true }],
    logout: press('Count'),
    disconnect: press('Odd'),
    deleteAccount: press('Ask'),
  },
  screens: {
    code: 'A code was sent',
    form: 'Pressed',
    patient: 'Your record',
    signedOut: 'Please sign in',
    error: 'Something is wrong',
  },
};
/** Pages that change at once need no longer look. */
const QUIET_MS = 100;
const SETTINGS = browserSchema(() => undefined).parse(FILE);

async function drive(
  context: BrowserContext,
  { storage = 'none', pace = new QuietTime(QUIET_MS), body = PAGE, settings = SETTINGS } = {},
): Promise<BrowserDriver> {
  await context.route(`${ADDRESS}**`, (route) => route.fulfill({ contentType: 'text/html', body }));
  return new BrowserDriver({
    ...{ context, settings, storage, clock: systemClock, pace },
    servers: ['http://auth.test'],
    recorded: ['MC-1'],
    timeouts: { actionMs: 10_000, leaveMs: 1_000 },
  });
}

test('a person’s words find fields and buttons, the page’s texts the screen', async ({ context }) => {
  const driver = await drive(context);
  expect(await driver.act({ do: 'signIn', phone: '79990001122' })).toEqual({
    sees: 'code',
    text: expect.stringContaining('A code was sent to 79990001122'),
    beside: 'Page 79990001122',
    missing: '',
  });
  const values = { name: 'A', surname: 'B', date: '1980-01-02', phone: '1' };
  await driver.act({ do: 'fillForm', values: { ...values, gender: 1 } });
  const page = context.pages().at(-1) as Page;
  await expect(page.getByLabel('Woman')).toBeChecked();
  await expect(page.getByRole('combobox')).toHaveValue('1');
  await driver.act({ do: 'fillForm', values: { ...values, gender: 0 } });
  await expect(page.getByLabel('Man', { exact: true })).toBeChecked();
  await driver.act({ do: 'fillForm', values });
  expect(await driver.act({ do: 'readPatient' })).toMatchObject({ sees: 'signedOut' });
  expect(await driver.act({ do: 'resend' }).catch(({ message }) => message)).toContain(
    'screen code and of the screen patient',
  );
});

test('missing elements are told, and a page without a known text', async ({ context }) => {
  const driver = await drive(context);
  expect(await driver.act({ do: 'enterCode', code: '1' })).toEqual({
    sees: 'signedOut',
    text: expect.stringContaining('There is not a button "Nowhere" now.'),
    beside: 'Page 1',
    missing: 'There is not a button "Nowhere" now.',
  });
  expect(await driver.act({ do: 'disconnect' })).toMatchObject({ sees: 'error' });
});

test('the same action twice at the same moment is a double click', async ({ context }) => {
  const driver = await drive(context);
  const [once, again] = await Promise.all([driver.act({ do: 'logout' }), driver.act({ do: 'logout' })]);
  expect(once.text).toContain('Pressed 2');
  expect(again).toBe(once);
});

test('a page that has no time to change is not at rest', async ({ page }) => {
  await page.setContent('<main>before</main>');
  // From the first look on, each turn of the page takes longer than it must stay as it is.
  await page.evaluate(`(() => {
    let turns = 0;
    const turn = () => {
      for (const end = performance.now() + 60; performance.now() < end; );
      if (++turns === 2) document.querySelector('main').textContent = 'after';
      else setTimeout(turn, 5);
    };
    const set = (look, delay) => {
      if (turns === 0) setTimeout(turn);
      return setTimeout(look, delay);
    };
    window.${IN_PAGE} = { set, isWaiting: () => false };
  })()`);
  expect((await lookAt(page, new QuietTime(40)))?.main).toBe('after');
});

test('a page just answered is not at rest until it could change', async ({ context }) => {
  const headers = { 'access-control-allow-origin': '*' };
  await context.route('http://auth.test/', (route) => route.fulfill({ headers, body: '{}' }));
  const driver = await drive(context, { pace: new QuietTime() });
  expect(await driver.act({ do: 'deleteAccount' })).toMatchObject({ sees: 'patient' });
});

test('a driver tells what the page keeps, which outlives the application', async ({ browser }, info) => {
  const storage = join(info.outputDir, 'storage');
  const driver = await drive(await browser.newContext(), { storage });
  await driver.act({ do: 'logout' });
  expect(JSON.stringify(await driver.kept())).toContain('Pressed 1');
  expect(await driver.kept()).toContainEqual({ place: 'an address of the page', text: ADDRESS });
  await driver.leave();
  expect(existsSync(storage)).toBe(true);
  const next = await drive(await browser.newContext({ storageState: storage }), { storage });
  await next.act({ do: 'reload' });
  expect(JSON.stringify(await next.kept())).toContain('Pressed 1');
  await next.kill();
});

/** Its screen stands in an open shadow root and in a frame, in capitals; it asks by a dialog. */
const ODD_PAGE = `<!doctype html><title>Odd</title><x-app><b>slot</b>ted</x-app>
<iframe srcdoc="<label>Surname <input></label><p>Framed words</p>"></iframe>
<iframe style="display: none" srcdoc="Hidden words"></iframe>
<script>
customElements.define('x-app', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<style>p, button { text-transform: uppercase }</style><p>Please sign in</p><slot></slot>'
      + '<input aria-label="Digit 1" maxlength="1"><input maxlength="1"><input maxlength="1">'
      + '<div role="combobox" aria-label="Sex" tabindex="0">any</div>'
      + '<ul role="listbox" hidden><li role="option">Man</li><li role="option">Woman</li></ul>'
      + '<button>Let me in</button>';
    const [where, button, list, box] = ['p', 'button', 'ul', '[role=combobox]'].map((each) => root.querySelector(each));
    const digits = [...root.querySelectorAll('input')];
    digits.forEach((digit, at) => digit.oninput = () => digit.value && digits[at + 1]?.focus());
    for (const digit of digits) digit.onfocus = () => digit.select();
    box.onclick = () => list.hidden = false;
    for (const option of list.children) option.onclick = () => box.textContent = option.textContent;
    button.onclick = () => {
      const isSure = confirm('Are you sure?');
      where.textContent = (isSure ? 'Your record: ' : 'A code was sent: ')
        + digits.map((digit) => digit.value).join('') + ' ' + box.textContent;
    };
  }
});
</script>`;

test('shadow roots, frames, boxes of a digit and dialogs are used as by hand', async ({ context }) => {
  const actions = {
    ...FILE.actions,
    signIn: [{ fill: { field: 'surname', with: typed('phone') } }, { sees: 'Framed words' }],
    enterCode: [{ fill: { field: 'Digit 1', with: typed('code') } }, ...press('LET ME IN')],
    fillForm: [{ choose: { field: 'Sex', option: typed('gender?'), words: { 1: 'Woman' } } }],
    logout: [...press('Let me in'), { dialog: { answer: 'dismiss' } }],
    disconnect: [{ dialog: {} }],
  };
  const settings = browserSchema(() => undefined).parse({ ...FILE, actions });
  const driver = await drive(context, { body: ODD_PAGE, settings });
  const seen = await driver.act({ do: 'signIn', phone: '7999' });
  expect(seen).toMatchObject({ sees: 'signedOut', beside: expect.stringContaining('7999') });
  expect(seen.text).toMatch(/^Please sign in slotted any Let me in Surname Framed words$/);
  const values = { name: 'A', surname: 'B', date: '1980-01-02', phone: '1', gender: 1 };
  await driver.act({ do: 'fillForm', values });
  const text = expect.stringMatching(/^Are you sure\? Your record: 407 Woman/);
  expect(await driver.act({ do: 'enterCode', code: '407' })).toMatchObject({ sees: 'patient', text });
  expect(await driver.act({ do: 'enterCode', code: '512' })).toMatchObject({
    text: expect.stringContaining('512'),
  });
  expect(await driver.act({ do: 'logout' })).toMatchObject({ sees: 'code' });
  expect((await driver.act({ do: 'disconnect' })).text).toContain('There is not a dialog now.');
  expect(await driver.look()).toMatchObject({ sees: 'code' });
});

const DATE_PAGE = `<!doctype html><p>Your record: <output></output></p>
<label>Day<select><option></option><option>1</option><option>4</option></select></label>
<script>document.querySelector('select').onchange = ({ target }) => { document.querySelector('output').value = target.value; };</script>`;

test('a day is chosen without its zero, and one that is missing is told', async ({ context }) => {
  const actions = { ...FILE.actions, fillForm: [{ choose: { field: 'Day', option: typed('day') } }] };
  const settings = browserSchema(() => undefined).parse({ ...FILE, actions });
  const driver = await drive(context, { body: DATE_PAGE, settings });
  const fillForm = (date: string) =>
    driver.act({ do: 'fillForm', values: { name: 'A', surname: 'B', phone: '7', date } });
  expect((await fillForm('1985-04-04')).text).toContain('Your record: 4');
  expect((await fillForm('1985-04-12')).text).toContain('There is not an option "12" of "Day" now.');
});

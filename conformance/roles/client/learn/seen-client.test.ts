import { expect, test } from 'vitest';
import { seenExchanges } from '../../../engine/learn/exchange.ts';
import { leftToDo } from './lacking.ts';
import { seenClient } from './seen-client.ts';

const json = (value: object) => JSON.stringify({ jsonrpc: '2.0', ...value });

/** An exchange of a page's HTML. */
const got = (url: string, body: string) => ({
  startedAt: 0,
  request: { method: 'GET', url, headers: [], body: '' },
  answer: {
    status: 200,
    headers: [['Content-Type', 'text/html; charset=utf-8']] as [string, string][],
    body,
  },
});

/** An exchange of a call. */
const called = (url: string, method: string, params: object = {}, result: object = {}) => ({
  startedAt: 1,
  request: { method: 'POST', url, headers: [], body: json({ id: 1, method, params }) },
  answer: { status: 200, headers: [], body: json({ id: '1', result }) },
});

const template = (name: string) => `\${${name}}`;
const ASK = 'auth.request_otp';
const LINK = 'embedded_storage.authenticate';
const ports = { way: 'browser', authPort: '4191', ehrPort: '4192' } as const;

test('addresses in the query of the page become templates, and other members go', async () => {
  const page = 'http://127.0.0.1:8090/app?auth=http%3A%2F%2Fauth.test&lang=en&ehr=http://ehr.test/';
  const seen = await seenClient(
    seenExchanges([
      got(page, ''),
      called('http://auth.test/', ASK),
      called('http://ehr.test/1.0-alpha/', LINK),
    ]),
  );
  expect(seen.address).toEqual({
    value: `http://127.0.0.1:8090/app?auth=${template('authUrl')}&ehr=${template('ehrUrl')}`,
    because: 'the first page (request 1); 1 more of its query left out',
  });
  expect(seen.auth).toMatchObject({ value: 'http://auth.test/', isInQuery: true });
  expect(seen.ehr).toMatchObject({ value: 'http://ehr.test', isInQuery: true });
  expect(leftToDo(seen, ports)).toEqual([
    expect.stringMatching(/^Not seen in the HTML: the words for the phone/),
  ]);
});

test('a client with fixed addresses is told where the kit listens', async () => {
  const calls = [called('http://127.0.0.1:4200/', ASK), called('https://ehr.test/api/1.0-alpha', LINK)];
  const seen = await seenClient(seenExchanges(calls));
  expect(seen.ehr).toMatchObject({ value: 'https://ehr.test/api', isInQuery: false });
  expect(leftToDo(seen, { ...ports, way: 'person' })).toEqual([
    'Stop the authorization server at http://127.0.0.1:4200/: the kit listens there while it judges.',
    'Let your client find the EHR server at http://127.0.0.1:4192; it calls https://ehr.test/api now.',
  ]);
});

test('a recording without calls tells which action shows them', async () => {
  const [auth, ehr] = leftToDo(await seenClient(seenExchanges([got('http://page.test/', '')])), ports);
  expect(auth).toBe(
    'Not seen: a call of JSON-RPC to the authorization server. To show it, sign in with a code while the browser records.',
  );
  expect(ehr).toContain('link and open the record while the browser records');
});

test('values of requests and answers make words private, texts in files do not', async () => {
  const button = (words: string) => `<button>Log out ${words}</button>`;
  const person = called(
    'http://ehr.test/1.0-alpha/',
    LINK,
    { name: 'Anna' },
    { patient: { surname: 'Petrova' } },
  );
  const texts = { ...got('http://page.test/en.json', '{"out":"Log out here"}') };
  const wordsWith = async (words: string) => {
    const { page } = await seenClient(
      seenExchanges([got('http://page.test/', button(words)), person, texts]),
    );
    return page.buttons.logout?.value;
  };
  expect(await Promise.all(['anna', 'Petrova', 'here'].map(wordsWith))).toEqual([
    undefined,
    undefined,
    'Log out here',
  ]);
});

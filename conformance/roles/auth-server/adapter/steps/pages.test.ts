/** Answers that are pages: what is found in their text. */
import { expect, test } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

/** The result of an exchange token step that is answered by this page. */
async function outcome(body: string, step: object) {
  const exchangeToken = { method: 'POST', path: '/exchange', json: { token: '${token}' }, ...step };
  const adapter = await startAdapter((await startFakeServer({ body })).url, { steps: { exchangeToken } });
  return adapter.does('exchangeToken', { phone: '7', user: 'u', token: 't', code: '1' });
}

test('a value is found in the text of an answer that is not JSON', async () => {
  const step = { extract: { exchangeToken: { pattern: 'name="token" value="([^"]+)"' } } };
  expect(await outcome('<input name="token" value="x-1">', step)).toEqual({
    kind: 'done',
    values: { exchangeToken: 'x-1' },
  });
  expect(await outcome('<input>', step)).toEqual({
    kind: 'failed',
    what: 'unexpected-answer',
    detail: 'HTTP 200, a success that lacks exchangeToken (by the pattern name="token" value="([^"]+)")',
  });
});

test('a text that the file describes is a refusal, and its group the reason', async () => {
  const step = {
    refusal: { pattern: 'class="error">([^<]+)' },
    extract: { exchangeToken: { pattern: '\\d+' } },
  };
  const reason = 'Wrong code 12';
  expect(await outcome(`<p class="error"> ${reason} </p>`, step)).toEqual({
    kind: 'refused',
    status: 200,
    reason,
  });
  expect(await outcome('<p>12</p>', step)).toMatchObject({ kind: 'done' });
});

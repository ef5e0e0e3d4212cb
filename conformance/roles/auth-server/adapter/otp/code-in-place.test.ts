import { expect, test } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

const members = { phone: '${phone}', code: '${code}', about: 'code ${code}' };
const extract = { user: '/user', token: '/token' };
const about = 'code 1';

test.each([
  [{ json: null }, { phone: '7', code: null, about }, 'phone=7&code=&about=code+1'],
  [{ json: [] }, { phone: '7', code: [], about }, 'phone=7&code=%5B%5D&about=code+1'],
  [
    { json: { $ne: '' } },
    { phone: '7', code: { $ne: '' }, about },
    'phone=7&code=%7B%22%24ne%22%3A%22%22%7D&about=code+1',
  ],
  [{ json: '' }, { phone: '7', code: '', about }, 'phone=7&code=&about=code+1'],
  [{}, { phone: '7', about }, 'phone=7&about=code+1'],
])('%j is sent in JSON unchanged, and in a form as text', async (codeInPlace, inJson, inForm) => {
  const server = await startFakeServer();
  const sent = async (step: object) => {
    const adapter = await startAdapter(server.url, { steps: { confirmOtp: { ...step, extract } } });
    await adapter.does('confirmOtp', { phone: '7', code: '1', codeInPlace });
    return server.received.at(-1)?.body ?? '';
  };
  const post = { method: 'POST', path: '/login' };
  expect(JSON.parse(await sent({ ...post, json: members }))).toEqual(inJson);
  expect(await sent({ ...post, form: members })).toBe(inForm);
  expect(JSON.parse(await sent({ rpc: 'confirm', params: members })).params).toEqual(inJson);
});

import { describe, expect, test } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

describe('in place of the code', () => {
  const cases = [
    [{ json: null }, { phone: '7', code: null }, 'phone=7&code=&about=code+1'],
    [{ json: [] }, { phone: '7', code: [] }, 'phone=7&code=%5B%5D&about=code+1'],
    [
      { json: { $ne: '' } },
      { phone: '7', code: { $ne: '' } },
      'phone=7&code=%7B%22%24ne%22%3A%22%22%7D&about=code+1',
    ],
    [{ json: '' }, { phone: '7', code: '' }, 'phone=7&code=&about=code+1'],
    [{}, { phone: '7' }, 'phone=7&about=code+1'],
  ] as const;
  test.each(cases)(
    '%j is sent in JSON unchanged, and in a form as text',
    async (codeInPlace, inJson, inForm) => {
      const server = await startFakeServer();
      const extract = { user: '/user', token: '/token' };
      const step = (body: object) => ({ confirmOtp: { method: 'POST', path: '/login', extract, ...body } });
      const input = { phone: '7', code: '1', codeInPlace };
      const about = 'code ${code}';
      const json = await startAdapter(server.url, {
        steps: step({ json: { phone: '${phone}', code: '${code}', about } }),
      });
      await json.does('confirmOtp', input);
      expect(server.json()).toEqual({ ...inJson, about: 'code 1' });
      const form = await startAdapter(server.url, {
        steps: step({ form: { phone: '${phone}', code: '${code}', about } }),
      });
      await form.does('confirmOtp', input);
      expect(server.received.at(-1)?.body).toBe(inForm);
      const call = await startAdapter(server.url, {
        steps: { confirmOtp: { rpc: 'confirm', params: { phone: '${phone}', code: '${code}' }, extract } },
      });
      await call.does('confirmOtp', input);
      expect(server.json()).toMatchObject({ params: inJson });
      expect(Object.keys((server.json() as { params: object }).params)).toEqual(Object.keys(inJson));
    },
  );
});

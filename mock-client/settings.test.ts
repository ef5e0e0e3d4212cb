import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { CALL_TIMEOUT_MS, loadConfig } from './rpc.ts';

test('the settings are fetched from the page’s own server and checked', async () => {
  const from = (response: Response) => loadConfig(manualClock(), async () => response);
  const settings = {
    ehrUrl: 'http://e:1',
    apiVersion: '',
    authUrl: 'http://a:2',
    smsUrl: 'http://a:2/sms',
    ttlUnit: 'seconds',
  };
  expect(await from(Response.json(settings))).toEqual(settings);
  await expect(from(Response.json({ ...settings, ehrUrl: 'javascript:alert(1)' }))).rejects.toThrow();
  await expect(from(new Response(null, { status: 502 }))).rejects.toThrow('HTTP 502');
  for (const wrong of ['<html>', '', '{"ehrUrl"'])
    await expect(from(new Response(wrong))).rejects.toThrow('The answer has no settings.');
});

test('settings that do not come are given up at ten seconds on the clock', async () => {
  const clock = manualClock();
  const loading = loadConfig(
    clock,
    (_url, { signal } = {}) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  clock.advance(CALL_TIMEOUT_MS);
  await expect(loading).rejects.toThrow('no answer within ten seconds');
});

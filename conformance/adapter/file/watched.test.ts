import { expect, test } from 'vitest';
import { writeTemporary } from '../testing/adapter-file.ts';
import { loadAdapter } from './load.ts';

const file = (more: object = {}) =>
  writeTemporary(
    'watched.json',
    JSON.stringify({
      server: { url: 'http://127.0.0.1:9' },
      internal: { user: 'kit', password: { env: 'PASSWORD' } },
      ehr: { configuredIn: 'EHR_URL' },
      ...more,
    }),
  );
const env = { PASSWORD: 'the internal pässword' };

test('a watched session needs server, internal and ehr, and nothing else', async () => {
  const { settings } = await loadAdapter(file(), env, { watched: true });
  expect(settings.server.url).toBe('http://127.0.0.1:9');
  expect(settings.steps.confirmOtp).toEqual({ manual: 'Do it in your own app.' });
  await expect(loadAdapter(file(), env)).rejects.toThrow(/name.*people.*steps/s);
});

test('what else stands in the file is read and checked as ever', async () => {
  const { settings } = await loadAdapter(file({ name: 'Mine' }), env, { watched: true });
  expect(settings.name).toBe('Mine');
  await expect(loadAdapter(file({ poeple: {} }), env, { watched: true })).rejects.toThrow('Did you mean people?');
});

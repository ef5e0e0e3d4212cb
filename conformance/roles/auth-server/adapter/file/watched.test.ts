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
  await expect(loadAdapter(file({ poeple: {} }), env, { watched: true })).rejects.toThrow(
    'Did you mean people?',
  );
});

test('a step that the server does not have stays absent, the sign-in too', async () => {
  const absent = { absent: 'people sign in with a document' };
  const steps = { confirmOtp: absent, requestOtp: absent };
  const { settings } = await loadAdapter(file({ steps }), env, { watched: true });
  expect(settings.steps).toMatchObject({ ...steps, logout: { manual: 'Do it in your own app.' } });
  await expect(loadAdapter(file({ steps }), env)).rejects.toThrow(
    'leaves nothing to judge: nobody can sign in',
  );
});

/** Sections that only matter where the kit drives the server. */
const UNUSABLE = {
  'a sign-in that yields nothing': { steps: { confirmOtp: { method: 'POST', path: '/login', json: {} } } },
  'a code that is asked for and cannot be learned': {
    steps: { requestOtp: { method: 'POST', path: '/otp' } },
  },
  'a step with a secret that is not set': {
    steps: { logout: { method: 'POST', path: '/x', headers: { A: { env: 'NOT_SET' } } } },
  },
  'phones that are no pattern': { people: { phones: '7999 555 ####' } },
};

test.each(Object.entries(UNUSABLE))('%s is no matter for a watched session', async (_what, more) => {
  const { settings } = await loadAdapter(file(more), env, { watched: true });
  expect(settings.server.url).toBe('http://127.0.0.1:9');
  await expect(loadAdapter(file(more), env)).rejects.toThrow();
});

test('a misspelt step is told in a watched session, too', async () => {
  const steps = { confirmOpt: {} };
  await expect(loadAdapter(file({ steps }), env, { watched: true })).rejects.toThrow(
    'Did you mean confirmOtp?',
  );
});

import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { serve } from '#service/http/testing.ts';
import { openOtpSource } from '../otp/source.ts';
import { createAdapter } from '../steps/http-adapter.ts';
import { PASSWORD, problemsOfFile, smallest, variant, writeTemporary } from '../testing/adapter-file.ts';
import { loadAdapter } from './load.ts';

const env = { PASSWORD };
const module = (text: string, name = 'adapter.mjs') => writeTemporary(name, text);

const TEXT = JSON.stringify(smallest);

test.each([
  ['default', `export default ${TEXT};`, 'adapter.mjs', 'A server'],
  ['adapter', `export const adapter = ${TEXT};`, 'adapter.mjs', 'A server'],
  [
    'TypeScript',
    `const name: string = 'Typed';\nexport const adapter = { ...${TEXT}, name };`,
    'adapter.ts',
    'Typed',
  ],
])('a module may export the settings as %s', async (_as, text, file, name) => {
  expect((await loadAdapter(module(text, file), env)).settings.name).toBe(name);
});

test('a module may perform one step and leave the others to the settings', async () => {
  const settings = variant({ steps: { confirmOtp: undefined } });
  const file = module(`
    export const settings = ${JSON.stringify(settings)};
    export const adapter = (declared, { seed }) => ({
      ...declared,
      has: (step) => step === 'confirmOtp' || declared.has(step),
      perform: async (step, input, signal) =>
        step === 'confirmOtp'
          ? { kind: 'done', values: { user: input.phone, token: 'token-' + seed } }
          : declared.perform(step, input, signal),
    });
  `);
  const loaded = await loadAdapter(file, env);
  const clock = manualClock();
  const otp = await openOtpSource(loaded.settings, { clock, ask: async () => undefined });
  const { url: baseUrl } = await serve((_request, response) => void response.end('{"exchangeToken":"x-1"}'));
  const adapter = await createAdapter(loaded, {
    baseUrl,
    clock,
    seed: 7,
    otp,
    tell: () => undefined,
    waitForEffect: async () => ({}),
  });
  const { signal } = new AbortController();
  expect(adapter.has('confirmOtp')).toBe(true);
  expect(await adapter.perform('confirmOtp', { phone: '7999' }, signal)).toEqual({
    kind: 'done',
    values: { user: '7999', token: 'token-7' },
  });
  expect(await adapter.perform('exchangeToken', { token: 't' }, signal)).toEqual({
    kind: 'done',
    values: { exchangeToken: 'x-1' },
  });
});

test('the settings of a module are checked like a file, without lines', async () => {
  const file = module(`export const adapter = ${JSON.stringify(variant({ nmae: 'x' }))};`);
  expect(await problemsOfFile(file, env)).toEqual([
    expect.stringContaining(`${file} nmae: is not known here. Possible here: $schema, name, `),
  ]);
});

test.each([
  ['export const other = 1;', /it exports neither "adapter" nor "default" as an object or a function\./],
  ['export const adapter = () => undefined;', /it exports a function and no settings\./],
  ['throw new Error("broken inside");', /^Failed to load the adapter module .*adapter\.mjs: broken inside$/],
])('a module is refused with the reason: %s', async (text, reason) => {
  await expect(loadAdapter(module(text), env)).rejects.toThrow(reason);
});

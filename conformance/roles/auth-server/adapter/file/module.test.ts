import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { openOtpSource } from '../otp/source.ts';
import { createAdapter } from '../steps/http-adapter.ts';
import { PASSWORD, problemsOfFile, smallest, variant, writeTemporary } from '../testing/adapter-file.ts';
import { loadAdapter } from './load.ts';

const env = { PASSWORD };
const module = (text: string, name = 'adapter.mjs') => writeTemporary(name, text);
const refusal = (file: string) => loadAdapter(file, env).catch((error: Error) => error.message);

for (const name of ['default', 'adapter']) {
  test(`a module may export the settings as ${name}`, async () => {
    const text =
      name === 'default'
        ? `export default ${JSON.stringify(smallest)};`
        : `export const adapter = ${JSON.stringify(smallest)};`;
    const { settings } = await loadAdapter(module(text), env);
    expect(settings.name).toBe('A server');
  });
}

test('a module may be TypeScript', async () => {
  const file = module(
    `type Name = string;\nconst name: Name = 'Typed';\nexport const adapter = { ...${JSON.stringify(smallest)}, name };`,
    'adapter.ts',
  );
  const { settings } = await loadAdapter(file, env);
  expect(settings.name).toBe('Typed');
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
  const adapter = await createAdapter(loaded, {
    baseUrl: 'http://127.0.0.1:9',
    clock,
    seed: 7,
    otp,
    fetch: async () => Response.json({ exchangeToken: 'x-1' }),
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

test('a module that exports nothing of use is refused with what would do', async () => {
  expect(await refusal(module('export const other = 1;'))).toContain(
    'it exports neither "adapter" nor "default" as an object or a function.',
  );
  expect(await refusal(module('export const adapter = () => undefined;'))).toContain(
    'it exports a function and no settings.',
  );
});

test('a module that fails is named with its error', async () => {
  expect(await refusal(module('throw new Error("broken inside");'))).toMatch(
    /^Failed to load the adapter module .*adapter\.mjs: broken inside$/,
  );
});

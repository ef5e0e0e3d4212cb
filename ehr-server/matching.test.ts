import { expect } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { personaMis, testEnvironment } from '#testing/fixtures.ts';
import { anna, rufus, rufusCard } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { NOW, saveToken } from '#testing/store-steps.ts';
import { readEhrConfig } from './config.ts';
import { authenticate } from './methods/embedded_storage/authenticate.ts';
import { memoryStore } from './store/memory.ts';

type Properties = Record<string, unknown>;

const { params: schema } = ehrMethods['embedded_storage.authenticate'];

/** Searches without linked users: 'matched', 'patient_not_matched', or what is wrong with the params. */
async function search(sent: Properties, env: Record<string, string> = {}): Promise<string | string[]> {
  const config = readEhrConfig([], { ...testEnvironment, ...env });
  if (!config) throw new Error('No settings were read.');
  const params = schema.safeParse({ exchangeToken: 'x', ...sent });
  if (!params.success) return params.error.issues.map(({ path }) => `params.${path.join('.')}`);
  const [store, mis] = [memoryStore(), personaMis()];
  await saveToken(store, 'x', 'u', 't');
  const context = { store, mis, clock: manualClock(NOW), random: systemRandom, config };
  return authenticate(context, params.data).then(
    () => 'matched',
    (error) => {
      if (!(error instanceof RpcError)) throw error;
      return error.errors ?? error.reason;
    },
  );
}

/** Tries properties: 'matched', or the reason of the refusal. */
async function tryWith(patientProperties: Properties, params: Properties = {}, env = {}): Promise<string> {
  const outcome = await search({ patientProperties, ...params }, env);
  return typeof outcome === 'string' ? outcome : 'invalid_params';
}

async function expectOutcomes(expected: string, properties: Properties[]): Promise<void> {
  for (const each of properties) expect([each, await tryWith(each)]).toEqual([each, expected]);
}

const without = (properties: Properties, name: string) =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name));

proves(['D23-required-setting'], 'which properties are required is a setting', async () => {
  const env = { EHR_MATCHING_REQUIRED: 'phone,gender' };
  expect(await tryWith({ phone: anna.phone, gender: 1 }, {}, env)).toBe('matched');
  expect(await tryWith(without(anna, 'gender'), {}, env)).toBe('invalid_params');
  expect(await tryWith({ ...anna, surname: 'Ivanova' }, {}, env)).toBe('patient_not_matched');
});

proves(
  ['D23-gender-optional', 'D24-gender-codes', '2.5-gender'],
  'gender may be absent, and must agree when sent',
  async () => {
    await expectOutcomes('matched', [without(anna, 'gender'), { ...anna, gender: null }, anna]);
    await expectOutcomes(
      'patient_not_matched',
      [0, 2, 3].map((gender) => ({ ...anna, gender })),
    );
  },
);

proves(['D28-phone-strategy', 'D28-medcard-strategy'], 'a search goes by phone or with a card', async () => {
  const { phone } = rufus;
  expect(await tryWith(rufus, { searchStrategy: 'PHONE' })).toBe('matched');
  expect(await tryWith({ phone }, { searchStrategy: 'MEDCARD', medCardId: rufusCard })).toBe('matched');
  expect(await tryWith({ phone, medCardId: rufusCard, searchStrategy: 'MEDCARD' })).toBe('matched');
  expect(await tryWith({ phone }, { searchStrategy: 'MEDCARD', medCardId: '654321' })).toBe(
    'patient_not_matched',
  );
  expect(await tryWith({ phone: anna.phone }, { searchStrategy: 'MEDCARD', medCardId: rufusCard })).toBe(
    'patient_not_matched',
  );
});

proves(['D30-empty-is-absent'], 'what is empty or null is absent, at any depth', async () => {
  const card = { searchStrategy: 'MEDCARD', medCardId: rufusCard };
  for (const empty of ['', null]) {
    const nothing = { searchStrategy: empty, medCardId: empty };
    expect(await tryWith(anna, nothing)).toBe('matched');
    expect(await tryWith({ ...anna, ...nothing, middleName: empty, email: empty })).toBe('matched');
    // An empty member contradicts nothing.
    expect(await tryWith({ phone: rufus.phone, ...nothing }, card)).toBe('matched');
    expect(await tryWith({ phone: rufus.phone, ...card }, nothing)).toBe('matched');
  }
});

proves(['DE-invalid-params', '2.5-names'], 'each refusal of a search names the wrong member', async () => {
  const { phone } = rufus;
  for (const medCardId of [undefined, '', '  ', null])
    expect(await search({ searchStrategy: 'MEDCARD', medCardId, patientProperties: { phone } })).toEqual([
      'params.medCardId: is required with searchStrategy MEDCARD',
    ]);
  expect(await search({ searchStrategy: 'MEDCARD', patientProperties: {} })).toEqual([
    'params.medCardId: is required with searchStrategy MEDCARD',
    'params.patientProperties.phone: is required',
  ]);
  expect(await search({ patientProperties: { gender: 1 } })).toEqual(
    ['name', 'surname', 'date', 'phone'].map((name) => `params.patientProperties.${name}: is required`),
  );
  const twoPlaces = { searchStrategy: 'PHONE', patientProperties: { ...anna, searchStrategy: 'MEDCARD' } };
  expect(await search(twoPlaces)).toEqual([
    'params.searchStrategy and params.patientProperties.searchStrategy contradict each other',
  ]);
  const twoCards = { medCardId: '1', patientProperties: { ...anna, medCardId: '2' } };
  expect(await search(twoCards)).toEqual([
    'params.medCardId and params.patientProperties.medCardId contradict each other',
  ]);
  expect(await search({ searchStrategy: 'CARD', patientProperties: anna })).toEqual([
    'params.searchStrategy',
  ]);
});

proves(['D37-medcard-off'], 'the search by medical card can be turned off', async () => {
  const env = { EHR_MEDCARD: 'off' };
  const card = { searchStrategy: 'MEDCARD', medCardId: rufusCard };
  expect(await search({ ...card, patientProperties: { phone: rufus.phone } }, env)).toEqual([
    'params.searchStrategy: this server does not search by medical card',
  ]);
  expect(await tryWith(rufus, { medCardId: rufusCard }, env)).toBe('matched');
  expect(await tryWith({ phone: rufus.phone }, card)).toBe('matched');
});

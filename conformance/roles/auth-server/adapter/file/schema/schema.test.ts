import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configurationOf } from '../../../../../engine/party/file/fields.ts';
import { loadVariant, PASSWORD, problemsOfFile, writeTemporary } from '../../testing/adapter-file.ts';
import { loadAdapter } from '../load.ts';
import { adapterSchema, publishedSchema } from './schema.ts';

const room = new URL('../../../../../', import.meta.url);
const published = readFileSync(new URL('adapter.schema.json', room), 'utf8');
const example = (name: string) =>
  parse(readFileSync(new URL(`examples/${name}.yaml`, room), 'utf8')) as Record<
    string,
    Record<string, unknown>
  >;

test('the published schema is the one that the kit checks by; conformance/roles/auth-server/adapter/file/schema/write-schema.ts writes it', () => {
  expect(JSON.parse(published)).toEqual(publishedSchema());
});

test('the published schema takes the examples and refuses what an editor should mark', () => {
  const schema = z.fromJSONSchema(JSON.parse(published));
  for (const name of ['mock', 'test-login'])
    expect(schema.safeParse(example(name)).error?.issues, name).toBeUndefined();
  const spoilers: ((file: ReturnType<typeof example>) => void)[] = [
    (file) => void delete file.steps?.logout,
    (file) => void Object.assign(file.steps?.logout as object, { parms: {} }),
    (file) => void Object.assign(file, { prots: {} }),
    (file) => void Object.assign(file.otp as object, { ask: true }),
    (file) => void Object.assign(file.people as object, { phones: 79995551234 }),
    (file) =>
      void Object.assign(file.steps as object, {
        exchangeToken: { rpc: 'x', extract: { exchangeToken: 'no/slash' } },
      }),
  ];
  for (const [index, spoil] of spoilers.entries()) {
    const file = example('mock');
    spoil(file);
    expect(schema.safeParse(file).success, `spoiler ${index}`).toBe(false);
  }
});

test('every key is described in the published schema', () => {
  const undescribed: string[] = [];
  const visit = (schema: unknown, path: string) => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, member] of Object.entries(schema)) {
      if (name === 'oneOf') continue;
      if (name === 'properties') {
        for (const [key, { description }] of Object.entries(
          member as Record<string, { description?: string }>,
        )) {
          if (description === undefined) undescribed.push(`${path}.${key}`);
        }
      }
      visit(member, ['properties', 'anyOf', '$defs'].includes(name) ? path : `${path}.${name}`);
    }
  };
  visit(JSON.parse(published), '');
  expect(undescribed).toEqual([]);
});

const secrets = [
  'header-secret',
  'argument-secret',
  'env-secret',
  'body-secret',
  'query-secret',
  '4711',
  '79990000007',
  PASSWORD,
];

test('the configuration in a report tells how the server was driven, without secrets', async () => {
  const { settings } = await loadVariant(
    {
      server: { start: { command: ['serve', '--key=argument-secret'], env: { KEY: 'env-secret' } } },
      otp: { fixed: { code: '4711' }, lifetimeSeconds: 60, resendAfterSeconds: 0 },
      people: { withoutCorrespondence: '79990000007' },
      steps: {
        logout: {
          method: 'POST',
          path: '/logout?key=query-secret',
          headers: { 'x-key': { env: 'KEY' }, cookie: '${token}' },
          json: { key: 'body-secret' },
        },
        deleteUser: { rpc: 'auth.delete_user' },
        requestOtp: { manual: 'Ask for a code.' },
      },
    },
    { KEY: 'header-secret' },
  );
  const shown = configurationOf(adapterSchema, settings);
  expect(shown).toEqual({
    server: { url: 'http://127.0.0.1:9', start: { command: 'serve' } },
    internal: { user: 'kit' },
    ehr: { apiVersion: '1.0-alpha', configuredIn: 'EHR_URL in its settings' },
    otp: { fixed: 'given', lifetimeSeconds: 60, resendAfterSeconds: 0 },
    people: { phones: '7999555####', withoutCorrespondence: 'named' },
    steps: {
      requestOtp: 'done by a person',
      confirmOtp: 'POST /login',
      exchangeToken: 'POST /exchange',
      reportLink: 'absent: the server learns of links otherwise',
      logout: 'POST /logout',
      deleteUser: 'JSON-RPC auth.delete_user at /',
      removeCorrespondence: 'absent: the file does not describe it',
      advanceClock: 'absent: the file does not describe it',
      expireSession: 'absent: the file does not describe it',
      restart: 'absent: the file does not describe it',
    },
    timeouts: { patienceMs: 15_000, personMs: 300_000 },
  });
  for (const secret of secrets) expect(JSON.stringify(shown)).not.toContain(secret);
});

const docs = new URL('../../../../../../docs/', import.meta.url);
const page = readFileSync(new URL('files.md', docs), 'utf8');
const folder = new URL('examples/adapters/', docs);
const env = { EHR_INTERNAL_USER: 'kit', EHR_INTERNAL_PASSWORD: 'secret' };

test("the page's adapter file can be used", async () => {
  const [, text = ''] = /^```yaml\n(name: .*?)^```$/ms.exec(page) ?? [];
  expect(await problemsOfFile(writeTemporary('adapter.yaml', text), env)).toEqual([]);
});

const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
test.each(files)('the example %s can be used', async (name) => {
  expect(await problemsOfFile(fileURLToPath(new URL(name, folder)), env)).toEqual([]);
});

test('the example of a module can be used', async () => {
  const { settings, wrap } = await loadAdapter(fileURLToPath(new URL('two-steps.mjs', folder)), env);
  expect(settings.steps.confirmOtp).toBeUndefined();
  expect(wrap).toBeTypeOf('function');
});

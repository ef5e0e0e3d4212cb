import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { publishedSchema } from './published-schema.ts';

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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishedSchema } from '#conformance/roles/auth-server/adapter/file/schema/published-schema.ts';
import { root } from '../../set-up/set-up.mjs';
import { withKeys } from './file-keys.ts';

const page = readFileSync(join(root, 'docs/files.md'), 'utf8');

test('the page on files gets a table of keys for each role', () => {
  const full = withKeys(page);
  for (const key of ['steps.requestOtp', 'control.advanceClock', 'browser.actions.signIn'])
    expect(full).toContain(`| \`${key}\` |`);
  expect(() => withKeys('# Another page\n')).toThrow('no line <!-- every key -->');
});

test('the page on files explains every key of an adapter file', () => {
  const keys = new Set<string>();
  const visit = (schema: unknown) => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, member] of Object.entries(schema)) {
      if (name === 'properties') for (const key of Object.keys(member as object)) keys.add(key);
      if (name !== 'oneOf') visit(member);
    }
  };
  visit(publishedSchema());
  const codes = [...withKeys(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const words = new Set(codes.flatMap((code) => code.split(/[^\w$]+/)));
  expect([...keys].filter((key) => !words.has(key))).toEqual([]);
});

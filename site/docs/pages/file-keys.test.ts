import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishedSchema } from '#conformance/roles/auth-server/adapter/file/schema/published-schema.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { withKeys } from './file-keys.ts';

const page = readFileSync(join(root, 'docs/files.md'), 'utf8');

test('each key on the page on files has an address of its own', () => {
  const full = withKeys(page);
  const anchors = [...full.matchAll(/^\| <a id="([^"]+)"><\/a>\[`[^`]+`\]\(#\1\) \|/gm)].map(([, id]) => id);
  expect(anchors).toEqual(
    expect.arrayContaining([
      'auth-server-steps-requestotp',
      'ehr-server-control-advanceclock',
      'client-browser-actions-signin-fill',
    ]),
  );
  expect(new Set(anchors).size).toBe(anchors.length);
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

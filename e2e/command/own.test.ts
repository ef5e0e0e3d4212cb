import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { flowFiles } from './own.ts';

const all = [...flowFiles('.test.ts', []), ...flowFiles('.spec.ts', [])];

test('flows, threats and browser flows are played, and nothing else', () => {
  const folders = new Set(all.map((file) => relative(root, file).split('/').slice(0, 2).join('/')));
  expect([...folders].sort()).toEqual(['e2e/browser', 'e2e/flows', 'e2e/threats']);
  expect(all.length).toBeGreaterThan(9);
});

test('nothing that is played tests the kit, the documents or the harness', () => {
  const foreign =
    /docs\/|README|conformance\/(?:testing|examples)|scripts\/(?:e2e|test|docs)|runCli|\btestDir\b/;
  const found = all.filter((file) => foreign.test(readFileSync(file, 'utf8').replace(/^ *\/\/.*$/gm, '')));
  expect(found).toEqual([]);
});

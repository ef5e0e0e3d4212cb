import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { openRpcDocument } from '#protocol/methods/openrpc.ts';
import { root } from '../../set-up/set-up.mjs';
import { protocolPage } from './protocol.ts';

const committed = (file: string) => readFileSync(join(root, file), 'utf8');

test('docs/protocol.md is what the tables of methods and errors say', () =>
  expect(protocolPage()).toBe(committed('docs/protocol.md')));

test('docs/openrpc.json is what the methods of the EHR server say', () => {
  const page = JSON.parse(committed('docs/openrpc.json'));
  expect(JSON.parse(JSON.stringify(openRpcDocument(ehrMethods, page.info)))).toEqual(page);
});

import { expect, test } from 'vitest';
import { clientDefects, harmlessClients } from './index.mjs';

test('variants have different names, and sources name a repository and a number', () => {
  const ids = [...clientDefects, ...harmlessClients].map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const sources = clientDefects.flatMap(({ seenIn = [] }) => seenIn);
  expect(sources.filter((source) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(source))).toEqual([]);
});

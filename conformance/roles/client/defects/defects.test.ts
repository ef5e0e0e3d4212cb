import { expect, test } from 'vitest';
import { clientDefects, harmlessClients } from './index.mjs';

test('variants have different names', () => {
  const ids = [...clientDefects, ...harmlessClients].map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

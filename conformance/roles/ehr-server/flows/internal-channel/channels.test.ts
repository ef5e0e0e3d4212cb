import { expect, test } from 'vitest';
import { SAVE, SPELLINGS } from './channels.ts';

test('no spelling of a method is the method itself, or another one of them', () => {
  const names = [SAVE, ...Object.values(SPELLINGS)];
  expect(new Set(names).size).toBe(names.length);
  expect(SPELLINGS['with a slash']).toBe('embedded_storage/save_auth_info');
});

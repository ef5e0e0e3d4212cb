import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { openStore } from './open-store.ts';

test('a store in memory makes no file', async () => {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  expect(() => store.check()).not.toThrow();
  expect(existsSync(':memory:')).toBe(false);
});

test('a file without a possible directory is named with what to do', async () => {
  const folder = folderInMemory();
  const notes = join(folder, 'notes.txt');
  writeFileSync(notes, 'This is no directory.');
  const file = join(notes, 'auth.sqlite');
  await expect(openStore(file)).rejects.toThrow(
    new RegExp(
      `^Failed to open the database ${file}: E.*${notes}.*\\. Please check the path and its permissions`,
    ),
  );
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openMis } from './open-mis.ts';

const anna = personas.anna.patients[0];

/** Opens a population with this content. */
function open(content: unknown) {
  const file = join(temporaryFolder(), 'patients.json');
  if (content !== undefined)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return openMis({ database: ':memory:', misDatabase: file, databasePool: 1 });
}

test('the patients of a JSON file are found and read', async () => {
  const mis = await open([anna]);
  expect(await mis.match({ strategy: 'PHONE', phone: '79990000001' })).toEqual([anna.id]);
  expect(await mis.get(anna.id)).toEqual(anna);
});

test('an unusable JSON file is refused with its place, without what it says', async () => {
  const remedy = 'Please correct it, or name another with --mis-database.';
  for (const [content, why] of [
    [undefined, 'the file cannot be opened (ENOENT)'],
    ['[Petrova', 'it is not JSON'],
    [{ anna }, 'it must be a list of patients'],
    [[anna, { ...anna, birthdate: 'Petrova' }], '1.birthdate cannot be used'],
  ] as const) {
    const error = await open(content).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining(`patients.json: ${why}. ${remedy}`) });
    expect(String(error)).not.toContain('Petrova');
  }
});

import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import { foreignFiles, pictureOf, placeForeign } from '#testing/foreign-files.ts';
import { proves } from '#testing/proves.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openMis } from '../mis/open-mis.ts';
import { openStore } from '../store/open-store.ts';

/** The settings that name a database, and how a server opens it. */
const SETTINGS = [
  { setting: '--database', open: (file: string) => openStore({ database: file, audit: true }) },
  {
    setting: '--mis-database',
    open: (file: string) => openMis({ database: ':memory:', misDatabase: file, databasePool: 3 }),
  },
  {
    setting: '--database',
    contents: ', for the patients',
    open: (file: string) => openMis({ database: file, misDatabase: undefined, databasePool: 3 }),
  },
];

for (const [what, foreign] of Object.entries(foreignFiles))
  for (const { setting, contents = '', open } of SETTINGS)
    proves(['T-file-10'], `a ${what} in ${setting}${contents} is refused and stays as it is`, async () => {
      const { file, picture } = placeForeign(foreign);
      const before = picture();
      const { message } = await open(file).then(
        () => new Error('It was opened.'),
        (error: Error) => error,
      );
      expect(message).toContain(file);
      expect(message).toContain(setting);
      expect(message).toMatch(foreign.called);
      expect(message).toMatch(/Please (?:name|make)/);
      expect(picture()).toEqual(before);
    });

proves(['T-file-10'], 'a link beside a database of ours does not lead to another file', async () => {
  const folder = temporaryFolder();
  const [database, notes] = [join(folder, 'ehr.sqlite'), join(folder, 'notes')];
  await (await openStore({ database, audit: true })).close();
  writeFileSync(notes, 'of somebody');
  chmodSync(notes, 0o644);
  for (const suffix of ['-wal', '-shm', '-journal']) {
    symlinkSync(notes, database + suffix);
    const before = pictureOf(folder);
    await openStore({ database, audit: true }).then(
      (store) => store.close(),
      () => undefined,
    );
    expect(noteIn(pictureOf(folder))).toEqual(noteIn(before));
    rmSync(database + suffix, { force: true });
  }
});

const noteIn = ({ files }: ReturnType<typeof pictureOf>) => files.find(({ name }) => name === 'notes');

test('an empty file, and a database without tables, are taken', async () => {
  const folder = temporaryFolder();
  const [empty, withoutTables] = [join(folder, 'empty'), join(folder, 'without-tables')];
  writeFileSync(empty, '');
  const db = openSqlite(withoutTables);
  db.exec('CREATE TABLE notes (text TEXT); DROP TABLE notes');
  db.close();
  for (const database of [empty, withoutTables]) await (await openStore({ database, audit: true })).close();
});

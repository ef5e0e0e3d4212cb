import fs, { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import { foreignFiles, placeForeign } from '#testing/foreign-files.ts';
import { proves } from '#testing/proves.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { resultOf } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';
import { prepareMisSchema } from '../mis/schema.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';
import { migrate } from '../store/sqlite/schema.ts';
import { collector, filesIn, run } from './testing.ts';

/** A directory with the database of a running server in it. */
async function runningServer() {
  const folder = folderInMemory();
  const database = join(folder, 'ehr.sqlite');
  const ehr = await linkedEhr({ env: { EHR_DATABASE: database } });
  return { ...ehr, folder, database, copy: join(folder, 'copy.sqlite') };
}

/** An unused database of this many megabytes. */
function quietDatabase(megabytes = 0) {
  const folder = folderInMemory();
  const database = join(folder, 'ehr.sqlite');
  const db = openDatabase(database);
  migrate(db);
  db.exec('CREATE TABLE ballast (bytes BLOB)');
  for (let n = 0; n < megabytes; n++) db.exec('INSERT INTO ballast VALUES (randomblob(1000000))');
  db.close();
  return { folder, database, copy: join(folder, 'copy.sqlite') };
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test('a backup of a running server is one whole, private file', async () => {
  const { database, copy, folder, ehr, call, cred, userSign } = await runningServer();
  const { code, out, err } = await run(['backup', copy, '--database', database]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`Backup of ${database} written to ${copy}, `);
  expect(out).toMatch(
    /integrity check ok\.\n {2}sessions +1\n {2}exchange tokens +1\n {2}links +1\n {2}audit entries +2\n/,
  );
  expect(modeOf(copy)).toBe('600');
  expect(readdirSync(folder).filter((name) => !name.startsWith('ehr.sqlite'))).toEqual(['copy.sqlite']);
  const db = openSqlite(copy, { readonly: true });
  onTestFinished(() => void db.close());
  expect(db.prepare('SELECT user_sign FROM links').pluck().get()).toBe(userSign);
  expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
  // The server was not disturbed.
  resultOf(await call('patient.get_patient', {}, cred));
  await ehr.stop();
});

proves(['T-file-7'], 'what the server itself keeps on disk is readable by its owner alone', async () => {
  const { folder } = await runningServer();
  const files = readdirSync(folder);
  expect(files.sort()).toEqual(['ehr.sqlite', 'ehr.sqlite-lock', 'ehr.sqlite-shm', 'ehr.sqlite-wal']);
  expect(files.map((file) => modeOf(join(folder, file)))).toEqual(['600', '600', '600', '600']);
});

test('the report says where the patients are, what else matters, and who reads it', async () => {
  const { database, copy, folder } = quietDatabase();
  const backup = async (...flags: string[]) => {
    const { code, out } = await run(['backup', copy, '--force', '--database', database, ...flags]);
    expect(code).toBe(0);
    return out;
  };
  const other = join(folder, 'patients.sqlite');
  chmodSync(database, 0o644);
  const alone = await backup();
  expect(alone).toContain('are not in this backup');
  expect(alone).toContain(`chmod 600 ${database}`);
  expect(modeOf(copy)).toBe('600');
  expect(await backup('--mis-database', other)).toContain(`backup ANOTHER_FILE --database ${other}`);
  const elsewhere = await backup('--mis-database', 'postgres://mis:secret-word@db.example.org/patients');
  expect(elsewhere).toContain('back up postgres://mis@db.example.org/patients with pg_dump');
  expect(elsewhere).not.toContain('secret-word');
  const db = openDatabase(database);
  prepareMisSchema(db);
  db.close();
  expect(await backup()).toMatch(/patients +0\nThe patients are in this backup, too\./);
  expect(await backup('--mis-database', other)).toContain(`backup ANOTHER_FILE --database ${other}`);
  const patients = openDatabase(other);
  prepareMisSchema(patients);
  patients.close();
  expect((await run(['backup', copy, '--force', '--database', other])).out).toContain('holds patients alone');
});

test('a file that exists is replaced with --force alone, and the database itself never', async () => {
  const { database, copy, folder } = quietDatabase();
  writeFileSync(copy, 'precious');
  expect(await run(['backup', copy, '--database', database])).toMatchObject({
    code: 2,
    err: `${copy} exists. Please name another file, or add --force to replace it.\n`,
  });
  expect(readFileSync(copy, 'utf8')).toBe('precious');
  const force = ['backup', copy, '--database', database, '--force'];
  expect(await run(force)).toMatchObject({
    code: 2,
    err: expect.stringContaining('is no backup of this server'),
  });
  expect(readFileSync(copy, 'utf8')).toBe('precious');
  fs.copyFileSync(database, copy);
  expect((await run(force)).code).toBe(0);
  expect(readFileSync(copy, 'latin1')).toMatch(/^SQLite format 3/);
  const itself = await run(['backup', join(folder, '.', 'ehr.sqlite'), '--database', database, '--force']);
  expect(itself).toMatchObject({ code: 2, err: expect.stringContaining('is the database itself') });
  const directory = join(folder, 'directory');
  fs.mkdirSync(directory);
  expect((await run(['backup', directory, '--database', database, '--force'])).err).toContain(
    'is a directory',
  );
});

for (const [what, foreign] of Object.entries(foreignFiles))
  proves(['T-file-10'], `a ${what} is no place for a backup, and stays as it is`, async () => {
    const { database, copy } = quietDatabase();
    const { file, picture } = placeForeign(foreign);
    const before = picture();
    for (const argv of [
      ['backup', file, '--database', database, '--force'],
      ['backup', file, '--database', database],
      ['backup', copy, '--database', file],
      ['audit', '--database', file],
    ]) {
      const { code, err } = await run(argv);
      expect([argv, code > 0, picture()]).toEqual([argv, true, before]);
      expect(err).toMatch(/^\S.*Please .*\n$/);
    }
  });

test('what cannot be backed up is named, and no file is made', async () => {
  const { database, copy, folder } = quietDatabase();
  const refused = async (...argv: string[]) => {
    const { code, out, err } = await run(['backup', ...argv]);
    expect([code > 0, out, existsSync(copy)]).toEqual([true, '', false]);
    return err;
  };
  expect(await refused(copy, '--database', join(folder, 'missing'))).toContain('There is no database');
  expect(await refused(copy, '--database', ':memory:')).toContain('in memory');
  const postgres = await refused(copy, '--database', 'postgresql://ehr:secret-word@db.example.org/ehr');
  expect(postgres).toContain(`pg_dump --format=custom --file=${copy} "$EHR_DATABASE"`);
  expect(postgres).not.toContain('secret-word');
  expect(await refused(join(folder, 'missing', 'copy'), '--database', database)).toContain(
    'Please check that its directory exists',
  );
  expect(await refused()).toContain("missing required argument 'file'");
  expect(filesIn(folder)).toEqual(['ehr.sqlite']);
});

test('a damaged database gives no backup, and an older one stays', async () => {
  const { database, copy, folder } = quietDatabase(1);
  fs.copyFileSync(database, copy);
  const older = readFileSync(copy);
  const bytes = readFileSync(database);
  // Somewhere in the middle, after the pages that are read when the file is opened.
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 8_192);
  const broken = openSqlite(database);
  const rootPage = broken
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sessions_by_expiry'")
    .pluck()
    .get() as number;
  broken.close();
  bytes.fill(0xff, (rootPage - 1) * 4_096, rootPage * 4_096);
  writeFileSync(database, bytes);
  const { code, out, err } = await run(['backup', copy, '--database', database, '--force']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/did not pass its check: .*itself is damaged/s);
  expect(filesIn(folder)).toEqual(['copy.sqlite', 'ehr.sqlite']);
  expect(readFileSync(copy).equals(older)).toBe(true);
});

test('an interruption leaves no half file, and the next run clears a killed one', async () => {
  const { database, copy, folder } = quietDatabase(10);
  const interrupt = new AbortController();
  const backup = run(['backup', copy, '--database', database], { signal: interrupt.signal });
  // The copy is under way: its partial file exists.
  while (!readdirSync(folder).some((name) => name.includes('.partial-'))) await new Promise(setImmediate);
  interrupt.abort();
  expect(await backup).toEqual({
    code: 130,
    out: '',
    err: 'Interrupted; nothing was changed, and no half file is left.\n',
  });
  expect(filesIn(folder)).toEqual(['ehr.sqlite']);
  writeFileSync(`${copy}.partial-${2 ** 22 + 1}`, 'half');
  expect((await run(['backup', copy, '--database', database])).code).toBe(0);
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a backup beside a busy writer comes to its end, of one moment', async () => {
  const { database, copy } = quietDatabase(20);
  const writer = openDatabase(database);
  onTestFinished(() => void writer.close());
  writer.exec('CREATE TABLE left (n INTEGER); CREATE TABLE right (n INTEGER)');
  let isOver = false;
  let rows = 0;
  const write = () => {
    if (isOver) return;
    writer.exec(`BEGIN; INSERT INTO left VALUES (${rows}); INSERT INTO right VALUES (${rows}); COMMIT`);
    rows++;
    setImmediate(write);
  };
  write();
  const { code } = await run(['backup', copy, '--database', database]);
  isOver = true;
  expect([code, rows > 10]).toEqual([0, true]);
  const db = openSqlite(copy, { readonly: true });
  onTestFinished(() => void db.close());
  const [left, right] = ['left', 'right'].map((table) =>
    db.prepare(`SELECT n FROM ${table} ORDER BY n`).pluck().all(),
  );
  expect(left).toEqual(right);
  expect(left?.length).toBeLessThan(rows);
});

test('a long backup shows how far it is', async () => {
  const { database, copy } = quietDatabase(10);
  let now = 0;
  // This clock advances a second with each reading, and its alarms ring in the next tick.
  const clock = {
    now: () => {
      now += 1_000;
      return now;
    },
    after(_ms: number, wake: () => void) {
      const turn = setImmediate(wake);
      return () => clearImmediate(turn);
    },
  };
  const err = collector();
  expect((await run(['backup', copy, '--database', database], { clock, err })).code).toBe(0);
  expect(err.text()).toMatch(/^Copying … \d+ %, \d+ s$/m);
  expect(err.text()).toMatch(/^Checking the copy … \d+ s$/m);
});

import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { openSqlite } from '#service/sqlite.ts';
import { linkedEhr } from '#testing/linked-ehr.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { usePostgres } from '#testing/use-postgres.ts';
import { resultOf } from '#testing/wire.ts';
import { readEhrConfig } from '../config.ts';
import type { AuditEntry } from '../store/audit.ts';
import { sqliteAudit } from '../store/sqlite/audit.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';
import { migrate } from '../store/sqlite/schema.ts';
import { commandNames } from './names.ts';
import { collector, run } from './testing.ts';

const postgres = usePostgres();
const START = Date.UTC(2026, 0, 31, 9);
const access: AuditEntry = {
  at: START,
  action: 'patient.get_patient',
  user: 'u-1',
  patientId: 'p-1',
  outcome: 'ok',
};

/** A database with these entries, and a way to add more. */
function auditFile(entries: readonly Partial<AuditEntry>[] = []) {
  const file = join(temporaryFolder(), 'ehr.sqlite');
  const db = openDatabase(file);
  onTestFinished(() => void db.close());
  migrate(db);
  const { add } = sqliteAudit(db, true);
  const addAll = db.transaction((more: readonly Partial<AuditEntry>[]) => {
    for (const entry of more) add({ ...access, ...entry });
  });
  addAll(entries);
  return { file, db, addAll };
}

const list = (file: string, ...flags: string[]) => run(['audit', '--database', file, ...flags]);

/** The users of the entries that a command line lists. */
async function usersOf(file: string, ...flags: string[]): Promise<string[]> {
  const { code, out, err } = await list(file, '--json', ...flags);
  expect([code, err]).toEqual([0, expect.stringMatching(/^$|^No entry/)]);
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).user);
}

test('the table says when, who, what, which patient and how it ended, newest last', async () => {
  const { file } = auditFile([
    { action: 'embedded_storage.save_exchange_token', patientId: null },
    { action: 'embedded_storage.authenticate', at: START + 1_500, outcome: 'patient_already_linked' },
  ]);
  const { code, out } = await list(file);
  expect(code).toBe(0);
  expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['TIME (UTC)', 'WHO', 'WHAT', 'PATIENT', 'OUTCOME'],
    [
      '2026-01-31T09:00:00.000Z',
      'authorization server for u-1',
      'embedded_storage.save_exchange_token',
      '-',
      'ok',
    ],
    [
      '2026-01-31T09:00:01.500Z',
      'client of u-1',
      'embedded_storage.authenticate',
      'p-1',
      'patient_already_linked',
    ],
    [''],
  ]);
});

test('--json prints an object a line', async () => {
  const { file } = auditFile([{}, { patientId: null, outcome: 'token_already_stored' }]);
  const lines = (await list(file, '--json')).out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      id: 1,
      at: '2026-01-31T09:00:00.000Z',
      actor: 'client',
      action: 'patient.get_patient',
      user: 'u-1',
      patientId: 'p-1',
      outcome: 'ok',
    },
    expect.objectContaining({ id: 2, patientId: null, outcome: 'token_already_stored' }),
  ]);
});

test('an outside id cannot steer the terminal, break a line or pass for another', async () => {
  const user = 'a\u001b[2J\r\nb\u202e\u0085\u2028\\u{1b}\u{e0001}é';
  const { file } = auditFile([{ user, patientId: user }]);
  const { out } = await list(file);
  const shown = 'a\\u{1b}[2J\\u{d}\\u{a}b\\u{202e}\\u{85}\\u{2028}\\\\u{1b}\\u{e0001}é';
  expect(out.split('\n')[1]).toContain(`client of ${shown}`);
  expect(out.split('\n')[1]).toContain(`  ${shown}  ok`);
  const json = (await list(file, '--json')).out;
  expect(json.trimEnd()).toMatch(/^[\x20-\x7eé]*$/);
  expect(JSON.parse(json).user).toBe(user);
});

test('each filter leaves what fits', async () => {
  const { file } = auditFile([
    { user: 'a', at: Date.UTC(2026, 0, 30, 23, 59, 59, 999) },
    { user: 'b', at: Date.UTC(2026, 0, 31), patientId: 'p-2' },
    {
      user: 'c',
      at: Date.UTC(2026, 0, 31, 9, 30),
      action: 'embedded_storage.remove_auth_info',
      patientId: null,
    },
    { user: 'd', at: Date.UTC(2026, 1, 1), outcome: 'token_already_stored' },
    { user: 'e', at: Date.UTC(2026, 1, 2), outcome: 'patient_not_matched' },
  ]);
  expect(await usersOf(file, '--user', 'b')).toEqual(['b']);
  expect(await usersOf(file, '--patient', 'p-2')).toEqual(['b']);
  expect(await usersOf(file, '--action', 'remove_auth_info')).toEqual(['c']);
  expect(await usersOf(file, '--action', 'embedded_storage.remove_auth_info')).toEqual(['c']);
  expect(await usersOf(file, '--since', '2026-01-31')).toEqual(['b', 'c', 'd', 'e']);
  expect(await usersOf(file, '--since', '2026-01-31', '--until', '2026-02-01')).toEqual(['b', 'c']);
  expect(
    await usersOf(file, '--since', '2026-01-31T09:30Z', '--until', '2026-02-01T03:00:00.001+03:00'),
  ).toEqual(['c', 'd']);
  expect(await usersOf(file, '--outcome', 'refused')).toEqual(['d', 'e']);
  expect(await usersOf(file, '--outcome', 'patient_not_matched')).toEqual(['e']);
  expect(await usersOf(file, '--outcome', 'ok', '--limit', '2')).toEqual(['b', 'c']);
  expect(await usersOf(file, '--user', 'nobody')).toEqual([]);
});

test('a long record is read in stretches, whole or its newest entries', async () => {
  const { file, db } = auditFile(
    Array.from({ length: 12_345 }, (_, n) => ({ user: n % 4_000 === 0 ? 'rare' : `u-${n}` })),
  );
  expect((await list(file, '--json')).out.split('\n')).toHaveLength(12_346);
  expect(await usersOf(file, '--limit', '2')).toEqual(['u-12343', 'u-12344']);
  expect((await usersOf(file, '--limit', '6000'))[0]).toBe('u-6345');
  const ids = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id);
  expect(ids((await list(file, '--json', '--user', 'rare', '--limit', '3')).out)).toEqual([
    4_001, 8_001, 12_001,
  ]);
  const { purge } = sqliteAudit(db, true);
  expect(purge(START + 1, 12_340)).toBe(12_340);
  expect(await usersOf(file)).toEqual(['u-12340', 'u-12341', 'u-12342', 'u-12343', 'u-12344']);
  expect(await usersOf(file, '--limit', '9')).toHaveLength(5);
});

test('nothing to list is said in a sentence, beside the lines of JSON', async () => {
  const { file, addAll } = auditFile();
  expect(await list(file)).toEqual({ code: 0, out: 'The audit has no entries yet.\n', err: '' });
  addAll([{}]);
  expect(await list(file, '--user', 'x')).toEqual({ code: 0, out: 'No entry of the audit fits.\n', err: '' });
  expect(await list(file, '--user', 'x', '--json')).toEqual({
    code: 0,
    out: '',
    err: 'No entry of the audit fits.\n',
  });
});

test('it reads beside a running server, and needs no password', async () => {
  const file = join(temporaryFolder(), 'ehr.sqlite');
  const ehr = await linkedEhr({ env: { EHR_DATABASE: file } });
  resultOf(await ehr.read(ehr.cred));
  const { out } = await run(['audit', '--action', 'get_patient'], { env: { EHR_DATABASE: file } });
  expect(out).toMatch(/client of u-anna +patient.get_patient +p-anna +ok\n$/);
  resultOf(await ehr.read(ehr.cred));
});

test('it reads the record of a PostgreSQL database, while a server has it open', async () => {
  const database = await postgres.createDatabase();
  const ehr = await linkedEhr({ env: { EHR_DATABASE: database } });
  for (let n = 0; n < 3; n++) resultOf(await ehr.read(ehr.cred));
  expect(await usersOf(database)).toEqual(Array(5).fill('u-anna'));
  expect((await list(database, '--limit', '1', '--patient', 'p-anna')).out).toMatch(
    /client of u-anna +patient.get_patient +p-anna +ok\n$/,
  );
  expect(await usersOf(database, '--action', 'authenticate', '--outcome', 'ok')).toEqual(['u-anna']);
});

test('a PostgreSQL that cannot be reached is named without its password', async () => {
  const { code, out, err } = await list('postgres://ehr:secret-word@127.0.0.1:1/ehr');
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('Failed to read the audit of postgres://ehr@127.0.0.1:1/ehr: ');
  expect(err).not.toContain('secret-word');
});

test('--follow shows what fits as it is written, until it is interrupted', async () => {
  const { file, addAll } = auditFile([{ user: 'before' }]);
  const clock = manualClock();
  const interrupt = new AbortController();
  const heard: string[] = [];
  const out = collector((lines) => {
    for (const line of lines.trimEnd().split('\n')) heard.push(JSON.parse(line).user);
  });
  const following = run(
    ['audit', '--database', file, '--follow', '--json', '--patient', 'p-1', '--limit', '1'],
    { clock, out, signal: interrupt.signal },
  );
  const seconds = async (users: string[]) => {
    while (heard.length < users.length) {
      await new Promise(setImmediate);
      clock.advance(1_000);
    }
    expect(heard).toEqual(users);
  };
  await seconds(['before']);
  addAll([{ user: 'a' }, { user: 'other', patientId: 'p-2' }, { user: 'b' }]);
  await seconds(['before', 'a', 'b']);
  addAll([{ user: 'c' }]);
  await seconds(['before', 'a', 'b', 'c']);
  interrupt.abort();
  expect((await following).code).toBe(0);
});

test('a list that is interrupted says that it is not complete', async () => {
  const { file } = auditFile(Array.from({ length: 12_000 }, () => ({})));
  const interrupt = new AbortController();
  const out = collector(() => interrupt.abort());
  const { code, err } = await run(['audit', '--database', file, '--json'], { out, signal: interrupt.signal });
  expect([code, err]).toEqual([130, 'Interrupted; the list is not complete.\n']);
  expect(out.text().split('\n').length).toBeLessThan(12_000);
});

test('a reader that goes away ends it quietly', async () => {
  const { file } = auditFile([{}, {}]);
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const closed = once(gone, 'error');
  expect(await run(['audit', '--database', file], { out: gone })).toMatchObject({ code: 0, err: '' });
  await closed;
});

test('an unreadable database is named with what to do, and none is made', async () => {
  const folder = temporaryFolder();
  const missing = join(folder, 'missing.sqlite');
  expect(await list(missing)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no database .*missing.*--database/),
  });
  expect(existsSync(missing)).toBe(false);
  const text = join(folder, 'text');
  writeFileSync(text, 'no database at all, but long enough to be taken for one, and then some more');
  expect(await list(text)).toMatchObject({ code: 1, err: expect.stringContaining('no SQLite database') });
  const other = openSqlite(join(folder, 'other.sqlite'));
  other.exec('CREATE TABLE t (a)');
  other.close();
  expect(await list(other.name)).toMatchObject({
    code: 1,
    err: expect.stringContaining('of another program'),
  });
  const { file, db } = auditFile();
  db.pragma('user_version = 999');
  expect(await list(file)).toMatchObject({ code: 1, err: expect.stringMatching(/newer version.*update/) });
  expect(await list(':memory:')).toMatchObject({ code: 2, err: expect.stringContaining('in memory') });
});

test('what cannot be used is refused with what would do', async () => {
  const refused = async (...argv: string[]) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, '']);
    return err;
  };
  expect(await refused('audti')).toMatch(/unknown command 'audti'\n\(Did you mean audit\?\)\n.*--help/);
  expect(await refused('audit', '--since', '2026-02-30')).toContain('such as 2026-01-31');
  expect(await refused('audit', '--until', 'yesterday')).toContain('such as 2026-01-31');
  expect(await refused('audit', '--action', 'discover')).toContain('one of save_auth_info');
  expect(await refused('audit', '--outcome', 'bad')).toContain('ok, refused');
  expect(await refused('audit', '--limit', '0')).toContain('from 1 to 100000');
  expect(await refused('audit', '--patients', 'x')).toContain('Did you mean --patient?');
  expect(await refused('audit', 'file')).toContain('too many arguments');
});

test('--help of the server names the commands, and each has its own', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(readEhrConfig(['--help'], {})).toBeUndefined();
  const help = written.mock.calls.map(([text]) => String(text)).join('');
  written.mockRestore();
  for (const [name, what] of Object.entries(commandNames)) {
    expect(help).toMatch(new RegExp(`^ {2}${name} +${what}$`, 'm'));
    expect(await run([name, '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--database '),
    });
  }
});

test('--help names what there is', async () => {
  const { code, out } = await run(['audit', '--help']);
  expect(code).toBe(0);
  const flags = '--user --patient --action --outcome --since --until --limit --follow --json';
  for (const flag of flags.split(' ')) expect(out).toContain(`${flag} `);
});

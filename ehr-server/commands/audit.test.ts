import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { resultOf } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';
import { commandNames, readEhrConfig } from '../config.ts';
import type { AuditEntry } from '../store/audit.ts';
import { sqliteAudit } from '../store/sqlite/audit.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';
import { migrate } from '../store/sqlite/schema.ts';
import { collector, run } from './testing.ts';

const postgres = usePostgres();
const START = Date.UTC(2026, 0, 31, 9);
const reading = { action: 'patient.get_patient', user: 'u-1', patientId: 'p-1', outcome: 'ok' } as const;
const access: AuditEntry = { at: START, ...reading };

/** A database with these entries, and a way to add more. */
function auditFile(entries: readonly Partial<AuditEntry>[] = []) {
  const file = join(folderInMemory(), 'ehr.sqlite');
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

async function entriesOf(file: string, ...flags: string[]): Promise<(AuditEntry & { id: number })[]> {
  const { code, out, err } = await list(file, '--json', ...flags);
  expect([code, err]).toEqual([0, expect.stringMatching(/^$|^No entry/)]);
  const lines = out.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** The users of the entries that a command line lists. */
async function usersOf(file: string, ...flags: string[]): Promise<string[]> {
  return (await entriesOf(file, ...flags)).map(({ user }) => user);
}

test('the table says when, who, what, which patient and how it ended, newest last', async () => {
  const { file } = auditFile([
    { action: 'embedded_storage.save_exchange_token', patientId: null },
    { action: 'embedded_storage.authenticate', at: START + 1_500, outcome: 'patient_already_linked' },
  ]);
  const { code, out } = await list(file);
  expect(code).toBe(0);
  expect(out.split('\n').map((line) => line.split(/ {2,}/).join(' | '))).toEqual([
    'TIME (UTC) | WHO | WHAT | PATIENT | OUTCOME',
    '2026-01-31T09:00:00.000Z | authorization server for u-1 | embedded_storage.save_exchange_token | - | ok',
    '2026-01-31T09:00:01.500Z | client of u-1 | embedded_storage.authenticate | p-1 | patient_already_linked',
    '',
  ]);
});

test('--json prints an object a line', async () => {
  const { file } = auditFile([{}, { patientId: null, outcome: 'token_already_stored' }]);
  expect(await entriesOf(file)).toEqual([
    { id: 1, at: '2026-01-31T09:00:00.000Z', actor: 'client', ...reading },
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
  for (const [flags, ...users] of [
    ['--user b', 'b'],
    ['--patient p-2', 'b'],
    ['--action remove_auth_info', 'c'],
    ['--action embedded_storage.remove_auth_info', 'c'],
    ['--since 2026-01-31', 'b', 'c', 'd', 'e'],
    ['--since 2026-01-31 --until 2026-02-01', 'b', 'c'],
    ['--since 2026-01-31T09:30Z --until 2026-02-01T03:00:00.001+03:00', 'c', 'd'],
    ['--outcome refused', 'd', 'e'],
    ['--outcome patient_not_matched', 'e'],
    ['--outcome ok --limit 2', 'b', 'c'],
    ['--user nobody'],
  ] as const)
    expect(await usersOf(file, ...flags.split(' ')), flags).toEqual(users);
});

test('a long record is read in stretches, whole or its newest entries', async () => {
  const { file, db } = auditFile(
    Array.from({ length: 12_345 }, (_, n) => ({ user: n % 4_000 === 0 ? 'rare' : `u-${n}` })),
  );
  expect((await list(file, '--json')).out.split('\n')).toHaveLength(12_346);
  expect(await usersOf(file, '--limit', '2')).toEqual(['u-12343', 'u-12344']);
  expect((await usersOf(file, '--limit', '6000'))[0]).toBe('u-6345');
  const rare = await entriesOf(file, '--user', 'rare', '--limit', '3');
  expect(rare.map(({ id }) => id)).toEqual([4_001, 8_001, 12_001]);
  const { purge } = sqliteAudit(db, true);
  expect(purge(START + 1, 12_340)).toBe(12_340);
  expect(await usersOf(file)).toEqual(['u-12340', 'u-12341', 'u-12342', 'u-12343', 'u-12344']);
  expect(await usersOf(file, '--limit', '9')).toHaveLength(5);
});

test('nothing to list is said in a sentence, beside the lines of JSON', async () => {
  const { file, addAll } = auditFile();
  expect(await list(file)).toEqual({ code: 0, out: 'The audit has no entries yet.\n', err: '' });
  addAll([{}]);
  const said = 'No entry of the audit fits.\n';
  expect(await list(file, '--user', 'x')).toEqual({ code: 0, out: said, err: '' });
  expect(await list(file, '--user', 'x', '--json')).toEqual({ code: 0, out: '', err: said });
});

test('it reads beside a running server, and needs no password', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const ehr = await linkedEhr({ env: { EHR_DATABASE: file } });
  resultOf(await ehr.read(ehr.cred));
  const { out } = await run(['audit', '--action', 'get_patient'], { env: { EHR_DATABASE: file } });
  expect(out).toMatch(/client of u-anna +patient.get_patient +p-anna +ok\n$/);
  resultOf(await ehr.read(ehr.cred));
});

test('it reads the record of a PostgreSQL database, while a server has it open', async () => {
  const database = await postgres.createSchema();
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
  const line = ['audit', '--database', file, '--follow', '--json', '--patient', 'p-1', '--limit', '1'];
  const following = run(line, { clock, out, signal: interrupt.signal });
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
  const missing = join(folderInMemory(), 'missing.sqlite');
  const { file: newer, db } = auditFile();
  db.pragma('user_version = 999');
  for (const [database, code, said] of [
    [missing, 1, /no database .*missing.*--database/],
    [newer, 1, /newer version.*update/],
    [':memory:', 2, /in memory/],
  ] as const)
    expect(await list(database)).toMatchObject({ code, err: expect.stringMatching(said) });
  expect(existsSync(missing)).toBe(false);
});

test.each([
  ['audti', /unknown command 'audti'\n\(Did you mean audit\?\)\n.*--help/],
  ['audit --since 2026-02-30', /such as 2026-01-31/],
  ['audit --until yesterday', /such as 2026-01-31/],
  ['audit --action discover', /one of save_auth_info/],
  ['audit --outcome bad', /ok, refused/],
  ['audit --limit 0', /from 1 to 100000/],
  ['audit --patients x', /Did you mean --patient\?/],
  ['audit file', /too many arguments/],
])('"%s" is refused with what would do', async (line, said) => {
  expect(await run(line.split(' '))).toEqual({ code: 2, out: '', err: expect.stringMatching(said) });
});

test('--help of the server names the commands, and each has its own', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(readEhrConfig(['--help'], {})).toBeUndefined();
  const help = written.mock.calls.map(([text]) => String(text)).join('');
  written.mockRestore();
  for (const [name, what] of Object.entries(commandNames)) {
    expect(help).toMatch(new RegExp(`^ {2}${name} +${what}$`, 'm'));
    const out = expect.stringContaining('--database ');
    expect(await run([name, '--help'])).toMatchObject({ code: 0, out });
  }
});

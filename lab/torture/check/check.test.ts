import { expect, test } from 'vitest';
import { seededRandom } from '#protocol/time/random.ts';
import { Cast, storedForm } from '../load/cast.ts';
import { type FaultWindow, judge } from './check.ts';
import type { Rows } from './rows.ts';
import * as t from './testing.ts';

const cast = new Cast(0, seededRandom(1));
const [user = '', otherUser = ''] = cast.users;
const hash = (token: string | undefined) => storedForm(token ?? '');

/** User 0 links to patient 0 and logs out. */
const lines: readonly t.Line[] = [
  t.save(0, 0, 0),
  { ...t.authenticate(0, 0), outcome: t.shows(0, cast.signNumber('sign')) },
  { ...t.read(0, 0), outcome: t.shows(0) },
  t.logout(0, 0),
];

const sound: Rows = {
  sessions: [{ hash: hash(cast.tokens[0]), user: '', recorded: false, ended: true }],
  exchanges: [{ hash: hash(cast.exchanges[0]), user, sessionHash: hash(cast.tokens[0]), failures: 0, used: true }],
  links: [{ user, patient: cast.patients[0]?.id ?? '', sign: 'sign' }],
  audit: [
    { action: 'embedded_storage.save_exchange_token', user, patient: null, outcome: 'ok' },
    { action: 'embedded_storage.authenticate', user, patient: 'p', outcome: 'ok' },
    { action: 'patient.get_patient', user, patient: 'p', outcome: 'ok' },
    { action: 'embedded_storage.remove_auth_info', user, patient: null, outcome: 'ok' },
  ],
};

async function rulesBroken(rows: Rows, more: readonly t.Line[] = [], windows: readonly FaultWindow[] = []) {
  const groups = [{ cast, history: t.historyOf([...lines, ...more]) }];
  const { violations } = await judge({ groups, rows, windows });
  return violations.map(({ rule }) => rule);
}

test('a ledger and a database that agree break nothing', async () => {
  expect(await rulesBroken(sound)).toEqual([]);
});

test('a row that nobody asked for is found, in every table', async () => {
  const [session] = sound.sessions;
  const [exchange] = sound.exchanges;
  if (!session || !exchange) throw new Error('There are rows to start from.');
  for (const rows of [
    { ...sound, sessions: [...sound.sessions, { ...session, hash: hash('elsewhere') }] },
    { ...sound, exchanges: [...sound.exchanges, { ...exchange, hash: hash('elsewhere') }] },
    { ...sound, links: [...sound.links, { user: 'nobody', patient: 'p', sign: 's' }] },
    {
      ...sound,
      audit: [...sound.audit, { action: 'patient.get_patient', user: 'nobody', patient: null, outcome: 'ok' }],
    },
  ])
    expect(await rulesBroken(rows)).toEqual(['stray-row']);
});

test('rows that lack what was acknowledged are found', async () => {
  for (const table of ['sessions', 'exchanges', 'links'] as const)
    expect(await rulesBroken({ ...sound, [table]: [] })).toEqual(['no-order-explains']);
});

test('a row of one group under the name of another is found', async () => {
  const links = sound.links.map((link) => ({ ...link, patient: 'torture-p-999' }));
  expect(await rulesBroken({ ...sound, links })).toEqual(['no-order-explains']);
  const sessions = sound.sessions.map((session) => ({ ...session, user: 'torture-9-0', ended: false }));
  expect(await rulesBroken({ ...sound, sessions })).toEqual(['no-order-explains']);
});

test('every acknowledged change has an entry in the audit, and there is none too many', async () => {
  for (const [index] of sound.audit.entries())
    expect(await rulesBroken({ ...sound, audit: sound.audit.filter((_, other) => other !== index) })).toEqual([
      'audit-entry-missing',
    ]);
  for (const entry of sound.audit) {
    expect(await rulesBroken({ ...sound, audit: [...sound.audit, entry] })).toEqual(['audit-entry-invented']);
    const audit = sound.audit.map((other) => (other === entry ? { ...entry, user: otherUser } : other));
    expect(await rulesBroken({ ...sound, audit })).toEqual(['audit-entry-missing', 'audit-entry-invented']);
  }
});

test('an exchange token that was perhaps saved for two users may have opened the session of either', async () => {
  const both: t.Line = { ...t.save(0, 1, 0), outcome: t.unknown, at: 0 };
  const kill = { kind: 'kill', from: 0, until: 10 };
  expect(await rulesBroken(sound, [both], [kill])).toEqual([]);
});

test('a crash of the database may take the entry of an access before it, and of no change', async () => {
  const crash = { kind: 'restart-kill', from: 60, until: 70 };
  const without = (action: string) => ({ ...sound, audit: sound.audit.filter((entry) => entry.action !== action) });
  expect(await rulesBroken(without('patient.get_patient'), [], [crash])).toEqual([]);
  expect(await rulesBroken(without('patient.get_patient'), [], [{ ...crash, kind: 'restart-fast' }])).toEqual([
    'audit-entry-missing',
  ]);
  expect(await rulesBroken(without('embedded_storage.remove_auth_info'), [], [crash])).toEqual(['audit-entry-missing']);
});

test('a call that failed must have a fault to blame, of its process and its time', async () => {
  const failed: t.Line = { ...t.read(0, 0), outcome: t.unknown };
  const kill = { kind: 'kill', process: 'ehr-1#1', from: 42, until: 43 };
  expect(await rulesBroken(sound, [failed])).toEqual(['failure-without-fault']);
  expect(await rulesBroken(sound, [failed], [kill])).toEqual([]);
  expect(await rulesBroken(sound, [failed], [{ kind: 'restart-fast', from: 0, until: 100 }])).toEqual([]);
  expect(await rulesBroken(sound, [failed], [{ ...kill, process: 'ehr-2#1' }])).toEqual(['failure-without-fault']);
  expect(await rulesBroken(sound, [failed], [{ ...kill, from: 50, until: 60 }])).toEqual(['failure-without-fault']);
});

test('a violation shows the history of its group, and no token in clear', async () => {
  const groups = [{ cast, history: t.historyOf(lines) }];
  const { violations } = await judge({ groups, rows: { ...sound, exchanges: [] }, windows: [] });
  const text = JSON.stringify(violations);
  expect(violations[0]?.history).toHaveLength(4);
  expect(text).toContain('ehr-1#1 authenticate x0 p0 -> ok p0 s0');
  for (const secret of [...cast.tokens, ...cast.exchanges]) expect(text).not.toContain(secret);
});

import { expect, test } from 'vitest';
import type { CallStep } from '../../steps.ts';
import { Cast, storedForm } from '../load/cast.ts';
import type { CallOutcome, GroupSnapshot, LedgerCall } from './history.ts';
import { type FaultWindow, judge } from './judge.ts';
import { linearize } from './linearize.ts';
import type { StoredRows } from './rows.ts';

type CallLine = { step: CallStep; outcome?: CallOutcome; sign?: number; at?: number; lasts?: number };

const ok: CallOutcome = { kind: 'ok' };
const unknown: CallOutcome = { kind: 'unknown', why: 'SIGKILL' };
const shows = (patient: string, sign = 0): CallOutcome => ({ kind: 'ok', patient, sign });
const refused = (reason: (CallOutcome & { kind: 'refused' })['reason']): CallOutcome => ({
  kind: 'refused',
  reason,
});

const announce = (exchangeToken: string, user = 'u1', token = 't1', outcome: CallOutcome = ok): CallLine => {
  return {
    step: { kind: 'saveExchangeToken', exchangeToken, user, token, ttl: 1, rightDigest: true },
    outcome,
  };
};
const signIn = (exchangeToken: string, patient: string | undefined, outcome: CallOutcome): CallLine => {
  return { step: { kind: 'authenticate', exchangeToken, patient }, outcome };
};
const save = (token: string, sign: number, outcome: CallOutcome = ok): CallLine => {
  return { step: { kind: 'saveAuthInfo', user: 'u1', token, ttl: 1, signOf: 'u1' }, sign, outcome };
};
const of = (
  kind: 'getPatient' | 'removeAuthInfo' | 'removeAuthentication',
  outcome: CallOutcome,
): CallLine => {
  return { step: { kind, user: 'u1', token: 't1' }, outcome };
};

/** Calls that follow one another, unless a line says when it starts or how long it lasts. */
function callsOf(lines: readonly CallLine[]): LedgerCall[] {
  return lines.map(({ step, outcome = ok, sign = -1, at, lasts = 5 }, index) => {
    const invoked = at ?? index * 10;
    const returned = outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : invoked + lasts;
    const times = { invoked, returned, sentAt: invoked, answeredAt: invoked + lasts };
    return { id: index + 1, step, sign, process: 'ehr-1#1', outcome, ...times };
  });
}

const verdict = (lines: readonly CallLine[], rows?: GroupSnapshot) => linearize(callsOf(lines), rows).kind;
const linked = [announce('x1'), signIn('x1', 'p0', shows('p0'))];
const rows: GroupSnapshot = {
  links: { u1: { patient: 'p0', sign: 0 } },
  sessions: { t1: { user: 'u1', recorded: false, ended: false } },
  exchanges: { x1: { user: 'u1', token: 't1', failures: 0, used: true } },
};

test('overlapping calls may have happened in either order, others in theirs', () => {
  const race = (at: number) => [
    ...linked,
    { ...of('removeAuthInfo', ok), at },
    { ...of('getPatient', shows('p0')), at: 32 },
  ];
  expect([verdict(race(30)), verdict(race(20))]).toEqual(['explained', 'unexplained']);
});

test('a call of unknown outcome may have worked late, early or never', () => {
  const cut = announce('x1', 'u1', 't1', unknown);
  const miss = signIn('x1', undefined, refused('exchange_token_unknown'));
  const hit = signIn('x1', undefined, refused('patient_not_matched'));
  for (const lines of [
    [miss, miss],
    [hit, hit],
    [miss, hit],
  ])
    expect(verdict([cut, ...lines])).toBe('explained');
  expect(verdict([cut, hit, miss])).toBe('unexplained');
});

test('a link has the signature that shows first, a new link another', () => {
  const cut = [announce('x1'), signIn('x1', 'p0', unknown)];
  expect(verdict([...cut, of('getPatient', shows('p0', 4)), of('getPatient', shows('p0', 4))])).toBe(
    'explained',
  );
  expect(verdict([...cut, of('getPatient', shows('p0', 4)), of('getPatient', shows('p0', 5))])).toBe(
    'unexplained',
  );
  const again = [...linked, of('removeAuthentication', ok), announce('x2')];
  expect(verdict([...again, signIn('x2', 'p0', shows('p0', 1))])).toBe('explained');
  expect(verdict([...again, signIn('x2', 'p0', shows('p0', 0))])).toBe('unexplained');
  expect(verdict([...linked, save('t2', 0), save('t3', 1, refused('not_authorized'))])).toBe('explained');
  expect(verdict([...linked, save('t2', 1)])).toBe('unexplained');
});

test('nothing is used, saved or linked twice', () => {
  const again: CallLine[] = [
    signIn('x1', 'p0', shows('p0')),
    announce('x1'),
    { ...save('t1', 0), at: 40 },
    { step: { kind: 'getPatient', user: 'u2', token: 't1' }, outcome: shows('p0') },
  ];
  expect(again.map((line) => verdict([...linked, save('t1', 0), { ...line, at: 50 }]))).toEqual(
    Array(4).fill('unexplained'),
  );
  const other = [announce('x2', 'u2', 't2'), signIn('x2', 'p0', shows('p0', 1))];
  expect(verdict([...linked, ...other])).toBe('unexplained');
  expect(verdict([...linked, of('removeAuthentication', unknown), ...other])).toBe('explained');
});

test('what was acknowledged is not lost, and what was removed stays so', () => {
  const lost = of('getPatient', refused('not_authorized'));
  expect(verdict([...linked, lost])).toBe('unexplained');
  expect(verdict([...linked, of('removeAuthInfo', unknown), lost])).toBe('explained');
  expect(verdict([...linked, of('removeAuthInfo', ok), of('getPatient', shows('p0'))])).toBe('unexplained');
});

test('the database must hold what the calls lead to', () => {
  expect(verdict(linked, rows)).toBe('explained');
  const [session, exchange] = [rows.sessions.t1, rows.exchanges.x1];
  if (!session || !exchange) throw new Error('There are rows to start from.');
  const wrong: Partial<GroupSnapshot>[] = [
    { links: {} },
    { links: { u1: { patient: 'p1', sign: 0 } } },
    { links: { u1: { patient: 'p0', sign: 9 } } },
    { sessions: {} },
    { sessions: { t1: { ...session, ended: true } } },
    { sessions: { t1: { ...session, user: 'u2' } } },
    { sessions: { t1: { ...session, recorded: true } } },
    { sessions: { t1: session, t2: session } },
    { exchanges: { x1: { ...exchange, used: false } } },
    { exchanges: { x1: { ...exchange, failures: 1 } } },
    { exchanges: {} },
  ];
  expect(wrong.map((change) => verdict(linked, { ...rows, ...change }))).toEqual(
    wrong.map(() => 'unexplained'),
  );
  // What it holds decides whether a call of unknown outcome worked.
  const cut = [...linked, save('t1', 0, unknown)];
  expect(verdict(cut, rows)).toBe('explained');
  expect(verdict(cut, { ...rows, sessions: { t1: { ...session, recorded: true } } })).toBe('explained');
});

test('a search that would take too long says that it knows nothing', () => {
  const calls = Array.from({ length: 6 }, (_, n) => ({
    ...announce(`x${n}`, 'u1', `t${n}`),
    at: n,
    lasts: 100,
  }));
  const read = { ...of('getPatient', shows('p0')), at: 200 };
  expect(linearize(callsOf([...calls, read]), undefined, 10).kind).toBe('undecided');
});

const SECRET = { user: 'auth-server', password: 'secret' };

/** Judges the history of one group with what the database holds of it. */
async function rulesBroken(
  change: Partial<StoredRows>,
  more: readonly CallLine[] = [],
  windows: FaultWindow[] = [],
) {
  const cast = new Cast(0, 1);
  const names = cast.namesFor(SECRET, 0);
  const [user, token, exchange] = [names.user('u1'), names.token('t1'), names.exchangeToken('x1')];
  const [hash, id] = [storedForm(token), `torture-p-${0}`];
  cast.signNumber('sign');
  const entry = (action: string) => ({ action: `embedded_storage.${action}`, user, outcome: 'ok' });
  const stored: StoredRows = {
    sessions: [{ hash, user, recorded: false, ended: false }],
    exchanges: [{ hash: storedForm(exchange), user, sessionHash: hash, failures: 0, used: true }],
    links: [{ user, patient: id, sign: 'sign' }],
    audit: [entry('save_exchange_token'), entry('authenticate')],
  };
  const groups = [{ cast, history: { group: 0, calls: callsOf([...linked, ...more]) } }];
  const { violations } = await judge({ groups, rows: { ...stored, ...change }, windows });
  expect(JSON.stringify(violations)).not.toContain(token);
  return violations.map(({ rule }) => rule);
}

test('a row that nobody asked for is found, and one that is missing', async () => {
  expect(await rulesBroken({})).toEqual([]);
  const stranger = { user: 'nobody', patient: 'p', sign: 's' };
  expect(await rulesBroken({ links: [stranger] })).toEqual(['stray-row', 'no-order-explains']);
  expect(await rulesBroken({ sessions: [] })).toEqual(['no-order-explains']);
  expect(await rulesBroken({ audit: [] })).toEqual(['audit-entry-missing', 'audit-entry-missing']);
  const audit = Array(2).fill({ action: 'patient.get_patient', user: 'torture-0-u1', outcome: 'ok' });
  expect(await rulesBroken({ audit })).toContain('audit-entry-invented');
});

test('a crash of the database may take audit entries of accesses alone', async () => {
  const crash = { kind: 'restart-kill', from: 60, until: 70 };
  const read = of('getPatient', shows('p0'));
  expect(await rulesBroken({}, [read], [crash])).toEqual([]);
  expect(await rulesBroken({}, [read], [{ ...crash, kind: 'restart-fast' }])).toEqual([
    'audit-entry-missing',
  ]);
  expect(await rulesBroken({ audit: [] }, [], [crash])).toEqual([
    'audit-entry-missing',
    'audit-entry-missing',
  ]);
});

test('a failed call must have a fault of its process and time', async () => {
  const failed = of('getPatient', unknown);
  const kill = { kind: 'kill', process: 'ehr-1#1', from: 22, until: 23 };
  expect(await rulesBroken({}, [failed])).toEqual(['failure-without-fault']);
  expect(await rulesBroken({}, [failed], [kill])).toEqual([]);
  expect(await rulesBroken({}, [failed], [{ ...kill, process: 'ehr-2#1' }])).toEqual([
    'failure-without-fault',
  ]);
  expect(await rulesBroken({}, [failed], [{ ...kill, from: 50, until: 60 }])).toEqual([
    'failure-without-fault',
  ]);
});

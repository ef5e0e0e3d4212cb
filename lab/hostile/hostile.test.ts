import { expect, onTestFinished, test } from 'vitest';
import { type AuthConfig, readAuthConfig } from '#mock-auth-server/config.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import { manualClock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { createLog } from '#service/process/log.ts';
import { testEnvironment } from '#testing/fixtures.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';
import { ATTACKS, type AttackName, attackOf } from './attacks.ts';
import { Attacker, measure } from './callers.ts';
import { brokenBy } from './judge.ts';

async function victim(party: 'auth' | undefined) {
  if (party === 'auth') {
    const server = await createAuthServer({
      config: readAuthConfig([], testEnvironment) as AuthConfig,
      clock: manualClock(),
      random: systemRandom,
      log: createLog('auth-server', 'silent'),
    });
    onTestFinished(() => server.stop());
    const call = callText({ id: 1, method: 'auth.exchange_token', cred: { user: 'u', token: 't' } });
    return { port: server.port, path: '/', bodyLimit: 64 * 1024, call, answer: '"not_authorized"' };
  }
  const ehr = await linkedEhr();
  const { port, pathname } = new URL(ehr.ehr.endpoint);
  const call = callText({ id: 1, method: 'patient.get_patient', params: {}, cred: ehr.cred });
  return { port: Number(port), path: pathname, bodyLimit: 1024 * 1024, call, answer: '"result"' };
}

/** The connections of these attacks may be cut before a reply. */
const CUT: readonly AttackName[] = ['pipelining'];
/** The statuses of the server's replies to attackers, where it replies at all. */
const EXPECTED_STATUSES: Readonly<Record<AttackName, readonly string[]>> = {
  idle: [],
  'slow-headers': [],
  'slow-bodies': [],
  'half-closed': ['200', '400'],
  'oversized-headers': ['431'],
  pipelining: ['200'],
  'large-bodies': ['413'],
  'never-read': [],
  'costly-bodies': ['200', '413'],
  'costly-bodies-auth': ['200', '413'],
};

for (const attack of Object.keys(ATTACKS) as AttackName[]) {
  test(`under ${attack} other callers are answered, and attackers are told no more`, async () => {
    const target = await victim(attackOf(attack).party);
    const connections = 16;
    const attacker = new Attacker({ attack, connections, target }, systemClock);
    onTestFinished(() => void attacker.stop());
    await attacker.standing;
    const latencies = await measure({ target, milliseconds: 300 }, systemClock, () => systemClock.now());
    expect(latencies).toMatchObject({ failed: 0, calls: expect.toSatisfy((calls) => calls > 0) });
    const expected = EXPECTED_STATUSES[attack];
    if (expected.length > 0 && !CUT.includes(attack))
      await expect.poll(() => Object.keys(attacker.report.replies).toSorted()).toEqual(expected);
    const report = attacker.stop();
    expect(report.made).toBeGreaterThanOrEqual(connections);
    expect(Object.keys(report.replies).filter((status) => !expected.includes(status))).toEqual([]);
  });
}

const MEMORY = { used: 50 * 2 ** 20, resident: 100 * 2 ** 20 };
const latencies = { calls: 100, failed: 0, p50: 1, p99: 2 };
const FINE = {
  attack: 'costly-bodies',
  quiet: latencies,
  under: { ...latencies, p50: 2.9 },
  report: { made: 10, failed: 0, replies: {} },
  connections: 10,
  memory: { before: MEMORY, after: MEMORY },
} as const;
const crowd = { ...FINE, attack: 'pipelining' } as const;
const under = (change: Partial<typeof latencies>) => ({ under: { ...latencies, ...change } });
const after = { used: 70 * 2 ** 20, resident: 300 * 2 ** 20 };

test.each([
  [FINE, []],
  [{ ...FINE, ...under({ p50: 3.1 }) }, ['p50 is 3.1 times that of quiet, and not at most 3.']],
  [{ ...FINE, ...under({ p50: Number.NaN }) }, ['p50 is NaN times that of quiet, and not at most 3.']],
  [{ ...crowd, ...under({ p50: 300, p99: 1_000 }) }, []],
  [{ ...crowd, ...under({ p99: 1_001 }) }, ['p99 is 1001 ms, and not at most 1000.']],
  [{ ...crowd, ...under({ p99: Number.NaN }) }, ['p99 is NaN ms, and not at most 1000.']],
  [{ ...FINE, quiet: { ...latencies, failed: 1 } }, ['1 calls of others failed between the attacks.']],
  [{ ...FINE, ...under({ failed: 2 }) }, ['2 calls of others failed.']],
  [{ ...FINE, connections: 11 }, ['only 10 of 11 connections could be made.']],
  [
    { ...FINE, memory: { before: MEMORY, after } },
    ['20 MiB stayed in use, and not at most 16.', '200 MiB stayed resident, and not at most 128.'],
  ],
] as const)('a row holds only when all limits do', (row, broken) => {
  expect(brokenBy(row)).toEqual(broken);
});

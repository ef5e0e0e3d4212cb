import { join } from 'node:path';
import { expect } from 'vitest';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER, testEnvironment } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { launchParty, populate } from '#testing/programs/processes.ts';
import { proves } from '#testing/proves.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { callerOf, type RpcReply } from '#testing/wire.ts';

const USER = 'u-anna';
const WORKER_COUNT = 8;
/** Acknowledged changes after which the server is killed. */
const CHANGES_BEFORE_KILL = 60;

type Ehr = Awaited<ReturnType<typeof startEhr>>;

/** Starts the server in a process of its own. It is killed at the end of the test. */
async function startEhr(env: Record<string, string>) {
  const { stop, urls } = await launchParty('ehr-server/main.ts', env);
  const call = callerOf<typeof ehrMethods>(`${urls[0]}/1.0-alpha/`);
  const cred = (secret: string) => ({ user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) });
  const authInfo = (token: string) => ({ user: USER, token, ttl: 60 });
  return {
    stop,
    saveExchangeToken: (exchangeToken: string, token: string) =>
      call(
        'embedded_storage.save_exchange_token',
        { exchangeToken, authInfo: authInfo(token) },
        cred(exchangeToken),
      ),
    authenticate: (exchangeToken: string) =>
      call('embedded_storage.authenticate', { exchangeToken, patientProperties: anna }),
    record: (token: string, userSign: string) =>
      call('embedded_storage.save_auth_info', { authInfo: authInfo(token) }, cred(userSign)),
    read: (token: string) => call('patient.get_patient', {}, { user: USER, token }),
    logOut: (token: string) => call('embedded_storage.remove_auth_info', {}, { user: USER, token }),
  };
}

/** What the server acknowledged: by token how far its session came, and the exchange tokens used up. */
type Ledger = {
  sessions: Map<string, 'open' | 'recorded' | 'ended' | 'unknown'>;
  used: string[];
  changes: number;
};

const outcomeOf = ({ error }: RpcReply) => error?.data.reason ?? 'ok';

/** Opens, records and ends sessions until the server is gone. Enters each change once it is acknowledged. */
async function work(ehr: Ehr, name: string, ledger: Ledger): Promise<void> {
  const changes = async (reply: Promise<RpcReply>) => {
    expect(outcomeOf(await reply)).toBe('ok');
    ledger.changes++;
  };
  for (let round = 0; ; round++) {
    const token = `token-${name}-${round}`;
    await changes(ehr.saveExchangeToken(`exchange-${token}`, token));
    const reply = await ehr.authenticate(`exchange-${token}`);
    await changes(Promise.resolve(reply));
    ledger.sessions.set(token, 'open');
    ledger.used.push(`exchange-${token}`);
    if (round % 2 === 0) {
      // The kill may come between the change and its acknowledgement.
      ledger.sessions.set(token, 'unknown');
      await changes(ehr.logOut(token));
      ledger.sessions.set(token, 'ended');
    } else {
      await changes(ehr.record(token, reply.result?.userSign ?? ''));
      ledger.sessions.set(token, 'recorded');
    }
  }
}

/** Kills the server in the middle of the work. */
async function killUnderLoad(ehr: Ehr, ledger: Ledger): Promise<void> {
  const workers = Array.from({ length: WORKER_COUNT }, (_, n) => work(ehr, `${n}`, ledger));
  const ends = Promise.allSettled(workers);
  await expect
    .poll(() => ledger.changes, { timeout: 60_000, interval: 1 })
    .toBeGreaterThan(CHANGES_BEFORE_KILL);
  await ehr.stop('SIGKILL');
  // Each worker was stopped by the broken connection, not by a refusal.
  for (const end of await ends)
    expect(end).toMatchObject({ status: 'rejected', reason: { message: 'fetch failed' } });
}

/** Asks for each session and exchange token of which the server acknowledged what became of it. */
async function expectKept(ehr: Ehr, { sessions, used }: Ledger): Promise<void> {
  const known = [...sessions].filter(([, state]) => state !== 'unknown');
  const recorded = known.find(([, state]) => state === 'recorded')?.[0] ?? '';
  const { userSign = '' } = (await ehr.read(recorded)).result ?? {};
  const found = await Promise.all(
    known.map(async ([token]) => [
      outcomeOf(await ehr.read(token)),
      outcomeOf(await ehr.record(token, userSign)),
    ]),
  );
  const due = known.map(([, state]) => [
    state === 'ended' ? 'not_authorized' : 'ok',
    state === 'open' ? 'ok' : 'token_already_stored',
  ]);
  expect(found).toEqual(due);
  const again = await Promise.all(used.map(async (token) => outcomeOf(await ehr.authenticate(token))));
  expect(new Set(again)).toEqual(new Set(['exchange_token_unknown']));
}

proves(
  ['2.4-remembered', '8-token-used-once'],
  'a server that is killed under load has after its restart what it acknowledged',
  async () => {
    const file = join(folderInMemory(), 'ehr.sqlite');
    populate(file);
    const env = { ...testEnvironment, EHR_DATABASE: file };
    const ledger: Ledger = { sessions: new Map(), used: [], changes: 0 };
    await killUnderLoad(await startEhr(env), ledger);
    await expectKept(await startEhr(env), ledger);
    expect(new Set(ledger.sessions.values())).toContain('ended');
  },
);

import { join } from 'node:path';
import { expect } from 'vitest';
import { testEnvironment } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { launchParty, populate } from '#testing/programs/processes.ts';
import { proves } from '#testing/proves.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { callerOf, type RpcReply } from '#testing/wire.ts';
import { ehrCalls } from '#testing/worlds/linked-ehr.ts';

const USER = 'u-anna';
const WORKER_COUNT = 8;
/** Acknowledged changes after which the server is killed. */
const CHANGES_BEFORE_KILL = 60;

type Ehr = Awaited<ReturnType<typeof startEhr>>;

/** Starts the server in a process of its own. It is killed at the end of the test. */
async function startEhr(env: Record<string, string>) {
  const { stop, urls } = await launchParty('ehr-server/main.ts', env);
  return { stop, ...ehrCalls(callerOf(`${urls[0]}/1.0-alpha/`)) };
}

const credOf = (token: string) => ({ user: USER, token });
const sessionOf = (token: string) => ({ ...credOf(token), ttl: 60 });

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
    await changes(ehr.saveExchangeToken(`exchange-${token}`, sessionOf(token)));
    const reply = await ehr.authenticate(`exchange-${token}`, anna);
    await changes(Promise.resolve(reply));
    ledger.sessions.set(token, 'open');
    ledger.used.push(`exchange-${token}`);
    if (round % 2 === 0) {
      // The kill may come between the change and its acknowledgement.
      ledger.sessions.set(token, 'unknown');
      await changes(ehr.call('embedded_storage.remove_auth_info', {}, credOf(token)));
      ledger.sessions.set(token, 'ended');
    } else {
      await changes(ehr.saveAuthInfo(sessionOf(token), reply.result?.userSign ?? ''));
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
  const { userSign = '' } = (await ehr.read(credOf(recorded))).result ?? {};
  const found = await Promise.all(
    known.map(async ([token]) => [
      outcomeOf(await ehr.read(credOf(token))),
      outcomeOf(await ehr.saveAuthInfo(sessionOf(token), userSign)),
    ]),
  );
  const due = known.map(([, state]) => [
    state === 'ended' ? 'not_authorized' : 'ok',
    state === 'open' ? 'ok' : 'token_already_stored',
  ]);
  expect(found).toEqual(due);
  const again = await Promise.all(used.map(async (token) => outcomeOf(await ehr.authenticate(token, anna))));
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

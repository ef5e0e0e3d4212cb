import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Outcome, StateModel, type Step } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { digest } from '#protocol/wire/digest.ts';
import { openSqlite } from '#service/sqlite.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { unlinkedEhr } from '#testing/linked-ehr.ts';
import { alyoshin, anna, ivan } from '#testing/people.ts';
import { runOn } from '#testing/postgres/databases.ts';
import { proves } from '#testing/proves.ts';
import { usePostgres } from '#testing/use-postgres.ts';
import type { RpcReply } from '#testing/wire.ts';

const patients: Record<string, Record<string, unknown>> = { anna, ivan, alyoshin };
const user = fc.constantFrom('u-1', 'u-2', 'u-3');
const token = fc.constantFrom('t-1', 't-2', 't-3', 't-4');
const exchangeToken = fc.constantFrom('x-1', 'x-2', 'x-3', 'x-4', 'x-5', 'x-6');
const ttl = fc.integer({ min: 1, max: 15 });
const mostly = (rarely: number) => fc.nat(rarely).map((draw) => draw !== 0);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('saveExchangeToken' as const),
      exchangeToken,
      user,
      token,
      ttl,
      rightDigest: mostly(9),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('authenticate' as const),
      exchangeToken,
      patient: fc.option(fc.constantFrom(...Object.keys(patients)), { nil: undefined, freq: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(user, token, ttl, user, mostly(4)).map(([user, token, ttl, other, own]) => ({
      kind: 'saveAuthInfo' as const,
      user,
      token,
      ttl,
      signOf: own ? user : other,
    })),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('getPatient' as const), user, token }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('removeAuthInfo' as const, 'removeAuthentication' as const),
      user,
      token,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.constantFrom(1, 59_999, 60_000, 240_000, 599_999, 600_000),
    }),
  },
);

proves(
  [
    '3-no-session',
    '3-exchange-token-pending',
    '3-authenticated',
    '3-exchange-token-remembered',
    '3-authenticate-opens',
    '3-save-opens',
    '3-repeated-save-changes-nothing',
    '3-logout-ends-session',
    '3-disconnect-ends-session',
    'D11-session-boundary',
    'D11-exchange-token-boundary',
    'D15-sign-per-link',
    'D15-sign-renewed',
    'D22-relogin-keeps-sign',
    'D14-first-save-records',
    'D14-second-save-refused',
  ],
  'the server answers every sequence of calls and clock jumps as the state table says',
  () => holds({ seed: 20_260_115, numRuns: 150 }, unlinkedEhr),
  60_000,
);

test('the server answers them so on SQLite, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-model-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ehr.sqlite');
  const ehr = await unlinkedEhr({ env: { EHR_DATABASE: file, EHR_RATE_LIMIT: 'off' } });
  const other = openSqlite(file);
  onTestFinished(() => void other.close());
  await holds({ seed: 3, numRuns: 40 }, async () => {
    for (const table of ['sessions', 'exchange_tokens', 'links', 'failed_matches']) other.exec(`DELETE FROM ${table}`);
    return ehr;
  });
}, 60_000);

const postgres = usePostgres();

test('the server answers them so on PostgreSQL, too', async () => {
  const url = await postgres.createDatabase();
  const ehr = await unlinkedEhr({ env: { EHR_DATABASE: url, EHR_RATE_LIMIT: 'off' } });
  await holds({ seed: 3, numRuns: 40 }, async () => {
    await runOn(url, 'TRUNCATE sessions, exchange_tokens, links, failed_matches');
    return ehr;
  });
}, 60_000);

type FreshEhr = () => ReturnType<typeof unlinkedEhr>;

/** Runs sequences on empty servers and on the model, and compares the outcomes. */
async function holds(parameters: { seed: number; numRuns: number }, freshEhr: FreshEhr): Promise<void> {
  const reached = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (steps) => {
      const run = await startRun(freshEhr);
      const model = new StateModel();
      for (const each of steps) {
        const expected = model.take(each);
        expect([each, await run.take(each)]).toEqual([each, expected]);
        reached.set(`${each.kind}: ${expected}`, (reached.get(`${each.kind}: ${expected}`) ?? 0) + 1);
        if (each.kind === 'authenticate' && expected === 'ok') {
          const { user } = model.exchangeTokens.get(each.exchangeToken) as { user: string };
          run.checkSign(`${user}#${model.links.get(user)?.generation}`);
        }
      }
    }),
    parameters,
  );
  // The sequences must reach the rare outcomes. A generator that misses them would prove nothing.
  expect([...reached.keys()].sort()).toEqual(EVERY_OUTCOME);
}

const EVERY_OUTCOME = [
  'advance: ok',
  ...[
    'exchange_token_expired',
    'exchange_token_unknown',
    'ok',
    'patient_already_linked',
    'patient_already_matched',
    'patient_not_matched',
    'token_already_stored',
  ].map((outcome) => `authenticate: ${outcome}`),
  ...['not_authorized', 'ok', 'session_expired'].flatMap((outcome) =>
    ['getPatient', 'removeAuthInfo', 'removeAuthentication'].map((kind) => `${kind}: ${outcome}`),
  ),
  ...['not_authorized', 'ok', 'token_already_stored', 'user_unknown'].map((outcome) => `saveAuthInfo: ${outcome}`),
  ...['exchange_token_already_stored', 'not_authorized', 'ok', 'token_already_stored'].map(
    (outcome) => `saveExchangeToken: ${outcome}`,
  ),
].sort();

/** Starts a fresh server, with the steps of the model as calls. */
async function startRun(freshEhr: FreshEhr) {
  const ehr = await freshEhr();
  /** The newest signature of each user, and the link of each signature. */
  const signOfUser = new Map<string, string>();
  const linkOfSign = new Map<string, string>();
  let lastSign = '';
  const users = new Map<string, string>();

  async function send(step: Step): Promise<RpcReply | undefined> {
    switch (step.kind) {
      case 'advance':
        ehr.clock.advance(step.ms);
        return undefined;
      case 'saveExchangeToken': {
        const { exchangeToken, user, token, ttl, rightDigest } = step;
        const cred = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, rightDigest ? exchangeToken : 'other') };
        const reply = await ehr.toInternal(
          'embedded_storage.save_exchange_token',
          { exchangeToken, authInfo: { user, token, ttl } },
          cred,
        );
        if (reply.result) users.set(exchangeToken, user);
        return reply;
      }
      case 'authenticate': {
        const patientProperties = step.patient === undefined ? { ...anna, name: 'Nobody' } : patients[step.patient];
        const reply = await ehr.call('embedded_storage.authenticate', {
          exchangeToken: step.exchangeToken,
          patientProperties,
        });
        if (reply.result) {
          lastSign = reply.result.userSign;
          signOfUser.set(users.get(step.exchangeToken) as string, lastSign);
        }
        return reply;
      }
      case 'saveAuthInfo': {
        const { user, token, ttl, signOf } = step;
        return ehr.saveAuthInfo({ user, token, ttl }, signOfUser.get(signOf) ?? 'none');
      }
      case 'getPatient':
        return ehr.call('patient.get_patient', {}, step);
      case 'removeAuthInfo':
        return ehr.call('embedded_storage.remove_auth_info', {}, step);
      case 'removeAuthentication':
        return ehr.call('embedded_storage.remove_authentication', {}, step);
    }
  }

  return {
    async take(step: Step): Promise<Outcome> {
      const reply = await send(step);
      return reply?.error ? reply.error.data.reason : 'ok';
    },
    /** Checks that one link has one signature, and that no two links share one. */
    checkSign(link: string) {
      expect(linkOfSign.get(lastSign) ?? link).toBe(link);
      linkOfSign.set(lastSign, link);
      expect([...linkOfSign].filter(([, owner]) => owner === link)).toHaveLength(1);
    },
  };
}

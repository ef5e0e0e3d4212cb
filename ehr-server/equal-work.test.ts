import { expect, test, vi } from 'vitest';
import { testEnvironment } from '#e2e/fixtures.ts';
import { manualClock } from '#protocol/clock.ts';
import type { CredKind } from '#protocol/method-spec.ts';
import { createVerifier } from './authenticate.ts';
import { readEhrConfig } from './config.ts';
import type { Context } from './context.ts';
import type { Store } from './store/store.ts';

const counted = vi.hoisted(() => ({ hashes: 0, digests: 0, comparisons: 0 }));

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const hash = (...given: Parameters<typeof crypto.hash>) => {
    if (given[0] === 'sha1') counted.digests++;
    else counted.hashes++;
    return crypto.hash(...given);
  };
  const timingSafeEqual: typeof crypto.timingSafeEqual = (...given) => {
    counted.comparisons++;
    return crypto.timingSafeEqual(...given);
  };
  return { ...crypto, hash, timingSafeEqual };
});

/** A verifier over one session and one link, and what a refusal costs it. */
function verifierOfOne() {
  const config = readEhrConfig([], testEnvironment);
  if (!config) throw new Error('No settings were read.');
  const lookups: string[] = [];
  const link = { user: 'u-anna', patientId: 'p', userSign: 's'.repeat(43) };
  const stored = { link, expiresAt: Number.POSITIVE_INFINITY };
  let known: Buffer | undefined;
  const found = <T>(what: T | undefined) => {
    lookups.push(what ? 'hit' : 'miss');
    return what;
  };
  const store: Pick<Store, 'findSession' | 'findLink'> = {
    // The first token that is asked for is the one that is stored.
    findSession(tokenHash) {
      known ??= Buffer.from(tokenHash);
      return found(known.equals(tokenHash) ? stored : undefined);
    },
    findLink: (user) => found(user === link.user ? link : undefined),
  };
  const random = () => Uint8Array.of(0);
  const context: Context = { store: store as Store, mis: {} as Context['mis'], clock: manualClock(), random, config };
  const verify = createVerifier(context);
  return async (kind: CredKind, user: string, token: string, params: object) => {
    lookups.length = 0;
    Object.assign(counted, { hashes: 0, digests: 0, comparisons: 0 });
    const reason = await (async () => verify(kind, { user, token }, { ...params }))().then(
      () => 'ok',
      (error: { reason: string }) => error.reason,
    );
    return { reason, lookups: [...lookups].sort(), ...counted };
  };
}

/** After the first refusals the ring of keys that were found has some. */
async function warm(refuse: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < 600; count++) await refuse();
}

const wrong = 'f'.repeat(40);

test("another user's token costs the same work as an unknown token", async () => {
  const verify = verifierOfOne();
  const foreign = () => verify('session', 'u-oleg', 'token-anna', {});
  await warm(foreign);
  const expected = await foreign();
  expect(expected).toMatchObject({ reason: 'not_authorized', lookups: ['hit', 'miss'], hashes: 1, comparisons: 1 });
  expect(await verify('session', 'u-oleg', 'token-none', {})).toEqual(expected);
});

test('a wrong digest costs the same work as an unknown internal user, whoever the user is', async () => {
  const verify = verifierOfOne();
  const save = (caller: string, user: string) => verify('user_sign_digest', caller, wrong, { authInfo: { user } });
  await warm(() => save('auth-server', 'u-anna'));
  const expected = await save('auth-server', 'u-anna');
  expect(expected).toMatchObject({ reason: 'not_authorized', lookups: ['hit', 'miss'], digests: 1, comparisons: 2 });
  expect(await save('auth-servex', 'u-anna')).toEqual(expected);
  expect(await save('auth-servex', 'u-none')).toEqual(expected);
  // Who knows the internal user is told, by decision, and at the same cost.
  expect(await save('auth-server', 'u-none')).toEqual({ ...expected, reason: 'user_unknown' });
});

test('a wrong digest of an exchange token costs the same work as an unknown internal user', async () => {
  const verify = verifierOfOne();
  const save = (caller: string) => verify('exchange_token_digest', caller, wrong, { exchangeToken: 'x' });
  const expected = await save('auth-server');
  expect(expected).toMatchObject({ reason: 'not_authorized', lookups: [], digests: 1, comparisons: 2 });
  expect(await save('auth-servex')).toEqual(expected);
});

test('a call with the right credentials makes one lookup', async () => {
  const verify = verifierOfOne();
  expect(await verify('session', 'u-anna', 'token-anna', {})).toMatchObject({ reason: 'ok', lookups: ['hit'] });
});

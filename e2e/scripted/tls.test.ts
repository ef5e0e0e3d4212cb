import { expect, test } from 'vitest';
import { createAuthority } from '#service/tls/testing-certificates.ts';
import * as people from '#testing/people.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { useTlsWorld } from '#testing/worlds/tls-world.ts';
import { claims } from '../threats/claims.ts';

/** Part of the log line of a call through the internal channel. */
const INTERNAL_CALL_LOGGED = 'save_exchange_token","channel":"internal"';

test('a patient signs in and links with TLS on every way', async () => {
  const authority = await createAuthority();
  const own = await authority.issue('auth-server');
  const env = { EHR_INTERNAL_TLS_CLIENT_NAME: 'auth-server' };
  const { ehr, auth, proxies, client, logged } = await useTlsWorld({ authority, client: own, env });
  expect([ehr.url, ehr.internalUrl, auth.url].map((url) => new URL(url).protocol)).toEqual(
    Array(3).fill('https:'),
  );
  await client.connect(people.anna);
  expect(resultOf(await client.getPatient()).patient).toMatchObject({ surname: people.anna.surname });
  expect(logged()).toContain(INTERNAL_CALL_LOGGED);
  const first = client.authInfo?.token;
  expect(await client.signIn()).toEqual({ linked: true });
  expect(resultOf(await client.getPatient()).patient).toMatchObject({ surname: people.anna.surname });
  const { authToEhr } = proxies;
  const wire = Buffer.concat([authToEhr.received(), authToEhr.answered()]).toString('latin1');
  expect(wire.length).toBeGreaterThan(1_000);
  for (const secret of [first, client.authInfo?.token, client.userSign, 'save_exchange_token', 'HTTP/1.1'])
    expect(wire).not.toContain(secret);
});

claims(['T-password-7'], 'an authorization server without the right certificate gets nothing', async () => {
  const [authority, other] = [await createAuthority(), await createAuthority()];
  for (const [shown, errorCode] of [
    [undefined, 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE'],
    [await other.issue('auth-server'), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ] as const) {
    const { client, logged } = await useTlsWorld({ authority, ...(shown && { client: shown }) });
    await client.signIn();
    expect(reasonOf(await client.exchangeToken())).toBe('ehr_unreachable');
    expect(logged()).toContain(`"errorCode":"${errorCode}"`);
    expect(logged()).not.toContain(INTERNAL_CALL_LOGGED);
  }
});

claims(['T-password-7'], 'a certificate of another name is refused by HTTP 403', async () => {
  const authority = await createAuthority();
  const env = { EHR_INTERNAL_TLS_CLIENT_NAME: 'auth-server' };
  const { client, logged } = await useTlsWorld({ authority, client: await authority.issue('another'), env });
  await client.signIn();
  expect(reasonOf(await client.exchangeToken())).toBe('ehr_bad_reply');
  expect(logged()).toContain('The HTTP status is 403.');
  expect(logged()).not.toContain(INTERNAL_CALL_LOGGED);
});

claims(['T-network-9'], 'an EHR server with a foreign certificate is not called', async () => {
  const [authority, other] = [await createAuthority(), await createAuthority()];
  const own = await authority.issue('auth-server');
  const { client, logged } = await useTlsWorld({ authority, client: own, env: { AUTH_EHR_CA: other.ca } });
  await client.signIn();
  expect(reasonOf(await client.exchangeToken())).toBe('ehr_unreachable');
  expect(logged()).toContain('"detail":"SELF_SIGNED_CERT_IN_CHAIN"');
});

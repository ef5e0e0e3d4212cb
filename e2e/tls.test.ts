import { expect, onTestFinished, test } from 'vitest';
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { openEhrFetch } from '#mock-auth-server/ehr-tls.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import type { authMethods } from '#protocol/auth-methods.ts';
import { manualClock } from '#protocol/clock.ts';
import type { ehrMethods } from '#protocol/ehr-methods.ts';
import { seededRandom } from '#protocol/random.ts';
import { createLog } from '#service/log.ts';
import { type Authority, type CertificateFiles, createAuthority } from '#service/testing-certificates.ts';
import { personaMis, testEnvironment } from './fixtures.ts';
import * as people from './people.ts';
import { startRecorder } from './recorder.ts';
import { ScriptedClient } from './scripted-client.ts';
import { callerOf, reasonOf, resultOf } from './wire.ts';

const PHONE = '79990000001';
/** What the log says of a call that came in through the internal channel. */
const CARRIED_OUT = 'save_exchange_token","channel":"internal"';

type Setup = {
  authority: Authority;
  /** What the authorization server shows on the internal channel. */
  client?: CertificateFiles;
  env?: Record<string, string>;
};

/** Both servers over TLS, the internal channel with client certificates, and a tap on that channel. */
async function tlsWorld({ authority, client, env = {} }: Setup) {
  const server = await authority.issue('server');
  const tap = await startRecorder();
  const environment = {
    ...testEnvironment,
    EHR_INTERNAL_PORT: '0',
    EHR_TLS_CERT: server.cert,
    EHR_TLS_KEY: server.key,
    EHR_INTERNAL_TLS_CLIENT_CA: authority.ca,
    AUTH_TLS_CERT: server.cert,
    AUTH_TLS_KEY: server.key,
    AUTH_EHR_URL: tap.url.replace('http:', 'https:'),
    AUTH_EHR_CA: authority.ca,
    ...(client && { AUTH_EHR_CLIENT_CERT: client.cert, AUTH_EHR_CLIENT_KEY: client.key }),
    ...env,
  };
  const [ehrConfig, authConfig] = [readEhrConfig([], environment), readAuthConfig([], environment)];
  if (!ehrConfig || !authConfig) throw new Error('No settings were read.');
  const clock = manualClock();
  const lines: string[] = [];
  const log = createLog('tls', 'debug', { write: (line) => void lines.push(line) });
  const parts = { clock, log };
  const ehr = await createEhr({ ...parts, config: ehrConfig, random: seededRandom(1), mis: personaMis() });
  tap.retarget(ehr.internalUrl);
  const auth = await createAuthServer({ ...parts, config: authConfig, random: seededRandom(2) });
  // A client that trusts the authority, as a device would that has it installed.
  const trust = { ehrUrl: ehr.url, ehrCa: authority.ca, ehrClientCert: undefined, ehrClientKey: undefined };
  const browser = await openEhrFetch(trust, clock, log);
  onTestFinished(async () => {
    await auth.stop();
    await ehr.stop();
    await browser?.close();
    await tap.stop();
  });
  const servers = {
    auth,
    toEhr: callerOf<typeof ehrMethods>(ehr.endpoint, browser?.fetch),
    toAuth: callerOf<typeof authMethods>(auth.url, browser?.fetch),
  };
  return { ehr, auth, tap, client: new ScriptedClient(servers, PHONE), logged: () => lines.join('') };
}

test('a patient signs in, links and signs in again with TLS on every way, and the internal channel shows nothing', async () => {
  const authority = await createAuthority();
  const own = await authority.issue('auth-server');
  const env = { EHR_INTERNAL_TLS_CLIENT_NAME: 'auth-server' };
  const { ehr, auth, tap, client, logged } = await tlsWorld({ authority, client: own, env });
  expect([ehr.url, ehr.internalUrl, auth.url].map((url) => new URL(url).protocol)).toEqual(Array(3).fill('https:'));
  await client.connect(people.anna);
  expect(resultOf(await client.getPatient()).patient).toMatchObject({ surname: people.anna.surname });
  expect(logged()).toContain(CARRIED_OUT);
  const first = client.authInfo?.token;
  expect(await client.signIn()).toEqual({ linked: true });
  expect(resultOf(await client.getPatient()).patient).toMatchObject({ surname: people.anna.surname });
  const wire = Buffer.concat([tap.received(), tap.answered()]).toString('latin1');
  expect(wire.length).toBeGreaterThan(1_000);
  for (const secret of [first, client.authInfo?.token, client.userSign, 'save_exchange_token', 'HTTP/1.1']) {
    expect(wire).not.toContain(secret);
  }
});

test('an authorization server without the right certificate gets nothing through the internal channel', async () => {
  const [authority, other] = [await createAuthority(), await createAuthority()];
  for (const [shown, errorCode] of [
    [undefined, 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE'],
    [await other.issue('auth-server'), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ] as const) {
    const { client, logged } = await tlsWorld({ authority, ...(shown && { client: shown }) });
    await client.signIn();
    expect(reasonOf(await client.exchangeToken())).toBe('ehr_unreachable');
    expect(logged()).toContain(`"errorCode":"${errorCode}"`);
    expect(logged()).not.toContain(CARRIED_OUT);
  }
});

test('an authorization server whose certificate has another name is told so by HTTP 403, and its call is not carried out', async () => {
  const authority = await createAuthority();
  const env = { EHR_INTERNAL_TLS_CLIENT_NAME: 'auth-server' };
  const { client, logged } = await tlsWorld({ authority, client: await authority.issue('another'), env });
  await client.signIn();
  expect(reasonOf(await client.exchangeToken())).toBe('ehr_bad_reply');
  expect(logged()).toContain('The HTTP status is 403.');
  expect(logged()).not.toContain(CARRIED_OUT);
});

test('an authorization server calls no EHR server whose certificate comes from elsewhere', async () => {
  const [authority, other] = [await createAuthority(), await createAuthority()];
  const own = await authority.issue('auth-server');
  const { client, logged } = await tlsWorld({ authority, client: own, env: { AUTH_EHR_CA: other.ca } });
  await client.signIn();
  expect(reasonOf(await client.exchangeToken())).toBe('ehr_unreachable');
  expect(logged()).toContain('"detail":"SELF_SIGNED_CERT_IN_CHAIN"');
});

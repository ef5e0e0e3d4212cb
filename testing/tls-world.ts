/**
 * Both servers over TLS for tests, with client certificates on the internal channel and recording proxies on
 * every link between the parties.
 */
import { onTestFinished } from 'vitest';
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { openEhrFetch } from '#mock-auth-server/ehr/ehr-tls.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { createLog } from '#service/process/log.ts';
import type { Authority, CertificateFiles } from '#service/tls/testing-certificates.ts';
import { personaMis, testEnvironment } from './fixtures.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { ScriptedClient } from './scripted-client.ts';
import { callerOf } from './wire.ts';

const PHONE = '79990000001';

type TlsSetup = {
  authority: Authority;
  /** The certificate of the authorization server on the internal channel. */
  client?: CertificateFiles;
  env?: Record<string, string>;
};

/** Starts the servers, with a client that trusts the authority. Everything stops with the test. */
export async function tlsWorld({ authority, client, env = {} }: TlsSetup) {
  const server = await authority.issue('server');
  const proxies = (await Promise.all([1, 2, 3].map(() => startRecordingProxy()))) as [
    RecordingProxy,
    RecordingProxy,
    RecordingProxy,
  ];
  const [proxy, clientToEhr, clientToAuth] = proxies;
  const environment = {
    ...testEnvironment,
    EHR_INTERNAL_PORT: '0',
    EHR_TLS_CERT: server.cert,
    EHR_TLS_KEY: server.key,
    EHR_INTERNAL_TLS_CLIENT_CA: authority.ca,
    AUTH_TLS_CERT: server.cert,
    AUTH_TLS_KEY: server.key,
    AUTH_EHR_URL: overTls(proxy),
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
  proxy.retarget(ehr.internalUrl);
  clientToEhr.retarget(ehr.url);
  const auth = await createAuthServer({ ...parts, config: authConfig, random: seededRandom(2) });
  clientToAuth.retarget(auth.url);
  const opened: { close(): Promise<void> }[] = [];
  /** Returns a `fetch` that trusts the authority and presents a certificate if one is given. */
  const open = async (own?: CertificateFiles): Promise<typeof fetch> => {
    const trust = { ehrUrl: ehr.url, ehrCa: authority.ca, ehrClientCert: own?.cert, ehrClientKey: own?.key };
    const way = await openEhrFetch(trust, clock, log);
    if (!way) throw new Error('An authority was given, so there is a way.');
    opened.push(way);
    return way.fetch;
  };
  // A client that trusts the authority, like a device on which it is installed.
  const browser = await open();
  onTestFinished(async () => {
    await auth.stop();
    await ehr.stop();
    await Promise.all(opened.map((way) => way.close()));
    await Promise.all(proxies.map((each) => each.stop()));
  });
  const path = ehr.endpoint.slice(ehr.url.length);
  const servers = {
    auth,
    toEhr: callerOf<typeof ehrMethods>(overTls(clientToEhr) + path, browser),
    toAuth: callerOf<typeof authMethods>(overTls(clientToAuth), browser),
  };
  return {
    ehr,
    auth,
    /** The proxy on the internal channel. */
    proxy,
    /** The proxies on every channel. */
    proxies,
    open,
    /** The endpoint of the internal channel. */
    internalEndpoint: ehr.internalUrl + path,
    client: new ScriptedClient(servers, PHONE),
    logged: () => lines.join(''),
  };
}

const overTls = ({ url }: RecordingProxy) => url.replace('http:', 'https:');

import { expect, test } from 'vitest';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { createAuthority } from '#service/tls/testing-tls.ts';
import { testEnvironment } from '#testing/fixtures.ts';
import { thrownBy } from '#testing/thrown.ts';
import { ehrAlone } from '#testing/worlds/linked-ehr.ts';
import { readEhrConfig } from '../config.ts';
import { listenerTls } from './tls.ts';

function tlsFor(...argv: string[]) {
  const config = readEhrConfig(argv, testEnvironment);
  if (!config) throw new Error('No settings were read.');
  return listenerTls(config);
}

const problem = (...argv: string[]) => thrownBy(SettingsError, () => tlsFor(...argv)).message;

const OPEN = ['--tls-cert', 'a.pem', '--tls-key', 'a.key'];
const OWN = ['--internal-tls-cert', 'b.pem', '--internal-tls-key', 'b.key'];
const CA = ['--internal-tls-client-ca', 'ca.pem'];
const PORT = ['--internal-port', '0'];
const open = {
  cert: { path: 'a.pem', setting: '--tls-cert (EHR_TLS_CERT)' },
  key: { path: 'a.key', setting: '--tls-key (EHR_TLS_KEY)' },
};
const own = {
  cert: { path: 'b.pem', setting: '--internal-tls-cert (EHR_INTERNAL_TLS_CERT)' },
  key: { path: 'b.key', setting: '--internal-tls-key (EHR_INTERNAL_TLS_KEY)' },
};
const clientCa = { path: 'ca.pem', setting: '--internal-tls-client-ca (EHR_INTERNAL_TLS_CLIENT_CA)' };

test('without settings of TLS both listeners speak plain HTTP', () => {
  expect(tlsFor()).toEqual({});
  expect(tlsFor(...PORT)).toEqual({});
});

test('the internal listener takes the public certificate where it has none of its own', () => {
  expect(tlsFor(...OPEN, ...PORT)).toEqual({ public: open, internal: open });
  expect(tlsFor(...OPEN, ...PORT, ...CA)).toEqual({ public: open, internal: { ...open, clientCa } });
  expect(tlsFor(...OPEN, ...OWN, ...PORT, ...CA)).toEqual({ public: open, internal: { ...own, clientCa } });
  expect(tlsFor(...OWN, ...PORT)).toEqual({ internal: own });
});

test('clients are named by a list', () => {
  const named = tlsFor(...OPEN, ...PORT, ...CA, '--internal-tls-client-name', 'auth, Authorization Server');
  expect(named.internal).toMatchObject({ clientNames: ['auth', 'Authorization Server'] });
  expect(problem(...OPEN, ...PORT, ...CA, '--internal-tls-client-name', ' ,')).toContain(
    'must name at least one client',
  );
  expect(problem(...OPEN, ...PORT, ...CA, '--internal-tls-client-name', '.example.org')).toContain(
    'must be whole names',
  );
});

test('a certificate without its key is refused, and a key without its certificate', () => {
  expect(problem('--tls-cert', 'a.pem')).toBe(
    '--tls-cert (environment variable EHR_TLS_CERT) is given without --tls-key (environment variable EHR_TLS_KEY). Please give both, or neither.',
  );
  expect(problem('--tls-key', 'a.key')).toContain(
    '--tls-key (environment variable EHR_TLS_KEY) is given without --tls-cert',
  );
  expect(problem(...PORT, '--internal-tls-cert', 'b.pem')).toContain('is given without --internal-tls-key');
});

test('settings that need others are refused without them, with what to do', () => {
  expect(problem(...OPEN, ...CA)).toContain(
    '--internal-tls-client-ca (EHR_INTERNAL_TLS_CLIENT_CA) is given without --internal-port (EHR_INTERNAL_PORT)',
  );
  expect(problem(...OWN)).toContain(
    '--internal-tls-cert (EHR_INTERNAL_TLS_CERT) is given without --internal-port',
  );
  expect(problem(...PORT, ...CA)).toContain('Please give --internal-tls-cert and --internal-tls-key');
  expect(problem(...OPEN, ...PORT, '--internal-tls-client-name', 'auth')).toContain(
    'Please name the authority too',
  );
});

test('a key that was given in the place of its file is not repeated', () => {
  const message = problem('--tls-cert', 'a.pem', '--tls-key', '-----BEGIN PRIVATE KEY-----\nsecret\n');
  expect(message).toContain(
    '--tls-key (environment variable EHR_TLS_KEY) must name a file, not hold its contents',
  );
  expect(message).not.toContain('secret');
});

test('a server whose files cannot be used does not start, and says why', async () => {
  const authority = await createAuthority();
  const [one, other] = [await authority.issue('one'), await authority.issue('other')];
  const start = (env: Record<string, string>) => ehrAlone({ env });
  await expect(start({ EHR_TLS_CERT: one.cert, EHR_TLS_KEY: other.key })).rejects.toThrow(
    'is not the key of',
  );
  // The public listener is open at that time, and is closed again.
  const env = { EHR_TLS_CERT: one.cert, EHR_TLS_KEY: one.key, EHR_INTERNAL_PORT: '0' };
  await expect(start({ ...env, EHR_INTERNAL_TLS_CLIENT_CA: one.key })).rejects.toThrow(
    `${one.key} of --internal-tls-client-ca (EHR_INTERNAL_TLS_CLIENT_CA) holds no certificate in PEM format`,
  );
});

import { expect, test } from 'vitest';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { proves } from '#testing/proves.ts';
import { thrownBy } from '#testing/thrown.ts';
import { readAuthConfig } from './config.ts';

const env = { EHR_INTERNAL_USER: 'auth-server', EHR_INTERNAL_PASSWORD: 'пароль' };

const problem = (argv: string[], given: Record<string, string> = env) =>
  thrownBy(SettingsError, () => readAuthConfig(argv, given)).message;

proves(['DA-internal-credentials'], 'internal user and password come from the environment, as they are', () =>
  expect(readAuthConfig([], env)).toMatchObject({ internalUser: 'auth-server', internalPassword: 'пароль' }),
);

test('the defaults are those that are documented', () => {
  expect(readAuthConfig([], env)).toEqual({
    port: 4200,
    host: '127.0.0.1',
    allowedHosts: [],
    database: '.data/auth.sqlite',
    ehrUrl: 'http://127.0.0.1:4100',
    apiVersion: '1.0-alpha',
    internalUser: 'auth-server',
    internalPassword: 'пароль',
    origins: ['http://localhost:4300', 'http://127.0.0.1:4300'],
    codeHost: undefined,
    sessionTtl: 1440,
    ttlUnit: 'minutes',
    otpResendAfter: 30,
    otpPerDay: 50,
    ehrTimeout: 5000,
    withoutCorrespondence: [],
    allowTestLogin: false,
    rateLimit: true,
    ratePerAddress: 200,
    trustedProxies: [],
    bodyLimit: 65536,
    logLevel: 'info',
    controlPort: undefined,
  });
});

test('a missing user or password is named with its remedy, and both at once', () => {
  const message = problem([], {});
  expect(message).toContain(
    '--internal-user (environment variable EHR_INTERNAL_USER) is not set. Please set it',
  );
  expect(message).toContain(
    '--internal-password (environment variable EHR_INTERNAL_PASSWORD) is not set. Please set it',
  );
});

test('a setting that cannot be used is named with what was given', () => {
  expect(problem(['--port', '70000'])).toContain(
    '--port (environment variable AUTH_PORT) must be a whole number from 0 to 65535; given was "70000"',
  );
  expect(problem(['--ehr-url', 'localhost:4100'])).toContain(
    '--ehr-url (environment variable AUTH_EHR_URL) must be an http or https address',
  );
  expect(problem(['--ehr-url', 'http://user:secret@localhost'])).toContain('without user, query or fragment');
  expect(problem(['--without-correspondence', '79990000007,anna'])).toContain(
    'must be comma-separated phone numbers',
  );
  expect(problem(['--ttl-unit', 'hours'])).toContain('must be minutes or seconds');
  expect(problem(['--prot', '4200'])).toContain('--help');
});

test('settings of TLS that do not go together are refused with what to do', () => {
  expect(problem(['--tls-cert', 'a.pem'])).toContain(
    'is given without --tls-key (environment variable AUTH_TLS_KEY)',
  );
  expect(problem(['--ehr-url', 'https://ehr.example.org', '--ehr-client-key', 'a.key'])).toContain(
    'is given without --ehr-client-cert (environment variable AUTH_EHR_CLIENT_CERT)',
  );
  expect(problem(['--ehr-ca', 'ca.pem'])).toBe(
    '--ehr-ca (AUTH_EHR_CA) is given, but --ehr-url (AUTH_EHR_URL) is http://127.0.0.1:4100, which is not encrypted. Please give an https address.',
  );
  expect(problem(['--ehr-client-cert', 'a.pem', '--ehr-client-key', 'a.key'])).toContain(
    'which is not encrypted',
  );
});

test('a password that cannot be used is not repeated', () =>
  expect(problem([], { ...env, EHR_INTERNAL_PASSWORD: 'x'.repeat(1025) })).not.toContain('xxx'));

test('phones without correspondence are taken in any spelling', () => {
  const config = readAuthConfig(['--without-correspondence', '8 (999) 000-00-07, +34 600 000 006'], env);
  expect(config?.withoutCorrespondence).toEqual(['79990000007', '34600000006']);
});

test('codes are bound to the given host, else to that of all origins', () => {
  const hostOf = (...argv: string[]) => readAuthConfig(argv, env)?.codeHost;
  expect(hostOf('--origins', 'https://my.example.org,https://my.example.org:8443')).toBe('my.example.org');
  expect(hostOf('--origins', 'https://a.example.org,https://b.example.org')).toBeUndefined();
  expect(hostOf('--origins', '')).toBeUndefined();
  expect(hostOf('--code-host', 'b.example.org')).toBe('b.example.org');
  // An empty host binds codes to none.
  expect(hostOf('--origins', 'https://my.example.org', '--code-host', '')).toBe('');
  for (const host of ['https://my.example.org', 'my.example.org:8443'])
    expect(problem(['--code-host', host])).toContain('must be a host without a port');
});

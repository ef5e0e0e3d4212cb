import { expect, test } from 'vitest';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { readClientConfig } from './config.ts';

test('the defaults fit the other two parties on the same machine', () => {
  expect(readClientConfig([], {})).toEqual({
    port: 4300,
    host: '127.0.0.1',
    allowedHosts: [],
    ehrUrl: 'http://127.0.0.1:4100',
    apiVersion: '1.0-alpha',
    authUrl: 'http://127.0.0.1:4200',
    smsUrl: undefined,
    ttlUnit: 'minutes',
    logLevel: 'info',
  });
});

test('a flag wins over its variable; the messages page is linked if named', () => {
  const config = readClientConfig(['--port', '0', '--sms-url', 'http://127.0.0.1:4200/sms'], {
    CLIENT_PORT: '1',
    CLIENT_EHR_URL: 'https://ehr.example.org/',
  });
  expect(config).toMatchObject({
    port: 0,
    smsUrl: 'http://127.0.0.1:4200/sms',
    ehrUrl: 'https://ehr.example.org',
  });
});

test('an address that is none is refused with what would do', () => {
  expect(() => readClientConfig(['--auth-url', 'ftp://x'], {})).toThrow(SettingsError);
  expect(() => readClientConfig([], { CLIENT_TTL_UNIT: 'hours' })).toThrow(/minutes or seconds/);
});

test('a certificate without its key is refused', () =>
  expect(() => readClientConfig(['--tls-cert', 'a.pem'], {})).toThrow(
    /is given without --tls-key .*CLIENT_TLS_KEY/,
  ));

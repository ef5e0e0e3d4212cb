import { expect, test } from 'vitest';
import { host as hostInFile } from '#conformance/engine/party/file/fields.ts';
import { readEhrConfig } from '#ehr-server/config.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { readClientConfig } from '#mock-client/config.ts';
import { expectServesUnread, startUnread } from '#testing/programs/use-program.ts';

const secrets = {
  EHR_INTERNAL_USER: 'auth-server',
  EHR_INTERNAL_PASSWORD: 'password-of-the-tests',
  AUTH_EHR_URL: 'http://127.0.0.1:4100',
};
const programs = { ehr: readEhrConfig, auth: readAuthConfig, client: readClientConfig };

test('every program takes an address of version 6 with and without brackets', () => {
  for (const [name, read] of Object.entries(programs)) {
    const hosts = ['::1', '[::1]', '127.0.0.1'].map((host) => read(['--host', host], secrets)?.host);
    expect([name, hosts]).toEqual([name, ['::1', '::1', '127.0.0.1']]);
  }
  expect([hostInFile.parse('[::1]'), hostInFile.parse('localhost')]).toEqual(['::1', 'localhost']);
});

test('every program ends what it says of its settings with the way to help', () => {
  for (const [name, read] of Object.entries(programs))
    for (const flags of [['--port', 'none'], ['--wrong']])
      expect(() => read(flags, secrets), name).toThrow(
        /\nSee "npm run (?:ehr|auth|client) -- --help" for the options\.$/,
      );
});

const RUN = { timeout: 120_000 };

test('help that nobody reads ends quietly', RUN, async () => {
  expect(await startUnread(['site/docs/main.ts', '--help']).ended).toEqual({ code: 0, complaints: '' });
});

test('a server serves without a reader until SIGTERM, and ends with code 0', RUN, () =>
  expectServesUnread('ehr-server/main.ts', 'SIGTERM'),
);

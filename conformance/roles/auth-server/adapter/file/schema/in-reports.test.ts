import { expect, test } from 'vitest';
import { configurationOf } from '../../../../../engine/party/file/fields.ts';
import { loadVariant, PASSWORD } from '../../testing/adapter-file.ts';
import { adapterSchema } from './schema.ts';

const secrets = [
  'header-secret',
  'argument-secret',
  'env-secret',
  'body-secret',
  'query-secret',
  '4711',
  '79990000007',
  PASSWORD,
];

test('the configuration in a report tells how the server was driven, without secrets', async () => {
  const { settings } = await loadVariant(
    {
      server: { start: { command: ['serve', '--key=argument-secret'], env: { KEY: 'env-secret' } } },
      otp: { fixed: { code: '4711' }, lifetimeSeconds: 60, resendAfterSeconds: 0 },
      people: { withoutCorrespondence: '79990000007' },
      steps: {
        logout: {
          method: 'POST',
          path: '/logout?key=query-secret',
          headers: { 'x-key': { env: 'KEY' }, cookie: '${token}' },
          json: { key: 'body-secret' },
        },
        deleteUser: { rpc: 'auth.delete_user' },
        requestOtp: { manual: 'Ask for a code.' },
      },
    },
    { KEY: 'header-secret' },
  );
  const shown = configurationOf(adapterSchema, settings);
  expect(shown).toEqual({
    server: { url: 'http://127.0.0.1:9', start: { command: 'serve' } },
    internal: { user: 'kit' },
    ehr: { apiVersion: '1.0-alpha', configuredIn: 'EHR_URL in its settings' },
    otp: { fixed: 'given', lifetimeSeconds: 60, resendAfterSeconds: 0 },
    people: { phones: '7999555####', withoutCorrespondence: 'named' },
    steps: {
      requestOtp: 'done by a person',
      confirmOtp: 'POST /login',
      exchangeToken: 'POST /exchange',
      reportLink: 'absent: the server learns of links otherwise',
      logout: 'POST /logout',
      deleteUser: 'JSON-RPC auth.delete_user at /',
      removeCorrespondence: 'absent: the file does not describe it',
      advanceClock: 'absent: the file does not describe it',
      expireSession: 'absent: the file does not describe it',
      restart: 'absent: the file does not describe it',
    },
    timeouts: { patienceMs: 15_000, personMs: 300_000 },
  });
  for (const secret of secrets) expect(JSON.stringify(shown)).not.toContain(secret);
});

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { testEnvironment } from '#testing/fixtures.ts';
import { launchParty } from '#testing/programs/processes.ts';
import { proves } from '#testing/proves.ts';

/** The addresses on which each party listens, and what everybody can read there. */
const PARTIES = [
  [
    'ehr-server/main.ts',
    [
      ['/1.0-alpha/', '/healthz'],
      ['/1.0-alpha/', '/metrics', '/readyz'],
    ],
  ],
  ['mock-auth-server/main.ts', [['/', '/outbox', '/sms', '/sms/messages.js']]],
  ['mock-client/main.ts', [['/', '/config.json']]],
] as const;

async function statusOf(url: string, host: string): Promise<number | undefined> {
  const sent = request(url, { headers: { Host: host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function start(env: Record<string, string> = {}): Promise<string[]> {
  const all = {
    ...testEnvironment,
    EHR_INTERNAL_PORT: '0',
    CLIENT_PORT: '0',
    CLIENT_LOG_LEVEL: 'silent',
    ...env,
  };
  const started = await Promise.all(
    PARTIES.map(async ([main, listeners]) => {
      const { urls } = await launchParty(main, all);
      return listeners.flatMap((paths, index) => paths.map((path) => urls[index] + path));
    }),
  );
  return started.flat();
}

proves(['T-page-1'], 'a name of --allowed-hosts is answered to by every listener, and no other', async () => {
  const name = 'clinic.example';
  const urls = await start({ EHR_ALLOWED_HOSTS: name, AUTH_ALLOWED_HOSTS: name, CLIENT_ALLOWED_HOSTS: name });
  for (const url of urls) {
    expect([url, await statusOf(url, name)]).not.toEqual([url, 403]);
    expect([url, await statusOf(url, 'evil.example')]).toEqual([url, 403]);
  }
});

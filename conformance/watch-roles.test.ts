import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { example, inDirectory, type Running, readReport, startCli } from './testing/cli.ts';
import { startPlainClient } from './testing/plain-client.ts';

const RUN_TIMEOUT_MS = 60_000;
const PORTS = ['--client-to-auth', '0', '--client-to-ehr', '0', '--auth-to-ehr', '0'];

/** Watches a party of an example file while `use` uses it, and returns what was reported. */
function watched(
  role: string,
  file: string,
  use: (cli: Running, address: (line: RegExp) => string) => Promise<void>,
) {
  return inDirectory(async (directory) => {
    const cli = startCli('watch', '--role', role, '--config', example(file), '--report', directory, ...PORTS);
    try {
      await cli.says(/Ctrl-C ends the session/);
      await use(cli, (line) => line.exec(cli.output())?.[1] ?? '');
      cli.child.kill('SIGINT');
      const { code, output } = await cli.ended;
      const { meta, verdicts, summary } = readReport(directory);
      const checksOf = (outcome: string) =>
        verdicts.filter((each) => each.outcome === outcome).map(({ check }) => check);
      return { code, output, meta, summary, checksOf };
    } finally {
      cli.child.kill('SIGKILL');
    }
  });
}

type ServedReply = { result?: Record<string, string>; error?: object };

/** Links Anna and logs her out, as her own app and her authorization server would. */
async function useEhrServer(clients: string, authServer: string): Promise<void> {
  const rpc = async (url: string, method: string, params: unknown, cred?: object): Promise<ServedReply> => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: `embedded_storage.${method}`,
      params,
      cred,
    });
    return (
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    ).json();
  };
  const credOver = (secret: string) => ({
    user: 'example-internal',
    token: createHash('sha1').update(`example-internal-password${secret}`).digest('hex'),
  });
  const authInfo = { user: 'user-of-anna-0123456789', token: 'token-of-anna-0123456789', ttl: 60 };
  const exchangeToken = 'exchange-token-of-anna-0123456789';
  const patientProperties = {
    name: 'Anna',
    surname: 'Petrova',
    date: '1985-04-12 00:00:00.000',
    phone: '79990000001',
  };
  await rpc(authServer, 'save_exchange_token', { exchangeToken, authInfo }, credOver(exchangeToken));
  const { result } = await rpc(clients, 'authenticate', { exchangeToken, patientProperties });
  await rpc(authServer, 'save_auth_info', { authInfo }, credOver(result?.user_sign ?? ''));
  await rpc(authServer, 'save_auth_info', { authInfo }, credOver(result?.user_sign ?? ''));
  await rpc(clients, 'remove_auth_info', {}, { user: authInfo.user, token: authInfo.token });
}

const forClients = /client's EHR endpoint: +(http\S+)/;
const forAuthServer = /authorization server's EHR endpoint: +(http\S+)/;

test('watching a right EHR server in use finds nothing', { timeout: RUN_TIMEOUT_MS }, async () => {
  const seen = await watched('ehr-server', 'plain-ehr.yaml', async (cli, address) => {
    await useEhrServer(address(forClients), address(forAuthServer));
    await fetch(address(forClients).replace('1.0-alpha', 'none'), { method: 'POST' });
    await cli.says(/faults-have-json/);
  });
  expect(seen.meta).toMatchObject({ mode: 'watch', role: 'ehr-server' });
  expect([...seen.checksOf('fail'), ...seen.checksOf('warning'), ...seen.checksOf('inconclusive')]).toEqual(
    [],
  );
  const judged = [
    'outcomes-are-http-200',
    'result-or-error',
    'shape-of-errors',
    'replies-tell-nothing-of-others',
  ];
  expect(seen.checksOf('pass')).toEqual(expect.arrayContaining([...judged, 'faults-have-json']));
  expect(seen.code).toBe(0);
  expect(seen.output).toContain('embedded_storage.save_auth_info');
  expect(seen.output).not.toContain('Petrova');
});

/** Signs in, links and logs out with the plain client, by the codes that `watch` tells. */
async function useClient(cli: Running, address: (line: RegExp) => string, fault?: string): Promise<void> {
  const auth = address(/address of the authorization server: +(http\S+)/);
  const ehr = address(forClients).replace('/1.0-alpha/', '');
  const client = startPlainClient(['--auth', auth, '--ehr', ehr], fault);
  const values = {
    name: 'Дарьяна',
    surname: 'Канарейкина',
    date: '1987-11-23',
    phone: '79161112233',
    gender: 1,
  };
  await client.act({ do: 'signIn', phone: '79031234567' });
  await cli.says(/the code is \d{6}/);
  await client.act({ do: 'enterCode', code: address(/the code is (\d{6})/) });
  expect(await client.act({ do: 'fillForm', values })).toMatchObject({ sees: 'patient' });
  await client.act({ do: 'logout' });
  await client.leave();
}

test('a right client that a person uses is watched, and nothing is found', {
  timeout: RUN_TIMEOUT_MS,
}, async () => {
  const seen = await watched('client', 'plain-client.yaml', useClient);
  expect(seen.meta).toMatchObject({ mode: 'watch', role: 'client' });
  expect([...seen.checksOf('fail'), ...seen.checksOf('warning'), ...seen.checksOf('inconclusive')]).toEqual(
    [],
  );
  const judged = [
    'no-patient-data-to-auth-server',
    'exchange-token-as-given',
    'user-sign-as-given',
    'post-of-json',
  ];
  expect(seen.checksOf('pass')).toEqual(expect.arrayContaining(judged));
  expect(seen.code).toBe(0);
});

test('a client that sends its form to the authorization server is told live', {
  timeout: RUN_TIMEOUT_MS,
}, async () => {
  const seen = await watched('client', 'plain-client.yaml', async (cli, address) => {
    await useClient(cli, address, 'form-to-auth');
    await cli.says(/✕ no-patient-data-to-auth-server/);
  });
  expect(seen.checksOf('fail')).toContain('no-patient-data-to-auth-server');
  expect(seen.code).toBe(1);
});

test.each([
  ['ehr-server', 'plain-ehr.yaml'],
  ['client', 'plain-client.yaml'],
])(
  'a watched session of a %s in which nothing crossed is not green',
  { timeout: RUN_TIMEOUT_MS },
  async (role, file) => {
    const { code, checksOf } = await watched(role, file, async () => undefined);
    expect([code, checksOf('pass')]).toEqual([1, []]);
  },
);

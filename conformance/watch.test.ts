import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { serve } from '#service/http/testing.ts';
import { example, inDirectory, type Running, readReport, startCli, until } from './testing/cli.ts';
import { startPlainClient } from './testing/plain-client.ts';
import { writePlainFile } from './testing/plain-file.ts';

const RUN = { timeout: 60_000 };
const PORTS = ['--client-to-auth', '0', '--client-to-ehr', '0', '--auth-to-ehr', '0'];

/** Watches a party while `use` uses it, and returns what was reported. */
function watched(
  role: string,
  config: string,
  use: (cli: Running, address: (line: RegExp) => string) => Promise<void>,
) {
  return inDirectory(async (directory) => {
    const cli = startCli('watch', '--role', role, '--config', config, '--report', directory, ...PORTS);
    try {
      await cli.says(/Ctrl-C ends the session/);
      await use(cli, (line) => line.exec(cli.output())?.[1] ?? '');
      cli.child.kill('SIGINT');
      const { code, output } = await cli.ended;
      const { meta, verdicts, summary } = readReport(directory);
      const checksOf = (...outcomes: string[]) =>
        verdicts.filter(({ outcome }) => outcomes.includes(outcome)).map(({ check }) => check);
      const notGreen = checksOf('fail', 'warning', 'inconclusive');
      return { code, output, meta, summary, checksOf, notGreen };
    } finally {
      cli.child.kill('SIGKILL');
    }
  });
}

/** Sends JSON, as an app or curl would. */
async function post(url: string, body: unknown, bearer?: string): Promise<Record<string, unknown>> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const text = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  return text === '' ? {} : JSON.parse(text);
}

type Linked = { result?: { user_sign: string } };

/** Makes a call of the interface. */
const rpc = (url: string, name: string, params: unknown, cred?: object): Promise<Linked> =>
  post(url, { jsonrpc: '2.0', id: 7, method: `embedded_storage.${name}`, params, cred });

/** Signs in, links and logs out by hand at the plain server, whose messages come to `messages`. */
async function useAuthServer(auth: string, ehr: string, messages: readonly { text: string }[]) {
  const mobile = '79990001122';
  await post(`${auth}/login/start`, { mobile });
  await until(() => messages.length > 0);
  const pin = /\d{6}/.exec(messages[0]?.text ?? '')?.[0];
  const signedIn = await post(`${auth}/login/confirm`, { mobile, pin });
  const { bearer } = signedIn.session as { bearer: string };
  const cred = { user: (signedIn.account as { id: string }).id, token: bearer };
  const { ticket } = await post(`${auth}/ehr/exchange-token`, {}, bearer);
  const patientProperties = {
    ...{ name: 'Zanzibarina-003', surname: 'Quokkabergström-003' },
    ...{ date: '1931-07-04 00:00:00.000', phone: '48601777003' },
  };
  const { result } = await rpc(ehr, 'authenticate', { exchangeToken: ticket, patientProperties });
  await post(`${auth}/ehr/linked`, { signature: result?.user_sign }, bearer);
  await rpc(ehr, 'remove_auth_info', {}, cred);
  await post(`${auth}/logout`, {}, bearer);
}

/** Watches the plain server, or its twin with faults, while a person drives it. */
function watchedByHand(program: 'server.mjs' | 'faulty.mjs', live?: RegExp) {
  return inDirectory(async (directory) => {
    const messages: { text: string }[] = [];
    const phone = await serve(async (request, response) => {
      messages.push((await json(request)) as { text: string });
      response.writeHead(202).end();
    });
    const config = writePlainFile(directory, ({ server: { start } }) => {
      if (!start) return;
      start.command = [process.execPath, example(`plain-js/${program}`)];
      start.env.SMS_WEBHOOK = `${phone.url}/sms`;
    });
    return watched('auth-server', config, async (cli, address) => {
      await useAuthServer(address(forApp), address(forClients), messages);
      if (live) await cli.says(live);
    });
  });
}

const forApp = /address of the authorization server: +(http\S+)/;

test('a right server that a person drives is watched without a finding', RUN, async () => {
  const seen = await watchedByHand('server.mjs');
  expect(seen.meta.mode).toBe('watch');
  const judged = ['exchange-token-digest', 'user-sign-digest', 'own-user-sign', 'no-patient-data'];
  expect(seen.checksOf('pass')).toEqual(expect.arrayContaining(judged));
  expect(seen.notGreen).toEqual([]);
  expect([seen.summary.conclusion, seen.code]).toEqual(['conformant', 0]);
  expect(seen.output).toContain('save_auth_info');
});

test('a fault is found out live, while the person still clicks', RUN, async () => {
  const { code, output, checksOf } = await watchedByHand('faulty.mjs', /secrets-not-in-clear/);
  expect(code).toBe(1);
  expect(checksOf('fail')).toEqual(['secrets-not-in-clear']);
  // It was reported before the last message crossed.
  expect(output.indexOf('secrets-not-in-clear')).toBeLessThan(
    output.indexOf('embedded_storage.remove_auth_info'),
  );
});

test('a watched session ends by itself after the time given', RUN, () =>
  inDirectory(async (directory) => {
    const more = ['--report', directory, ...PORTS, '--for-seconds', '1'];
    expect((await startCli('watch', '--config', example('plain-js.yaml'), ...more).ended).code).toBe(1);
    expect(readReport(directory).verdicts.filter(({ outcome }) => outcome === 'pass')).toEqual([]);
  }),
);

/** Links Anna and logs her out, as her own app and her authorization server would. */
async function useEhrServer(clients: string, authServer: string): Promise<void> {
  const credOver = (secret = '') => ({
    user: 'example-internal',
    token: createHash('sha1').update(`example-internal-password${secret}`).digest('hex'),
  });
  const session = { user: 'user-of-anna-0123456789', token: 'token-of-anna-0123456789' };
  const authInfo = { ...session, ttl: 60 };
  const exchangeToken = 'exchange-token-of-anna-0123456789';
  const patientProperties = {
    ...{ name: 'Anna', surname: 'Petrova', date: '1985-04-12 00:00:00.000', phone: '79990000001' },
  };
  await rpc(authServer, 'save_exchange_token', { exchangeToken, authInfo }, credOver(exchangeToken));
  const { result } = await rpc(clients, 'authenticate', { exchangeToken, patientProperties });
  for (const _twice of [1, 2])
    await rpc(authServer, 'save_auth_info', { authInfo }, credOver(result?.user_sign));
  await rpc(clients, 'remove_auth_info', {}, session);
}

const forClients = /EHR endpoint: +(http\S+)/;
const forAuthServer = /authorization server's EHR endpoint: +(http\S+)/;

test('a right EHR server that a person uses is watched without a finding', RUN, async () => {
  const seen = await watched('ehr-server', example('plain-ehr.yaml'), async (cli, address) => {
    await useEhrServer(address(forClients), address(forAuthServer));
    await fetch(address(forClients).replace('1.0-alpha', 'none'), { method: 'POST' });
    await cli.says(/faults-have-json/);
  });
  expect(seen.meta).toMatchObject({ mode: 'watch', role: 'ehr-server' });
  expect(seen.notGreen).toEqual([]);
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
  const auth = address(forApp);
  const ehr = address(forClients).replace('/1.0-alpha/', '');
  const client = startPlainClient(['--auth', auth, '--ehr', ehr], fault);
  const person = { name: 'Дарьяна', surname: 'Канарейкина', date: '1987-11-23' };
  const values = { ...person, phone: '79161112233', gender: 1 };
  await client.act({ do: 'signIn', phone: '79031234567' });
  await cli.says(/the code is \d{6}/);
  await client.act({ do: 'enterCode', code: address(/the code is (\d{6})/) });
  expect(await client.act({ do: 'fillForm', values })).toMatchObject({ sees: 'patient' });
  await client.act({ do: 'logout' });
  await client.leave();
}

test('a right client that a person uses is watched, and nothing is found', RUN, async () => {
  const seen = await watched('client', example('plain-client.yaml'), useClient);
  expect(seen.meta).toMatchObject({ mode: 'watch', role: 'client' });
  expect(seen.notGreen).toEqual([]);
  const judged = [
    'no-patient-data-to-auth-server',
    'exchange-token-as-given',
    'user-sign-as-given',
    'post-of-json',
  ];
  expect(seen.checksOf('pass')).toEqual(expect.arrayContaining(judged));
  expect(seen.code).toBe(0);
});

test('a client that sends its form to the authorization server is told live', RUN, async () => {
  const seen = await watched('client', example('plain-client.yaml'), async (cli, address) => {
    await useClient(cli, address, 'form-to-auth');
    await cli.says(/✕ no-patient-data-to-auth-server/);
  });
  expect(seen.checksOf('fail')).toContain('no-patient-data-to-auth-server');
  expect(seen.code).toBe(1);
});

test.each([
  ['ehr-server', 'plain-ehr.yaml'],
  ['client', 'plain-client.yaml'],
])('a watched session of a %s in which nothing crossed is not green', RUN, async (role, file) => {
  const { code, checksOf } = await watched(role, example(file), async () => undefined);
  expect([code, checksOf('pass')]).toEqual([1, []]);
});

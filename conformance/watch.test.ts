import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { example, inDirectory, readReport, startCli, until } from './testing/cli.ts';
import { writePlainFile } from './testing/plain-file.ts';

const RUN_TIMEOUT_MS = 60_000;

/** A message box of a person: accepts the messages that the server sends as SMS. */
async function phoneOfPerson(): Promise<{
  url: string;
  messages: { to: string; text: string }[];
  server: Server;
}> {
  const messages: { to: string; text: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      messages.push(JSON.parse(body) as { to: string; text: string });
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, messages, server };
}

/** Sends a request as a person with curl would. */
async function curl(
  method: string,
  url: string,
  body?: unknown,
  bearer?: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Signs in, links and logs out by hand, through the addresses that `watch` prints. */
async function clickThrough(
  auth: string,
  ehr: string,
  messages: { to: string; text: string }[],
): Promise<void> {
  const mobile = '79990001122';
  await curl('POST', `${auth}/login/start`, { mobile });
  await until(() => messages.length > 0);
  const pin = /\d{6}/.exec(messages[0]?.text ?? '')?.[0];
  const signedIn = await curl('POST', `${auth}/login/confirm`, { mobile, pin });
  const { bearer } = signedIn.session as { bearer: string };
  const cred = { user: (signedIn.account as { id: string }).id, token: bearer };
  const { ticket } = await curl('POST', `${auth}/ehr/exchange-token`, {}, bearer);
  const patientProperties = {
    name: 'Zanzibarina-003',
    surname: 'Quokkabergström-003',
    date: '1931-07-04 00:00:00.000',
    phone: '48601777003',
  };
  const rpc = (method: string, params: unknown, by?: unknown) =>
    curl('POST', ehr, { jsonrpc: '2.0', id: 1, method, params, ...(by !== undefined && { cred: by }) });
  const linked = await rpc('embedded_storage.authenticate', { exchangeToken: ticket, patientProperties });
  const { user_sign: signature } = linked.result as { user_sign: string };
  await curl('POST', `${auth}/ehr/linked`, { signature }, bearer);
  await rpc('embedded_storage.remove_auth_info', {}, cred);
  await curl('POST', `${auth}/logout`, {}, bearer);
}

function watching(
  name: 'server.mjs' | 'faulty.mjs',
  use: (parts: { output: string; code: number | null; directory: string }) => void,
  live?: RegExp,
) {
  return inDirectory(async (directory) => {
    const person = await phoneOfPerson();
    const config = writePlainFile(directory, ({ server: { start } }) => {
      if (!start) return;
      start.command = [process.execPath, example(`plain-js/${name}`)];
      start.env.SMS_WEBHOOK = `${person.url}/sms`;
    });
    const ports = ['--client-to-auth', '0', '--client-to-ehr', '0'];
    const cli = startCli('watch', '--config', config, '--report', directory, ...ports);
    try {
      await cli.says(/Ctrl-C ends the session/);
      const address = (line: RegExp) => line.exec(cli.output())?.[1] ?? '';
      const auth = address(/address of the authorization server: +(http\S+)/);
      await clickThrough(auth, address(/EHR endpoint: +(http\S+)/), person.messages);
      if (live) await cli.says(live);
      cli.child.kill('SIGINT');
      use({ ...(await cli.ended), directory });
    } finally {
      cli.child.kill('SIGKILL');
      person.server.close();
      person.server.closeAllConnections();
    }
  });
}

test(
  'watching a right server driven by hand judges its messages, and finds nothing',
  { timeout: RUN_TIMEOUT_MS },
  () =>
    watching('server.mjs', ({ output, code, directory }) => {
      const { meta, verdicts, summary } = readReport(directory);
      expect(meta.mode).toBe('watch');
      expect(verdicts.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning')).toEqual([]);
      const passed = verdicts.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check);
      expect(passed).toEqual(
        expect.arrayContaining([
          'exchange-token-digest',
          'user-sign-digest',
          'own-user-sign',
          'no-patient-data',
        ]),
      );
      expect(verdicts.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([]);
      expect(summary.conclusion).toBe('conformant');
      expect(code).toBe(0);
      expect(output).toContain('save_auth_info');
    }),
);

test('a fault is found out live, while the person still clicks', { timeout: RUN_TIMEOUT_MS }, () =>
  watching(
    'faulty.mjs',
    ({ output, code, directory }) => {
      expect(code).toBe(1);
      const failed = readReport(directory).verdicts.filter(({ outcome }) => outcome === 'fail');
      expect(failed.map(({ check }) => check)).toEqual(['secrets-not-in-clear']);
      // It was reported before the last message crossed.
      expect(output.indexOf('secrets-not-in-clear')).toBeLessThan(
        output.indexOf('embedded_storage.remove_auth_info'),
      );
    },
    /secrets-not-in-clear/,
  ),
);

test('a watched session in which nothing crossed is not green', { timeout: RUN_TIMEOUT_MS }, () =>
  inDirectory(async (directory) => {
    const ports = ['--client-to-auth', '0', '--client-to-ehr', '0', '--for-seconds', '1'];
    const cli = startCli('watch', '--config', example('plain-js.yaml'), '--report', directory, ...ports);
    expect((await cli.ended).code).toBe(1);
    expect(readReport(directory).verdicts.filter(({ outcome }) => outcome === 'pass')).toEqual([]);
  }),
);

import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { allowedHostsSetting, isLoopbackAddress } from './allowed-hosts.ts';
import type { ListenOptions } from './listener/listener.ts';
import { openConnection, requestText, serve } from './testing.ts';

/** A server that answers with the target that its handler receives. */
async function echo(options: Partial<ListenOptions> = {}) {
  const faults: number[] = [];
  const { port } = await serve(
    (request, response) => {
      request.resume();
      response.end(`target ${request.url}`);
    },
    { onHttpError: (status) => faults.push(status), ...options },
  );
  /** Send this text over a new connection, and return the status and the rest of the answer. */
  const ask = async (text: string) => {
    const { socket, until } = await openConnection(port);
    socket.write(text);
    // The answer of the handler, or the JSON of a refusal.
    const received = await until(/^HTTP\/1\.1 \d{3} .*(?:target [^\r]*|\}\})/s);
    return [Number(received.slice(9, 12)), /target (.*)/.exec(received)?.[1] ?? received] as const;
  };
  const statusOf = async (host: string) => (await ask(requestText('GET /', { Host: host })))[0];
  /** The names that it answers to. */
  async function answersTo(...hosts: string[]) {
    const statuses = await Promise.all(hosts.map(statusOf));
    expect(statuses.filter((status) => status !== 200 && status !== 403)).toEqual([]);
    return hosts.filter((_host, index) => statuses[index] === 200);
  }
  return { port, ask, answersTo, faults };
}

proves(['T-page-1'], 'a loopback listener answers to the names of this machine alone', async () => {
  const { answersTo, faults, port } = await echo();
  const own = ['127.0.0.1', `127.0.0.1:${port}`, 'localhost', 'LOCALHOST:80', 'localhost.', '127.0.0.53'];
  expect(await answersTo(...own, '[::1]:4100')).toEqual([...own, '[::1]:4100']);
  expect(faults).toEqual([]);
  const evil = ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'];
  const tricks = ['evil.example/localhost', 'localhost@evil.example', ''];
  expect(await answersTo(...evil, ...tricks, '0.0.0.0', '192.168.1.7', '[::2]')).toEqual([]);
  expect(new Set(faults)).toEqual(new Set([403]));
});

test('a refusal says what to do, repeats no name, and the connection serves on', async () => {
  const { port } = await echo();
  const { socket, until } = await openConnection(port);
  socket.write(requestText('POST /', { Host: 'evil.example' }, 'a body'));
  const refused = await until(/\}\}$/s);
  expect(refused).toContain('"reason":"host_not_allowed"');
  expect(refused).toContain('--allowed-hosts');
  expect(refused).not.toContain('evil.example');
  socket.write(requestText('GET /next'));
  await until(/200 OK.*target \/next/s);
});

test('names that are allowed are answered beside those of the machine', async () => {
  const { answersTo } = await echo({ allowedHosts: ['ehr.example.org'] });
  const allowed = ['ehr.example.org', 'EHR.example.org:443', 'localhost'];
  const others = ['example.org', 'x.ehr.example.org', 'ehr.example.org.evil'];
  expect(await answersTo(...allowed, ...others)).toEqual(allowed);
});

proves(['T-page-2'], 'a listener that is open to other machines answers to every name', async () => {
  const { answersTo } = await echo({ host: '0.0.0.0' });
  const any = ['evil.example', 'host.docker.internal:4100'];
  expect(await answersTo(...any)).toEqual(any);
});

test('which addresses are loopback', () => {
  const loopback = ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'];
  const others = ['0.0.0.0', '::', '10.0.0.127', '1270::1'];
  expect([...loopback, ...others].filter(isLoopbackAddress)).toEqual(loopback);
});

test('a whole address is served as its path, and its host counts', async () => {
  const { ask, port } = await echo();
  const target = (address: string, host = 'localhost') => ask(requestText(`GET ${address}`, { Host: host }));
  expect(await target(`http://127.0.0.1:${port}/a/b?c=d`)).toEqual([200, '/a/b?c=d']);
  expect(await target('HTTPS://localhost')).toEqual([200, '/']);
  expect(await target('http://localhost?x')).toEqual([200, '/?x']);
  expect((await target('http://evil.example/'))[0]).toBe(403);
  expect(await target('http://localhost/x', 'evil.example')).toEqual([200, '/x']);
  expect((await target('http://localhost@evil.example/'))[0]).toBe(400);
  expect(await target('/http://evil.example/')).toEqual([200, '/http://evil.example/']);
});

// What makes the host or the end of a request uncertain is refused together with foreign hosts.
test('two Host headers are refused with 400 and end the connection, on any address', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const { port, faults } = await echo({ host });
    const { socket, closed } = await openConnection(port);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n');
    expect(await closed).toMatch(/^HTTP\/1\.1 400 .*Connection: close.*"reason":"bad_request"/s);
    expect(faults).toEqual([400]);
  }
});

test('a transfer coding beside chunked is refused with 501 and ends the connection', async () => {
  for (const coding of ['gzip, chunked', 'identity, chunked', 'gzip,chunked']) {
    const { port, faults } = await echo();
    const { socket, closed } = await openConnection(port);
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`);
    expect(await closed).toMatch(
      /^HTTP\/1\.1 501 .*Connection: close.*"reason":"transfer_coding_not_supported"/s,
    );
    expect(faults).toEqual([501]);
  }
  const { ask } = await echo();
  const chunked = 'Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n';
  expect(await ask(`POST /x HTTP/1.1\r\nHost: localhost\r\n${chunked}`)).toEqual([200, '/x']);
});

test('a request without a Host is refused where HTTP asks for one', async () => {
  const { port, ask } = await echo();
  expect(await ask('GET /old HTTP/1.0\r\n\r\n')).toEqual([200, '/old']);
  const { socket, closed } = await openConnection(port);
  socket.write('GET / HTTP/1.1\r\n\r\n');
  expect(await closed).toMatch(/^HTTP\/1\.1 400 /);
});

test('the setting takes names and nothing else', () => {
  const { schema, env } = allowedHostsSetting('EHR');
  expect(env).toBe('EHR_ALLOWED_HOSTS');
  expect(schema.parse('')).toEqual([]);
  expect(schema.parse('ehr.example.org, Proxy')).toEqual(['ehr.example.org', 'proxy']);
  for (const wrong of ['http://ehr.example.org', 'ehr.example.org:443', '*', 'a b'])
    expect(schema.safeParse(wrong).success).toBe(false);
});

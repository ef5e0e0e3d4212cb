import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { isRunning } from '#service/process/signals.ts';
import { listening } from '#testing/listening.ts';
import { serverSchema } from '../file/server-schema.ts';
import {
  choosePorts,
  type Ports,
  type ServerProcess,
  ServerStartError,
  secretHider,
  startServer,
  withPorts,
} from './server-process.ts';

const SERVES = `
  const { createServer } = require('node:http');
  const server = createServer((request, response) => { response.statusCode = request.url === '/up' ? 204 : 404; response.end(); });
  server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening for ' + process.env.EHR + ' as ' + process.env.WHO));
`;

type Options = {
  script?: string;
  /** A script of the shell, which starts faster. */
  sh?: string;
  start?: Record<string, unknown>;
  signal?: AbortSignal;
  onLine?: (line: string) => void;
};

const PARTS = {
  ehrUrl: 'http://127.0.0.1:4180',
  smsUrl: undefined,
  clock: systemClock,
  env: { PATH: process.env.PATH },
  signal: new AbortController().signal,
};

const PASSWORD = 'the internal pässword';

/** What a start needs of a file, with its ports filled in. */
function fileWith(server: object, ports: Ports = {}) {
  const filled = withPorts(serverSchema(() => '').parse(server), ports);
  const settings = { server: filled, internal: { user: 'kit', password: PASSWORD } };
  return { settings, secrets: [PASSWORD] };
}

/** Starts node or the shell with a script as the server under test, at a free port. */
async function start(options: Options): Promise<ServerProcess> {
  const { script, sh, start = {}, signal = PARTS.signal, onLine } = options;
  const env = { EHR: '${ehrUrl}', WHO: '${internalUser}', PASSWORD: '${internalPassword}' };
  const command = sh === undefined ? ['${node}', '-e', script ?? ''] : ['/bin/sh', '-c', sh];
  const file = fileWith(
    {
      url: 'http://127.0.0.1:${ports.auth}',
      start: { command, env: { PORT: '${ports.auth}', ...env }, ...start },
    },
    await choosePorts({ auth: 0 }),
  );
  const server = (await startServer(file, { ...PARTS, signal, ...(onLine && { onLine }) })) as ServerProcess;
  onTestFinished(() => server.stop());
  return server;
}

const refusal = (options: Options): Promise<string> =>
  start(options).then(
    () => 'It started.',
    (error: unknown) => {
      if (error instanceof ServerStartError) return error.message;
      throw error;
    },
  );

test('a server starts with its environment, is ready when it answers, and stops', async () => {
  const server = await start({ script: SERVES });
  expect(server.ended()).toBeUndefined();
  await server.stop();
  expect(server.output()).toEqual(['listening for http://127.0.0.1:4180 as kit']);
  expect(server.ended()).toBe('was killed by SIGTERM');
  expect(isRunning(server.pid)).toBe(false);
  await server.stop();
});

test('readiness may be told by a line', async () => {
  const sh = "echo 'warming up' >&2; echo 'now ready at 1'; exec sleep 60";
  const server = await start({ sh, start: { ready: { line: '^now ready at \\d' } } });
  // The line of the other pipe may be read later.
  await vi.waitFor(() => expect(server.output().sort()).toEqual(['now ready at 1', 'warming up']));
});

test('readiness may be told by an address that answers 2xx', async () => {
  const server = await start({ script: SERVES, start: { ready: { url: '/up' } } });
  expect(server.ended()).toBeUndefined();
  expect(await refusal({ script: SERVES, start: { ready: { url: '/down' }, readyWithinMs: 1_500 } })).toMatch(
    /^The server under test was not ready within 1500 ms: http:\/\/127\.0\.0\.1:\d+\/down gave no answer 2xx\. Its last lines:\n {2}"listening for/,
  );
});

test('a server that dies at once is told by its last lines, without secrets', async () => {
  const script = `
    for (let line = 1; line <= 60; line++) console.log('line ' + line);
    console.error('cannot log in with ' + process.env.PASSWORD + ' at ' + encodeURIComponent(process.env.PASSWORD));
    process.exitCode = 3;
  `;
  const message = await refusal({ script });
  expect(message).toMatch(/^The server under test ended with code 3 before it was ready\. Its last lines:\n/);
  expect(message).toContain('line 60');
  expect(message).not.toContain('line 10\n');
  expect(message).toContain('cannot log in with ••• at •••');
  expect(message).not.toContain(PASSWORD);
});

test('a server that says nothing and is never ready is stopped and told', async () => {
  const message = await refusal({
    sh: 'exec sleep 60',
    start: { ready: { line: 'ready' }, readyWithinMs: 300 },
  });
  expect(message).toBe(
    'The server under test was not ready within 300 ms: no line of its output matched ready. It wrote nothing.',
  );
});

test('a server that ignores SIGTERM is killed', async () => {
  const script = `process.on('SIGTERM', () => console.log('no')); console.log('ready'); setInterval(() => {}, 1000);`;
  const server = await start({ script, start: { ready: { line: 'ready' }, stopWithinMs: 200 } });
  await server.stop();
  expect(server.ended()).toBe('was killed by SIGKILL');
  expect(server.output()).toEqual(['ready', 'no']);
  expect(isRunning(server.pid)).toBe(false);
});

test('what the server has started ends with it, even what ignores SIGTERM', async () => {
  // The child shows by a connection that it lives: a killed process may stay in the process table for a
  // while.
  const witness = createTcpServer();
  const connected = once(witness, 'connection') as Promise<[Socket]>;
  const child = (port: number) =>
    `process.on('SIGTERM', () => {}); require('node:net').connect(${port}, '127.0.0.1', () => console.log('child is up')).on('error', () => {}); setInterval(() => {}, 1000);`;
  const port = await listening(witness);
  const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child(port))}], { stdio: 'inherit' });`;
  const server = await start({ script, start: { ready: { line: 'child is up' }, stopWithinMs: 200 } });
  const [socket] = await connected;
  const ended = once(
    socket.resume().on('error', () => undefined),
    'close',
  );
  await server.stop();
  await ended;
  expect(socket.destroyed).toBe(true);
});

test('a server that dies during the run is noticed', async () => {
  const server = await start({
    sh: "trap 'exit 7' USR2; echo ready; while :; do sleep 0.05; done",
    start: { ready: { line: 'ready' } },
  });
  process.kill(server.pid, 'SIGUSR2');
  await server.gone;
  expect(server.ended()).toBe('ended with code 7');
});

test('a start can be broken off, and leaves nothing running', async () => {
  const stop = new AbortController();
  const reason = new Error('Ctrl-C');
  const port = await listening(
    createTcpServer((socket) => {
      socket.destroy();
      stop.abort(reason);
    }),
  );
  const script = `require('node:net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1000);`;
  await expect(start({ script, start: { ready: { line: 'never' } }, signal: stop.signal })).rejects.toBe(
    reason,
  );
});

test.each<[Options['start'] & object, RegExp]>([
  [
    { command: ['no-such-program', '--password', '${internalPassword}'] },
    /^Failed to start the server under test \(no-such-program --password •••\): there is no program no-such-program\. Please correct server\.start\.command\.$/,
  ],
  [
    { cwd: 'nowhere' },
    /its working directory .*nowhere does not exist\. Please correct server\.start\.cwd\.$/,
  ],
])('a start with %j is refused with the remedy', async (start, message) => {
  expect(await refusal({ script: '', start })).toMatch(message);
});

test('whoever holds the address already is not judged in the place of the server', async () => {
  const url = `http://127.0.0.1:${await listening(createServer((_request, response) => void response.end()))}`;
  const file = fileWith({ url, start: { command: ['${node}', '-e', ''] } });
  await expect(startServer(file, PARTS)).rejects.toThrow(`something answers at ${url} already.`);
});

test('a file that does not say how to start the server starts none', async () => {
  expect(await startServer(fileWith({ url: 'http://127.0.0.1:9' }), PARTS)).toBeUndefined();
});

test('each line of both streams is passed on as it was written', async () => {
  const lines: string[] = [];
  const script = `console.error('started with ' + process.env.PASSWORD); ${SERVES}`;
  // The two streams come in any order: the server may be ready before its other line is here.
  await new Promise<void>((resolve, reject) => {
    const onLine = (line: string) => void (lines.push(line) === 2 && resolve());
    start({ script, start: { ready: { line: 'listening' } }, onLine }).catch(reject);
  });
  expect(lines.sort()).toEqual(['listening for http://127.0.0.1:4180 as kit', `started with ${PASSWORD}`]);
});

test('a secret is hidden in every form in which programs write it', () => {
  const secret = 'pä "ss"/word';
  const hide = secretHider([secret]);
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    new URLSearchParams({ p: secret }).toString(),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
  ];
  for (const form of forms)
    expect(hide(`before ${form} after ${form}`), form).toMatch(/^before .{0,3}•••"? after .{0,3}•••"?$/);
});

test('of secrets that begin alike the longer one is hidden whole', () => {
  expect(secretHider(['abc', 'abcdef'])('abcdef abc')).toBe('••• •••');
});

test('an empty secret hides nothing', () => {
  expect(secretHider([''])('text')).toBe('text');
});

test('ports are chosen that browsers open and that systems give to nobody', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `party${index}`);
  const chosen = await choosePorts({ ...Object.fromEntries(names.map((name) => [name, 0])), fixed: 4200 });
  expect(chosen.fixed).toBe(4200);
  const drawn = names.map((name) => Number(chosen[name]));
  expect(new Set(drawn).size).toBe(names.length);
  for (const port of drawn) {
    expect(port).toBeGreaterThan(10_080);
    expect(port).toBeLessThan(32_768);
  }
});

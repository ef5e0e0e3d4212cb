import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { recordingClock } from '#protocol/testing.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { recordedLog } from '../../process/testing-log.ts';
import { openConnection, requestText, serve } from '../testing.ts';
import { listen } from './listener.ts';

const answer = (_request: IncomingMessage, response: ServerResponse) => void response.end('done');
const GET = requestText('GET /');

/** Open a connection and send a request. */
async function asking(port: number) {
  const connection = await openConnection(port);
  connection.socket.write(GET);
  return connection;
}

test('a port in use is named, with the flag that chooses another', async () => {
  const { url, port } = await serve(answer);
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const again = { host: '127.0.0.1', port, clock: manualClock() };
  const other = port < 60_000 ? port + 4_000 : port - 4_000;
  const said = `Failed to listen on 127.0.0.1:${port}: another program uses this port. Please stop it, or choose another one: npm run ehr -- --port ${other}`;
  await expect(listen(answer, { ...again, portFlag: 'npm run ehr -- --port' })).rejects.toThrow(said);
  await expect(listen(answer, again)).rejects.toThrow('or choose another one.');
});

test('any other failure to listen is told in a sentence, with its cause', async () => {
  for (const [code, sentence] of [
    ['EACCES', 'this user may not open that port. Please choose one above 1023: npm run ehr -- --port 4080'],
    ['ENOTFOUND', 'this machine has no such address. Please check the host setting.'],
    ['EADDRNOTAVAIL', 'this machine has no such address. Please check the host setting.'],
    ['EMFILE', 'too many open files'],
  ] as const) {
    const cause = Object.assign(new Error('too many open files'), { code });
    vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
      this.emit('error', cause);
      return this;
    });
    const portFlag = 'npm run ehr -- --port';
    const listening = listen(answer, { host: 'h', port: 80, portFlag, clock: manualClock() });
    await expect(listening).rejects.toThrow(
      expect.objectContaining({ message: `Failed to listen on h:80: ${sentence}`, cause }),
    );
  }
});

test('new connections at the limit are closed, the open go on', async () => {
  const { log, messages } = recordedLog('warn');
  const { port, connections } = await serve(answer, { maxConnections: 2, log });
  const [first, second] = [await openConnection(port), await openConnection(port)];
  for (let count = 0; count < 3; count++) expect(await (await openConnection(port)).closed).toBe('');
  expect(connections()).toBe(2);
  first.socket.write(GET);
  await first.until(/done/);
  second.socket.destroy();
  await expect.poll(connections).toBe(1);
  await (await asking(port)).until(/done/);
  expect(messages()).toEqual([expect.stringContaining('--max-connections')]);
});

test('a connection that cannot be accepted is logged, and the server lives', async () => {
  const { log, messages } = recordedLog('warn');
  const listening = vi.spyOn(Server.prototype, 'listen');
  const { url } = await serve(answer, { log });
  const server = listening.mock.contexts[0] as Server;
  server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  expect(messages()).toEqual([expect.stringContaining('ulimit -n')]);
  expect((await fetch(url)).status).toBe(200);
});

test('a connection with too many pipelined calls is cut', async () => {
  let begun = 0;
  const { port, connections } = await serve(() => void begun++);
  const greedy = await openConnection(port);
  greedy.socket.write(GET.repeat(300));
  expect(await greedy.closed).toBe('');
  expect([begun, connections()]).toEqual([32, 0]);
});

test('a stop closes connections at rest, used or never used', async () => {
  const { port, stop } = await serve(answer, { clock: manualClock() });
  const [used, unused] = [await openConnection(port), await openConnection(port)];
  used.socket.write(GET);
  expect(await used.until(/done/)).toMatch(/^HTTP\/1\.1 200 .*Connection: keep-alive/s);
  await stop();
  expect([await used.closed, await unused.closed]).toEqual([expect.stringContaining('done'), '']);
});

test('a stop lets a call under way finish, and takes no new ones', async () => {
  const held = holding();
  const { url, port, stop } = await serve(held.handler, { clock: manualClock() });
  const connection = await asking(port);
  const response = await held.next();
  const events: string[] = [];
  const stopped = stop().then(() => events.push('stopped'));
  await expect(fetch(url)).rejects.toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'ECONNREFUSED' }) }),
  );
  expect(events).toEqual([]);
  response.end('finished');
  await stopped;
  expect(await connection.closed).toMatch(/^HTTP\/1\.1 200 .*Connection: close.*finished/s);
});

test('a stop lets a reply arrive to its last byte', async () => {
  const size = 30_000_000;
  const large = (_request: IncomingMessage, response: ServerResponse) => void response.end('x'.repeat(size));
  const { port, stop } = await serve(large, { clock: manualClock() });
  const { socket, until, closed } = await asking(port);
  await until(/\r\n\r\nx/);
  socket.pause();
  const stopped = stop();
  socket.resume();
  const reply = await closed;
  expect(reply.length - reply.indexOf('\r\n\r\n') - 4).toBe(size);
  await stopped;
});

test('a stop lets a request whose head is half sent come in', async () => {
  const { port, url, stop } = await serve(answer, { clock: manualClock() });
  const connection = await asking(port);
  await connection.until(/done/);
  connection.socket.write('GET /second HTTP/1.1\r\n');
  // After this exchange, everything written before it has been read.
  await (await fetch(url)).text();
  const stopped = stop();
  connection.socket.write('Host: localhost\r\n\r\n');
  expect(await connection.closed).toMatch(/done.*Connection: close.*done/s);
  await stopped;
});

test('a stop cuts what is unfinished after the grace, not before', async () => {
  for (const options of [{}, { graceMs: 50 }]) {
    const clock = manualClock();
    const held = holding();
    const { port, stop } = await serve(held.handler, { clock, ...options });
    const connection = await asking(port);
    const response = await held.next();
    const stopped = stop();
    clock.advance((options.graceMs ?? 4_000) - 1);
    response.write('still here ');
    await connection.until(/still here/);
    clock.advance(1);
    await stopped;
    expect(await connection.closed).toMatch(/still here/);
  }
});

test('a stop asked for twice is one, and leaves no alarm', async () => {
  const { base, timers } = recordingClock();
  const alarms = vi.spyOn(base, 'after');
  const { stop } = await listen(answer, { host: '127.0.0.1', port: 0, clock: base });
  await Promise.all([stop(), stop()]);
  await stop();
  expect(alarms).toHaveBeenCalledTimes(1);
  expect(timers).toEqual([]);
});

test('a stop lets all pipelined calls finish, and the last says so', async () => {
  const held = holding();
  const { port, stop } = await serve(held.handler, { clock: manualClock() });
  const connection = await openConnection(port);
  const responses = [held.next(), held.next(), held.next()];
  connection.socket.write(GET.repeat(3));
  const [first, second, third] = await Promise.all(responses);
  const stopped = stop();
  first?.end('first');
  second?.end('second');
  third?.end('third');
  const received = await connection.closed;
  expect(received).toMatch(/first.*second.*Connection: close.*third/s);
  expect(received.match(/Connection: close/g)).toHaveLength(1);
  await stopped;
});

test('a connection that is gone is forgotten', async () => {
  const { port, stop } = await serve((request, response) => {
    request.socket.on('close', () => gone.push(true));
    response.end('done');
  });
  const gone: boolean[] = [];
  const { socket, until } = await asking(port);
  await until(/done/);
  socket.destroy();
  while (gone.length === 0) await new Promise(setImmediate);
  const closing = vi.spyOn(Socket.prototype, 'destroy');
  await stop();
  expect(closing).not.toHaveBeenCalled();
});

test('an error of a server that listens already is not swallowed', async () => {
  const { mock } = vi.spyOn(Server.prototype, 'listen');
  await serve(answer);
  const [server] = mock.contexts as Server[];
  expect(() => server?.emit('error', new Error('accept failed'))).toThrow('accept failed');
});

/** A handler that answers nothing, and passes each response on to the test. */
function holding() {
  const waiting: ((response: ServerResponse) => void)[] = [];
  return {
    handler: (_request: IncomingMessage, response: ServerResponse) => waiting.shift()?.(response),
    next: () => new Promise<ServerResponse>((resolve) => waiting.push(resolve)),
  };
}

test('a drain answers calls on kept connections, and then closes the rest', async () => {
  const clock = manualClock();
  const { port, stop } = await serve((_request, response) => void response.end('done'), {
    clock,
    drainMs: 1_000,
  });
  const [used, unused] = [await openConnection(port), await openConnection(port)];
  used.socket.write(GET);
  await used.until(/done/);
  const events: string[] = [];
  const stopped = stop().then(() => events.push('stopped'));
  used.socket.write(GET);
  expect(await used.closed).toMatch(/Connection: keep-alive.*done.*Connection: close.*done/s);
  clock.advance(999);
  expect(unused.socket.destroyed).toBe(false);
  expect(events).toEqual([]);
  clock.advance(1);
  expect(await unused.closed).toBe('');
  await stopped;
});

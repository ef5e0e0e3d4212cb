import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePorts } from '#service/http/listener/ports.ts';
import { listening } from '#testing/listening.ts';
import { portProblem } from './ports.ts';

/** Occupies a free port until the end of the test. */
const usedPort = (host: string) => listening(createServer(), host);
const need = (port: number, who = 'the client') => ({ port, who, flag: '--client-port', freePort: 5300 });

for (const host of ['127.0.0.1', '0.0.0.0'])
  test(`a port that another program uses on ${host} is named with its remedy`, async () => {
    const port = await usedPort(host);
    expect(await portProblem([need(port)])).toBe(
      `Cannot use port ${port} of the client (in use). Please stop the program there, such as another demo, or choose other ports: npm run demo -- --client-port 5300`,
    );
  });

test('ports that are taken are told in one line, with one command', async () => {
  const [ehr, client] = [await usedPort('127.0.0.1'), await usedPort('127.0.0.1')];
  const needed = [{ ...need(ehr, 'the EHR server'), flag: '--ehr-port', freePort: 5100 }, need(client)];
  expect(await portProblem(needed, ['--fresh'])).toBe(
    `Cannot use port ${ehr} of the EHR server (in use), port ${client} of the client (in use). Please stop the program there, such as another demo, or choose other ports: npm run demo -- --fresh --ehr-port 5100 --client-port 5300`,
  );
});

test('two parties that want the same port are named', async () => {
  const port = await usedPort('127.0.0.1');
  const problem = await portProblem([need(port, 'the EHR server'), need(port)]);
  expect(problem).toContain(`port ${port} of the client (wanted by the EHR server as well)`);
});

test('ports that are free are no problem', async () => {
  const [port] = await freePorts(1);
  expect(await portProblem([need(port as number)])).toBeUndefined();
});

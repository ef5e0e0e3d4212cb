import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { portProblems } from './ports.ts';

/** Occupies a free port until the end of the test. */
function usedPort(host: string): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve) => server.listen(0, host, () => resolve((server.address() as AddressInfo).port)));
}
const need = (port: number, who = 'the client') => ({
  port,
  who,
  flag: '--client-port',
  env: 'CLIENT_PORT',
  freePort: 5300,
});

for (const host of ['127.0.0.1', '0.0.0.0']) {
  test(`a port that another program uses on ${host} is named with its remedy`, async () => {
    const port = await usedPort(host);
    const [problem, ...others] = await portProblems([need(port)]);
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^Port ${port}, which the client needs, is in use\\.`));
    expect(problem).toMatch(/npm run demo -- --client-port \d+ \(or the variable CLIENT_PORT\)\.$/);
  });
}

test('two parties that want the same port are named', async () => {
  const port = await usedPort('127.0.0.1');
  const problems = await portProblems([need(port, 'the EHR server'), need(port)]);
  expect(problems[1]).toMatch(/is wanted twice, by the EHR server and by the client\./);
});

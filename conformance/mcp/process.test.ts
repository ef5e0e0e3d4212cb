/** The server as a process of its own, as a client starts it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { useProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { isAlive, readReport, until } from '../testing/cli.ts';
import { withLongCodes, writePlainFile, writingPid } from '../testing/plain-file.ts';
import { FAULTY_EHR, folderWith, saidBy } from './testing/in-memory.ts';

const RUN = { timeout: 120_000 };
const PROGRAM = [fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url)), 'conformance/mcp/main.ts'];

const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Starts the server, and a run that waits for the end of a code; resolves when the party is played with. */
async function startLongRun() {
  const folder = temporaryFolder();
  const pidFile = join(folder, 'pid');
  writePlainFile(folder, (file) => {
    writingPid(file, pidFile);
    withLongCodes(file);
  });
  const party = { role: 'auth-server', config: 'adapter.json' };
  const server = start(folder);
  server.send(INITIALIZE);
  const only = 'link-recorded,expired-code-refused';
  const params = { name: 'judge', arguments: { ...party, only }, _meta: { progressToken: 1 } };
  const call = server.send({ method: 'tools/call', params });
  await server.says(/"notifications\/progress"/, 'out');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(isAlive(pid)).toBe(true);
  return { server, folder, party, call, pid };
}

/** Starts the server in a folder, and returns it with what sends it a message. */
function start(cwd: string) {
  const program = useProgram(PROGRAM, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let id = 0;
  const send = (message: object) => {
    id += 1;
    program.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
    return id;
  };
  return { ...program, send };
}

test('a client starts the server, calls a tool and ends it', RUN, async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: PROGRAM,
    cwd: folderWith(...FAULTY_EHR),
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const party = { role: 'ehr-server', config: 'plain-ehr-faulty.yaml', only: 'exchange-token-used-once' };
  const answer = await client.callTool({ name: 'judge', arguments: party });
  expect(saidBy(answer).text).toContain('check: exchange-token-used-once (');
  const { pid } = transport;
  expect(pid !== null && isAlive(pid)).toBe(true);
  await client.close();
  await until(() => pid === null || !isAlive(pid));
});

test('standard output has nothing but messages of the protocol', RUN, async () => {
  const server = start(folderWith(...FAULTY_EHR));
  server.send(INITIALIZE);
  const party = { role: 'ehr-server', config: 'plain-ehr-faulty.yaml' };
  const call = (name: string, input: object) =>
    server.send({ method: 'tools/call', params: { name, arguments: input, _meta: { progressToken: name } } });
  call('doctor', party);
  call('judge', { ...party, only: 'exchange-token-used-once' });
  call('flow', { name: 'exchange-token-used-once' });
  const last = call('rerun', {});
  await server.says(new RegExp(`"id":${last}[,}]`), 'out');
  server.child.stdin?.end();
  const { code, out } = await server.ended;
  expect(code).toBe(0);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string });
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter(({ jsonrpc }) => jsonrpc !== '2.0')).toEqual([]);
});

test('a closed input ends the server and its party during a run', RUN, async () => {
  const { server, pid } = await startLongRun();
  server.child.stdin?.end();
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(isAlive(pid)).toBe(false);
});

test('SIGTERM ends the server and its party during a run', RUN, async () => {
  const { server, pid } = await startLongRun();
  expect(await server.stop()).toMatchObject({ code: 0 });
  expect(isAlive(pid)).toBe(false);
});

test('a cancelled call stops its run, and the next one is served', RUN, async () => {
  const { server, folder, party, call, pid } = await startLongRun();
  server.child.stdin?.write(
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: call } })}\n`,
  );
  await until(() => !isAlive(pid));
  const next = server.send({ method: 'tools/call', params: { name: 'doctor', arguments: party } });
  await server.says(new RegExp(`"id":${next}[,}]`), 'out');
  // A run that went on would have come to its end.
  expect(readReport(join(folder, 'conformance-report')).summary.conclusion).toBe('broken off');
  expect(server.text()).not.toContain(`"id":${call},"result"`);
  expect(server.text()).toContain('verdict: set up, ');
});

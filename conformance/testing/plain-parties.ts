/** Runs the plain examples as processes, with the mock authorization server, and records a client's calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { violationsOf } from '#protocol/wire/wire-guard.ts';
import { createLog } from '#service/process/log.ts';
import { example } from './cli.ts';

const INTERNAL_USER = 'auth-server';
/** Contains a non-ASCII letter, because the digest is over UTF-8. */
const INTERNAL_PASSWORD = 'internal-pässword';

export type Reply = {
  jsonrpc: '2.0';
  id: string | null;
  result?: { id?: string; patient?: { id: string }; user_sign?: string; userSign?: string };
  error?: { code: number; message: string; data: { reason: string; errors?: string[] } };
};
export type Cred = { user: string; token: string };
type Party = { urls: string[]; child: ChildProcess };

/** Starts a program that tells its addresses in its first line. It ends with the test. */
async function startParty(args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Party> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, EHR_INTERNAL_USER: INTERNAL_USER, EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const urls = line.match(/http:\/\/127\.0\.0\.1:\d+/g);
    if (urls) return { urls, child };
  }
  throw new Error(`${args.join(' ')} ended before it was ready.`);
}

/** A new directory that is removed when the test ends. */
function directoryOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plain-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * Starts the plain EHR server, or its twin with one fault, on the patients of the personas. A reply of the
 * right one must be what the method table says.
 */
export async function startPlainEhr({ fault, flags = [] }: { fault?: string; flags?: string[] } = {}) {
  const file = join(directoryOfTest(), 'patients.json');
  writeFileSync(file, JSON.stringify(allPersonaPatients));
  const program = example(fault ? 'plain-ehr/faulty.mjs' : 'plain-ehr/server.mjs');
  const ports = ['--port', '0', '--internal-port', '0', '--control-port', '0'];
  const { urls, child } = await startParty([program, '--patients', file, ...ports, ...flags], { FAULTS: fault });
  const [url = '', internalUrl = '', controlUrl = ''] = urls;
  const rpc = async (base: string, method: string, params: unknown, cred?: Cred): Promise<Reply> => {
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
    const response = await post(`${base}/1.0-alpha/`, request);
    const reply = await response.text();
    if (!fault) expect(violationsOf({ status: response.status, request, reply }, ehrMethods)).toEqual([]);
    return JSON.parse(reply) as Reply;
  };
  return {
    url,
    internalUrl,
    /** Calls as a client does. */
    call: (method: string, params: unknown = {}, cred?: Cred) => rpc(url, method, params, cred),
    /** Calls as the authorization server does, with the digest over the internal password and `secret`. */
    save: (method: string, params: unknown, secret: string) =>
      rpc(internalUrl, method, params, { user: INTERNAL_USER, token: digestOf(secret) }),
    control: (path: string, body: unknown = {}) => post(controlUrl + path, JSON.stringify(body)),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      return (await exited)[0] as number | null;
    },
  };
}
export type PlainEhr = Awaited<ReturnType<typeof startPlainEhr>>;

const digestOf = (secret: string) => createHash('sha1').update(`${INTERNAL_PASSWORD}${secret}`).digest('hex');

/** Sends one POST of JSON. */
export const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** Starts the mock authorization server in this process, with flags of its command, until the test ends. */
export async function startMockAuth(ehrUrl: string) {
  const memory = ['--database', ':memory:', '--otp-resend-after', '0', '--rate-limit', 'off'];
  const config = readAuthConfig(['--port', '0', '--ehr-url', ehrUrl, ...memory], {
    EHR_INTERNAL_USER: INTERNAL_USER,
    EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD,
  });
  if (!config) throw new Error('The flags ask for help.');
  const log = createLog('auth-server', 'silent');
  const { url, stop } = await createAuthServer({ config, clock: systemClock, random: systemRandom, log });
  onTestFinished(() => stop());
  return {
    url,
    async newestCode(phone: string): Promise<string> {
      const messages = (await (await fetch(`${url}/outbox?to=${phone}&wait=5`)).json()) as [{ code: string }];
      return messages[0].code;
    },
  };
}

export type NotedCall = { to: string; method: string; text: string };

/** Stands before a server and notes each call in `calls`. Returns its address. */
export async function startNotedServer(to: string, target: string, calls: NotedCall[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    calls.push({ to, method: (JSON.parse(text) as { method: string }).method, text });
    const answer = await (await post(target + request.url, text)).text();
    response.setHeader('content-type', 'application/json').end(answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Seen = { sees: string; text: string; patient?: { id: string } };

/** Starts the plain client, or its twin with one fault. */
export function startPlainClient(flags: readonly string[], fault?: string) {
  const program = example(fault ? 'plain-client/faulty.mjs' : 'plain-client/client.mjs');
  const child = spawn(process.execPath, [program, ...flags], {
    env: { ...process.env, FAULTS: fault },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async act(action: Record<string, unknown>): Promise<Seen> {
      child.stdin.write(`${JSON.stringify(action)}\n`);
      return JSON.parse((await lines.next()).value as string) as Seen;
    },
    async leave() {
      const exited = once(child, 'exit');
      child.stdin.end();
      return (await exited)[0] as number | null;
    },
  };
}

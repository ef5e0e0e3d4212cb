/**
 * The attacked server: the program that users run, on its own core where the system allows it, with a probe
 * that reports its memory.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/digest.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER, testEnvironment } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { killParty, populate } from '#testing/processes.ts';
import { callerOf, resultOf } from '#testing/wire.ts';
import type { Party, Target } from './messages.ts';

/** In bytes: the heap in use after garbage collection, and the resident memory of the process. */
export type Memory = { used: number; resident: number };

export type VictimServer = {
  pid: number;
  target: Target;
  /** Collects garbage, then measures. */
  memory(): Promise<Memory>;
  stop(): Promise<void>;
};

type Program = { main: string; path: string; bodyLimit: number; answer: string; callAt(url: string): Promise<string> };

const PROGRAMS: Readonly<Record<Party, Program>> = {
  ehr: {
    main: 'ehr-server/main.ts',
    path: '/1.0-alpha/',
    bodyLimit: 1024 * 1024,
    answer: '"result"',
    callAt: openSession,
  },
  // Measured by a refused call: a successful one needs an EHR server or is throttled.
  auth: {
    main: 'mock-auth-server/main.ts',
    path: '/',
    bodyLimit: 64 * 1024,
    answer: '"not_authorized"',
    callAt: async () => callText({ id: 1, method: 'auth.exchange_token', cred: { user: 'u-anna', token: 'unknown' } }),
  },
};
const PROBE = `process.on('message', () => { globalThis.gc(); globalThis.gc();
  const { heapUsed, external } = process.memoryUsage(); process.send(heapUsed + external); });
  process.on('disconnect', () => process.exit(0)); process.channel.unref();`;

/**
 * Starts the server. The measured caller of the EHR server holds a session that does not end during the run.
 */
export async function startVictim(party: Party, rateLimit: 'on' | 'off'): Promise<VictimServer> {
  const { main, path, bodyLimit, answer, callAt } = PROGRAMS[party];
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const database = join(folder, 'ehr.sqlite');
  populate(database);
  // Rebuilds the program when its sources have changed.
  execFileSync(process.execPath, ['scripts/run.mjs', main, '--help']);
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const [command, ...args] = [
    ...pinnedTo(0),
    process.execPath,
    '--expose-gc',
    '--import',
    probe,
    'scripts/run.mjs',
    main,
  ];
  const child = spawn(command as string, args, {
    env: {
      ...process.env,
      ...testEnvironment,
      EHR_DATABASE: database,
      EHR_RATE_LIMIT: rateLimit,
      AUTH_DATABASE: join(folder, 'auth.sqlite'),
      AUTH_RATE_LIMIT: rateLimit,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  try {
    const url = await addressOf(child);
    const target = { port: Number(new URL(url).port), path, bodyLimit, call: await callAt(url + path), answer };
    const pid = child.pid as number;
    return {
      pid,
      target,
      async memory() {
        const told = once(child, 'message');
        child.send('memory');
        return { used: (await told)[0] as number, resident: residentOf(pid) };
      },
      async stop() {
        await killParty(child);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await killParty(child);
    throw error;
  }
}

/**
 * Returns the resident memory of the process without file pages, in bytes; 0 where the system does not report
 * it.
 */
export function residentOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

/**
 * Returns the start of a command line that pins a program to one core. The server has the first core, all
 * others share the last.
 */
export function pinnedTo(seat: 0 | 1): string[] {
  if (!canPin()) return [];
  return ['taskset', '-c', String(seat === 0 ? 0 : availableParallelism() - 1)];
}

export function canPin(): boolean {
  return (
    process.platform === 'linux' &&
    availableParallelism() >= 2 &&
    spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0
  );
}

async function addressOf(child: ChildProcess): Promise<string> {
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk).slice(-2_000);
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error(`The server ended before it was ready: ${complaints}`);
}

/** Links Anna and returns the call that reads her record. */
async function openSession(endpoint: string): Promise<string> {
  const call = callerOf<typeof ehrMethods>(endpoint);
  const authInfo = { user: 'u-anna', token: 'token-of-the-measured-caller', ttl: 600 };
  const cred = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, 'exchange') };
  resultOf(await call('embedded_storage.save_exchange_token', { exchangeToken: 'exchange', authInfo }, cred));
  resultOf(await call('embedded_storage.authenticate', { exchangeToken: 'exchange', patientProperties: anna }));
  return callText({ id: 1, method: 'patient.get_patient', params: {}, cred: authInfo });
}

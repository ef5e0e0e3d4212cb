/**
 * The attacked server: the program that users run, on its own core where the system allows it, with a probe
 * that reports its memory.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER, testEnvironment } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { populate } from '#testing/programs/processes.ts';
import { callerOf, resultOf } from '#testing/wire.ts';
import type { Children } from '../processes.ts';
import type { Target } from './attacks.ts';

/** In bytes: the heap in use after garbage collection, and the resident memory of the process. */
export type VictimMemory = { used: number; resident: number };

export type Victim = {
  target: Target;
  /** Collects garbage, then measures. */
  memory(): Promise<VictimMemory>;
  stop(): Promise<void>;
};

const PROBE = `process.on('message', () => { globalThis.gc(); globalThis.gc();
  const { heapUsed, external } = process.memoryUsage(); process.send(heapUsed + external); });
  process.on('disconnect', () => process.exit(0)); process.channel.unref();`;

const PROGRAMS = {
  ehr: { main: 'ehr-server/main.ts', path: '/1.0-alpha/', bodyLimit: 1024 * 1024, answer: '"result"' },
  // Measured by a refused call: a successful one needs an EHR server or is throttled.
  auth: { main: 'mock-auth-server/main.ts', path: '/', bodyLimit: 64 * 1024, answer: '"not_authorized"' },
} as const;

const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+).*\n/;

/** Starts the server. The measured caller of the EHR server holds a session that outlives the run. */
export async function startVictim(children: Children, party: keyof typeof PROGRAMS): Promise<Victim> {
  const { main, ...program } = PROGRAMS[party];
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const env = {
    ...testEnvironment,
    EHR_DATABASE: join(folder, 'ehr.sqlite'),
    EHR_RATE_LIMIT: 'on',
    AUTH_DATABASE: join(folder, 'auth.sqlite'),
    AUTH_RATE_LIMIT: 'on',
  };
  populate(env.EHR_DATABASE);
  // Rebuilds the program when its sources have changed.
  execFileSync(process.execPath, ['scripts/run.mjs', main, '--help']);
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const args = ['--expose-gc', '--import', probe, 'scripts/run.mjs', main];
  const child = children.start(args, { seat: 'server', env });
  const stop = async () => {
    await child.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [, url = ''] = await child.says(ADDRESS);
    const call = party === 'ehr' ? await openSession(url + program.path) : UNAUTHORIZED;
    return {
      target: { ...program, port: Number(new URL(url).port), call },
      memory: async () => ({ used: await child.ask<number>('memory'), resident: residentOf(child.pid) }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const UNAUTHORIZED = callText({
  id: 1,
  method: 'auth.exchange_token',
  cred: { user: 'u-anna', token: 'unknown' },
});

/**
 * Returns the resident memory of a process without file pages, in bytes; 0 where the system does not tell.
 */
function residentOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

/** Links Anna and returns the call that reads her record. */
async function openSession(endpoint: string): Promise<string> {
  const call = callerOf<typeof ehrMethods>(endpoint);
  const authInfo = { user: 'u-anna', token: 'token-of-the-measured-caller', ttl: 600 };
  const cred = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, 'exchange') };
  resultOf(await call('embedded_storage.save_exchange_token', { exchangeToken: 'exchange', authInfo }, cred));
  resultOf(
    await call('embedded_storage.authenticate', { exchangeToken: 'exchange', patientProperties: anna }),
  );
  return callText({ id: 1, method: 'patient.get_patient', params: {}, cred: authInfo });
}

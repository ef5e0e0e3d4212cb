/**
 * The parties as separate processes, for tests that kill them. Databases are on disk; addresses survive a
 * restart because recording proxies stand in front.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patientInserter } from '#ehr-server/mis/insert.ts';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { testEnvironment } from '../fixtures.ts';
import { noteInFlow, watchLink } from '../recording/recorded-flow.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording/recording-proxy.ts';
import { callerOf, type RpcCaller } from '../wire.ts';
import { startProgram } from './program.ts';

export type Processes = {
  readonly toEhr: RpcCaller<typeof ehrMethods>;
  readonly toAuth: RpcCaller<typeof authMethods>;
  /** Stable base URLs of the parties, whichever process serves them. */
  readonly urls: { ehr: string; ehrInternal: string; auth: string };
  /** The database of the EHR server. */
  readonly database: string;
  /** Returns the newest code in the simulated SMS. */
  newestCode(to: string): Promise<string>;
  /** Kills every party with SIGKILL at the same time. */
  killAll(): Promise<void>;
  /** Starts every party again on its data. */
  restartAll(): Promise<void>;
  stop(): Promise<void>;
};

type Three<T> = [T, T, T];
/** A party, and the proxies in front of its addresses. */
type ProxiedParty = {
  main: string;
  env: Record<string, string>;
  proxies: RecordingProxy[];
  child: ChildProcess | undefined;
};

/** Starts the EHR server and the authorization server. */
export async function startProcesses(): Promise<Processes> {
  const folder = mkdtempSync(join(tmpdir(), 'ecosystem-'));
  const links = ['client->ehr', 'auth->ehr', 'client->auth'] as const;
  const started = links.map((link) => startRecordingProxy({ watch: watchLink(link) }));
  const [ehr, ehrInternal, auth] = (await Promise.all(started)) as Three<RecordingProxy>;
  const database = databaseIn(folder);
  populate(database);
  const env = environmentOf(folder, ehrInternal);
  const parties: ProxiedParty[] = [
    { main: 'ehr-server/main.ts', env, proxies: [ehr, ehrInternal], child: undefined },
    { main: 'mock-auth-server/main.ts', env, proxies: [auth], child: undefined },
  ];
  const restartAll = async () => {
    noteInFlow('All servers start.');
    await Promise.all(parties.map(restart));
  };
  const killAll = async () => {
    noteInFlow('All servers are killed.');
    await Promise.all(parties.map(({ child }) => killParty(child)));
  };
  await restartAll();
  return {
    toEhr: callerOf<typeof ehrMethods>(`${ehr.url}/1.0-alpha/`),
    toAuth: callerOf<typeof authMethods>(`${auth.url}/`),
    urls: { ehr: ehr.url, ehrInternal: ehrInternal.url, auth: auth.url },
    database,
    newestCode: (to) => newestCodeOf(auth.url, to),
    killAll,
    restartAll,
    async stop() {
      await killAll();
      await Promise.all([ehr, ehrInternal, auth].map((proxy) => proxy.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function restart(party: ProxiedParty): Promise<void> {
  const { child, urls } = await launchParty(party.main, party.env);
  party.child = child;
  for (const [index, proxy] of party.proxies.entries()) proxy.retarget(urls[index] as string);
}

async function newestCodeOf(authUrl: string, to: string): Promise<string> {
  const outbox = await fetch(`${authUrl}/outbox?to=${encodeURIComponent(to)}&wait=5`);
  const [newest] = (await outbox.json()) as [{ code: string }];
  return newest.code;
}

const databaseIn = (folder: string) => join(folder, 'ehr.sqlite');

function environmentOf(folder: string, ehrInternal: RecordingProxy): Record<string, string> {
  return {
    ...(testEnvironment as Record<string, string>),
    EHR_DATABASE: databaseIn(folder),
    EHR_INTERNAL_PORT: '0',
    AUTH_DATABASE: join(folder, 'auth.sqlite'),
    AUTH_EHR_URL: ehrInternal.url,
    AUTH_OTP_RESEND_AFTER: '0',
    // Eight times what is usual: so much slower may the machine be.
    AUTH_EHR_TIMEOUT: '40000',
  };
}

/** Creates a database with the patients of all personas. */
export function populate(file: string): void {
  const db = openDatabase(file);
  prepareMisSchema(db);
  const insert = patientInserter(db);
  for (const { patients } of personaList) patients.forEach(insert);
  db.close();
}

export type LaunchOptions = {
  /** Node flags, such as `--import`, before the program. */
  nodeFlags?: readonly string[];
  /** A command line that runs the one after it, for example to set limits. */
  through?: readonly string[];
  /** Aborts the start: the started process is killed. */
  signal?: AbortSignal;
};

/**
 * Starts a party. Resolves to its process and the addresses on its ready line: the public one, then the
 * internal one if there is one.
 * @throws Error with the party's output when it ends before it is ready; the signal's reason
 */
export async function launchParty(
  main: string,
  env: Readonly<Record<string, string>>,
  { nodeFlags = [], through = [], signal }: LaunchOptions = {},
): Promise<{ child: ChildProcess; urls: string[] }> {
  // Runs the built program, as users do. With Node flags it runs from source: what they load may be
  // TypeScript, and may change modules of the project.
  const program =
    nodeFlags.length === 0 ? ['scripts/run.mjs', main] : ['--import', 'tsx', ...nodeFlags, main];
  // `through` may limit what a build needs, so an outdated program is built before.
  if (through.length > 0) execFileSync(process.execPath, ['scripts/run.mjs', main, '--help']);
  const started = startProgram(program, { env, through });
  const giveUp = () => void started.child.kill('SIGKILL');
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  try {
    const [line] = await started.says(/^.*http:\/\/127\.0\.0\.1:\d+.*\n/m, 'out');
    return { child: started.child, urls: line.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [] };
  } catch (cause) {
    signal?.throwIfAborted();
    throw new Error(`${main} ended before it was ready: ${(cause as Error).message}`, { cause });
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Ends a party if it is running. Resolves when it has ended. */
export async function killParty(
  child: ChildProcess | undefined,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

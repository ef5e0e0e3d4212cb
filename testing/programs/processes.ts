/** The parties as separate processes, for tests that kill them or look at what they show on their ports. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { patientInserter } from '#ehr-server/mis/insert.ts';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { builtProgram } from '#scripts/build/built-program.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { startProgram } from './program.ts';

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

/** Resolves to the process and the addresses on its ready line: the public one, then the internal one. */
export async function launchParty(
  main: string,
  env: Readonly<Record<string, string>>,
  { nodeFlags = [], through = [], signal }: LaunchOptions = {},
): Promise<{ child: ChildProcess; urls: string[] }> {
  // With Node flags it runs from source: what they load may be TypeScript, and change modules.
  const program =
    nodeFlags.length === 0 ? ['scripts/run.mjs', main] : ['--import', 'tsx', ...nodeFlags, main];
  // `through` may limit what a build needs, so an outdated program is built before.
  if (through.length > 0) await builtProgram(root, main);
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

export async function killParty(
  child: ChildProcess | undefined,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

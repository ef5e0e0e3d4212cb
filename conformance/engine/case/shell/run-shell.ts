/** Runs a script of a case by the shell, as `sh case.sh` does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MAX_SCRIPT_MS, type ScriptEnd } from '../run-script.ts';

/** Runs the script with these environment variables beside our own. Without a shell its code is undefined. */
export async function runShell(
  script: string,
  { env, signal }: { env: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<ScriptEnd> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_SCRIPT_MS)]);
  const child = spawn('sh', ['-c', script], { env: { ...process.env, ...env }, signal: limit });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : undefined));
  const code = await ended.catch((error) => void said.push(Buffer.from(String(error))));
  return { code: code ?? undefined, said: Buffer.concat(said).toString('utf8') };
}

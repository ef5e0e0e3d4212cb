/** Runs the script of a case, as `node case.mjs` does, on a thread of this process: that starts faster. */
import { Worker } from 'node:worker_threads';

/** How a script ended. `code`: 0 it holds, 1 it fails, 2 it could not be played; undefined: it was ended. */
export type ScriptEnd = { code: number | undefined; said: string };

/** A script that takes longer (ms) is ended: it has too many calls to be read, or waits for a clock. */
const MAX_SCRIPT_MS = 60_000;

/** Runs the script with these environment variables beside our own. */
export function runScript(
  script: string,
  { env, signal }: { env: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<ScriptEnd> {
  const address = new URL(`data:text/javascript;charset=utf-8,${encodeURIComponent(script)}`);
  const worker = new Worker(address, {
    env: { ...process.env, ...env },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  const said: Buffer[] = [];
  const hear = (chunk: Buffer | string) => said.push(Buffer.from(chunk));
  worker.stdout.on('data', hear);
  worker.stderr.on('data', hear);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_SCRIPT_MS)]);
  const end = () => void worker.terminate();
  limit.addEventListener('abort', end, { once: true });
  return new Promise((resolve) => {
    worker.on('error', (error) => hear(String(error)));
    worker.on('exit', (code) => {
      limit.removeEventListener('abort', end);
      resolve({ code: limit.aborted ? undefined : code, said: Buffer.concat(said).toString('utf8') });
    });
  });
}

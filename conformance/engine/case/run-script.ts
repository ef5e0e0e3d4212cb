/** Runs the script of a case, as `node case.mjs` does, on a thread of this process: that starts faster. */
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

/** How a script ended. `code`: 0 it holds, 1 it fails, 2 it could not be played; undefined: it was ended. */
export type ScriptEnd = { code: number | undefined; said: string };

/** A script that takes longer (ms) is ended: it has too many calls to be read, or waits for a clock. */
export const MAX_SCRIPT_MS = 60_000;

/** How a script is run. */
export type ScriptRun = {
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Does what the script asks of a person, in its words; then the script is told that it is done. */
  person?: ((sentence: string) => Promise<void>) | undefined;
};

/** Runs the script with these environment variables beside our own. */
export function runScript(script: string, { env, signal, person }: ScriptRun): Promise<ScriptEnd> {
  const address = new URL(`data:text/javascript;charset=utf-8,${encodeURIComponent(script)}`);
  const worker = new Worker(address, {
    env: { ...process.env, ...env },
    stdout: true,
    stderr: true,
    stdin: person !== undefined,
    execArgv: [],
  });
  const said: Buffer[] = [];
  const hear = (chunk: Buffer | string) => said.push(Buffer.from(chunk));
  worker.stdout.on('data', hear);
  worker.stderr.on('data', hear);
  if (person)
    createInterface({ input: worker.stdout }).on('line', (line) => void doneBy(person, line, worker));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(person ? MAX_BY_PERSON_MS : MAX_SCRIPT_MS)]);
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

/** A script that waits longer (ms) for a person is ended. */
const MAX_BY_PERSON_MS = 1_800_000;

/**
 * Does what a numbered line of the script asks for. The input of the script ends when the person fails, and
 * when the script has told its result: it would wait for more.
 */
async function doneBy(person: NonNullable<ScriptRun['person']>, line: string, worker: Worker) {
  if (/^(holds$|fails: |could not be played: )/.test(line)) worker.stdin?.end();
  const [, sentence] = /^\d+\. (.*)$/.exec(line) ?? [];
  if (sentence === undefined) return;
  await person(sentence).then(
    () => worker.stdin?.write('\n'),
    () => worker.stdin?.end(),
  );
}

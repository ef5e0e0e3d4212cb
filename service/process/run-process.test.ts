import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const PARTY = fileURLToPath(new URL('testing-party.ts', import.meta.url));

type Party = {
  child: ChildProcess;
  /** Wait until the party has written this to standard output. */
  said(words: string): Promise<void>;
  /** Its exit code and its output. */
  ended: Promise<{ code: number | null; signal: string | null; out: string; err: string }>;
};

function startParty(...args: string[]): Party {
  const child = spawn(process.execPath, ['--import', 'tsx', PARTY, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { out: '', err: '' };
  let heard = (): void => undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.err += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text;
    heard();
  });
  const ended = new Promise<Awaited<Party['ended']>>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...written }));
  });
  const said = (words: string) =>
    new Promise<void>((resolve, reject) => {
      heard = () => {
        if (written.out.includes(words)) resolve();
      };
      heard();
      void ended.then(({ err }) => reject(new Error(`The party ended before it said "${words}": ${err}`)));
    });
  return { child, said, ended };
}

test('unusable settings end the process with code 2 and sentences', async () => {
  const err = '--port must be a number.\n--host is not set.\n';
  expect(await startParty('bad-settings').ended).toEqual({ code: 2, signal: null, out: '', err });
});

test('a start that fails ends with code 1 and one sentence', async () => {
  const err = 'Failed to open the database: it is locked.\n';
  expect(await startParty('fails-after-opening').ended).toEqual({ code: 1, signal: null, out: '', err });
});

test('a process ended as it becomes ready stops cleanly, with code 0', async () => {
  const { child, said, ended } = startParty('serve', 'cleanly');
  await said('ready');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null, out: 'ready\nstopping\nstopped\n', err: '' });
});

test('a process whose stop hangs is ended when the limit has passed', async () => {
  const { child, said, ended } = startParty('serve', 'never', '20');
  await said('ready');
  child.kill('SIGTERM');
  const err = 'Failed to stop within 0.02 s: gave up waiting.\n';
  expect(await ended).toEqual({ code: 1, signal: null, out: 'ready\nstopping\n', err });
});

/** Programs whose standard output nobody reads. */
import { expect } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { testEnvironment } from '../fixtures.ts';
import { useProgram } from './use-program.ts';

/** Says on standard error when a port is open: the line that says so on standard output has no reader. */
const TELLS_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    this.once('listening', () => process.stderr.write('a port is open\\n'));
    return listen.apply(this, args);
  };
`)}`;

/** Starts a program whose standard output has lost its reader before anything is written. */
export function startUnread(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = useProgram(['scripts/run.mjs', ...words], { cwd: root, env });
  program.child.stdout?.destroy();
  const ended = program.ended.then(({ code, err }) => ({ code, complaints: err }));
  return { ...program, ended };
}

/** Expects that a server serves without a reader, and ends in peace on the signal. */
export async function expectServesUnread(module: string, signal: NodeJS.Signals): Promise<void> {
  const env = { ...testEnvironment, CLIENT_PORT: '0', NODE_OPTIONS: `--import=${TELLS_PORT}` };
  const { child, says, ended } = startUnread([module], env);
  await says(/./, 'err');
  child.kill(signal);
  const { code, complaints } = await ended;
  expect(code, complaints).toBe(0);
  expect(complaints.replaceAll('a port is open\n', '')).toBe('');
}

/** Ends that are not Ctrl-C: nobody reads what a program writes, or another signal asks it to end. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { testEnvironment } from '#testing/fixtures.ts';
import { useProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';

const RUN = { timeout: 120_000 };

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
function startUnread(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = useProgram(['scripts/run.mjs', ...words], { cwd: root, env });
  program.child.stdout?.destroy();
  const ended = program.ended.then(({ code, err }) => ({ code, complaints: err }));
  return { ...program, ended };
}

const runUnread = (...words: string[]) => startUnread(words).ended;

const PLAIN = 'conformance/examples/plain-js.yaml';

test('help that nobody reads ends quietly', RUN, async () => {
  expect(await runUnread('scripts/docs/main.ts', '--help')).toEqual({ code: 0, complaints: '' });
});

test('a run that nobody reads is played to its end, and reported', RUN, async () => {
  const reports = temporaryFolder();
  const only = ['--only', 'link-recorded', '--report', reports];
  expect(await runUnread('conformance/main.ts', 'auth-server', '--config', PLAIN, ...only)).toMatchObject({
    code: 0,
  });
  expect(existsSync(join(reports, 'report.html'))).toBe(true);
});

test.each([
  ['ehr-server/main.ts', 'SIGTERM'],
  ['mock-auth-server/main.ts', 'SIGINT'],
  ['mock-client/main.ts', 'SIGHUP'],
] as const)('%s serves without a reader until %s, and ends with code 0', RUN, async (module, signal) => {
  const env = { ...testEnvironment, CLIENT_PORT: '0', NODE_OPTIONS: `--import=${TELLS_PORT}` };
  const { child, says, ended } = startUnread([module], env);
  await says(/./, 'err');
  child.kill(signal);
  const { code, complaints } = await ended;
  expect(code, complaints).toBe(0);
  expect(complaints.replaceAll('a port is open\n', '')).toBe('');
});

/** Ends that are not Ctrl-C: nobody reads what a program writes, or another signal asks it to end. */
import { existsSync, readFileSync } from 'node:fs';
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

test('help that nobody reads ends quietly, for every program', RUN, async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const started = Object.values(scripts).flatMap(
    (line) => /^node scripts\/run\.mjs (\S+)$/.exec(line)?.[1] ?? [],
  );
  const programs = started.filter((program) => program !== 'scripts/build/library/main.ts');
  const ended = await Promise.all(programs.map((program) => runUnread(program, '--help')));
  expect(ended).toEqual(programs.map(() => QUIET));
});

const QUIET = { code: 0, complaints: '' };
const PLAIN = 'conformance/examples/plain-js.yaml';

test.each([
  ['a doctor', ['conformance/main.ts', 'doctor', '--config', PLAIN], 0],
  ['a list of checks', ['conformance/main.ts', 'client', '--list'], 0],
  ['a list of personas', ['mis-fixtures/main.ts', 'personas', '--json'], 0],
  [
    'a self-test',
    ['conformance/main.ts', 'self-test', '--role', 'ehr-server', '--only', 'no-such-variant'],
    2,
  ],
])('%s that nobody reads has the exit code of its result', RUN, async (_what, words, code) => {
  const ended = await runUnread(...words);
  expect(ended).toMatchObject({ code });
  expect(ended.complaints).not.toMatch(/EPIPE|^ {4}at /m);
});

test('a run that nobody reads is played to its end, and reported', RUN, async () => {
  const reports = temporaryFolder();
  const only = ['--only', 'link-recorded', '--report', reports];
  expect(await runUnread('conformance/main.ts', 'auth-server', '--config', PLAIN, ...only)).toMatchObject({
    code: 0,
  });
  expect(existsSync(join(reports, 'report.html'))).toBe(true);
});

const SERVERS = ['ehr-server/main.ts', 'mock-auth-server/main.ts', 'mock-client/main.ts'];
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

test.each(SERVERS.flatMap((module) => SIGNALS.map((signal) => [module, signal] as const)))(
  '%s serves without a reader until %s, and ends with code 0',
  RUN,
  async (module, signal) => {
    const env = { ...testEnvironment, CLIENT_PORT: '0', NODE_OPTIONS: `--import=${TELLS_PORT}` };
    const { child, says, ended } = startUnread([module], env);
    await says(/./, 'err');
    child.kill(signal);
    const { code, complaints } = await ended;
    expect(code, complaints).toBe(0);
    expect(complaints.replaceAll('a port is open\n', '')).toBe('');
  },
);

import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { isRunning } from '#service/process/signals.ts';
import { listening } from '#testing/listening.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readReport, runCli, startCli, until } from './testing/cli.ts';
import { withLongCodes, writePlainFile, writingPid } from './testing/plain-server.ts';

const RUN_TIMEOUT_MS = 180_000;

/** Checks of a short scenario, and of one that waits for the end of a code when the run is aborted. */
const ONLY = 'link-recorded,expired-code-refused';

/** No answer of the server for this long (ms): the run waits for the end of the code alone. */
const AT_REST_MS = 2_000;

/** A partial report must be readable, red, and the same when it is judged again. */
async function expectPartial(directory: string): Promise<void> {
  const { summary, verdicts } = readReport(directory);
  expect(summary).toMatchObject({ conclusion: 'broken off', finished: false });
  expect(summary.exitCode).not.toBe(0);
  expect(verdicts.find(({ check }) => check === 'link-recorded')?.outcome).toBe('pass');
  expect(verdicts.find(({ check }) => check === 'expired-code-refused')?.outcome).toBe('inconclusive');
  expect(readFileSync(join(directory, 'junit.xml'), 'utf8')).toMatch(/<\/testsuites>\s*$/);
  expect(readFileSync(join(directory, 'junit.xml'), 'utf8')).toMatch(/<(?:error|failure)\b/);
  expect(readFileSync(join(directory, 'report.html'), 'utf8')).toMatch(/broken off[\s\S]*<\/html>\s*$/);

  const again = join(directory, 'again');
  const saved = join(directory, 'run.json');
  const { code, output } = await runCli('replay', saved, '--only', ONLY, '--report', again);
  expect(code).not.toBe(0);
  expect(output).toContain('broken off');
  expect(readReport(again).verdicts).toEqual(verdicts);
}

test('Ctrl-C judges what there is, writes the report and stops the started server', {
  timeout: RUN_TIMEOUT_MS,
}, async () => {
  const directory = temporaryFolder();
  const pidFile = join(directory, 'pid');
  const config = writePlainFile(directory, (file) => {
    writingPid(file, pidFile);
    withLongCodes(file);
  });
  const cli = startCli('auth-server', '--config', config, '--only', ONLY, '--report', directory);
  await cli.says(/Waiting \d+ s/);
  await until(() => systemClock.now() - statSync(`${pidFile}.answered`).mtimeMs > AT_REST_MS);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(isRunning(pid)).toBe(true);
  try {
    cli.child.kill('SIGINT');
    const { code, output } = await cli.ended;
    expect(code).toBe(1);
    expect(isRunning(pid)).toBe(false);
    expect(output).toContain('The run was broken off');
    await expectPartial(directory);
  } finally {
    cli.child.kill('SIGKILL');
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

// The code of each signal is in engine/cli/commands/process.test.ts.
test('a doctor ended by a signal has its code, and writes nothing', async () => {
  const directory = temporaryFolder();
  // Accepts connections and never answers, so that the doctor waits.
  const silent = createServer();
  const port = await listening(silent);
  const asked = once(silent, 'connection');
  const config = writePlainFile(directory, (file) => {
    file.server = { url: `http://127.0.0.1:${port}` };
  });
  const before = readdirSync(directory);
  const others = process.listeners('SIGTERM');
  const ended = runCli('doctor', '--config', config);
  const [socket] = (await asked) as [Socket];
  // This process goes on, so the signal goes to the doctor alone.
  const own = process.listeners('SIGTERM').filter((listener) => !others.includes(listener));
  for (const listener of own) listener('SIGTERM');
  expect(await ended).toEqual({ code: 143, output: expect.stringMatching(/Interrupted\.\n$/) });
  expect(readdirSync(directory)).toEqual(before);
  socket.destroy();
  silent.close();
});

/** The surroundings fail the kit: directories that cannot be written to, before a run and on the way. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { runText } from './engine/journal/run-file.ts';
import { fakeRun } from './engine/report/testing/fake-run.ts';
import { example, runCli, until } from './testing/cli.ts';
import { writePlainFile, writingPid } from './testing/plain-server.ts';

const RUN = { timeout: 60_000 };

afterEach(() => void vi.unstubAllEnvs());

/** Each kind of command that writes reports or a file, by the setting that names where. */
const COMMANDS: Readonly<Record<string, (place: string, run: string) => string[]>> = {
  'auth-server --report': (place) => ['auth-server', '--config', example('plain-js.yaml'), '--report', place],
  'replay --report': (place, run) => ['replay', run, '--report', place],
  'init file': (place) => ['init', join(place, 'my-server.yaml')],
};

// Which places are refused is in service/process/files/writing.test.ts.
test.each(Object.keys(COMMANDS))(
  '%s: a directory below a file is refused by name, and nothing is played',
  RUN,
  async (command) => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'file'), 'theirs');
    const saved = join(directory, 'run.json');
    writeFileSync(saved, runText(fakeRun({ crowd: 1 }).run));
    const before = readdirSync(directory);
    const place = join(directory, 'file', 'reports');
    const { code, output } = await runCli(...(COMMANDS[command]?.(place, saved) ?? []));
    expect(code, output).toBe(2);
    expect(output).toContain(place);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(directory)).toEqual(before);
  },
);

test('a TMPDIR that is not there is named, and nothing is played', RUN, async () => {
  const directory = temporaryFolder();
  const reports = join(directory, 'reports');
  vi.stubEnv('TMPDIR', join(directory, 'nowhere'));
  const config = example('plain-client.yaml');
  const { code, output } = await runCli('client', '--config', config, '--report', reports);
  expect(code, output).toBe(2);
  expect(output).toContain(
    `TMPDIR must name a directory that can be written to; given was "${join(directory, 'nowhere')}"`,
  );
  expect(output).not.toMatch(/^ {4}at /m);
  expect(existsSync(reports)).toBe(false);
});

test('a lost report directory costs the reports, not the verdict', RUN, async () => {
  const directory = temporaryFolder();
  const reports = join(directory, 'reports');
  const pid = join(directory, 'pid');
  const config = writePlainFile(directory, (file) => writingPid(file, pid));
  const only = ['--only', 'link-recorded'];
  const judging = runCli('auth-server', '--config', config, ...only, '--report', reports);
  await until(() => existsSync(pid));
  writeFileSync(reports, 'in the way');
  const { code, output } = await judging;
  expect(code, output).toBe(0);
  expect(output).toContain(`Failed to write ${join(reports, 'run.json')}, `);
  expect(output).toMatch(/\((?:ENOTDIR|EEXIST)\)\.$/m);
  expect(output).toMatch(/^Interface +conformant \(/m);
  expect(output).not.toMatch(/^ {4}at /m);
});

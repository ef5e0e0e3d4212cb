import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadTls } from '#service/tls/tls-files.ts';
import { foreignFiles, placeForeign } from '#testing/foreign-files.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readRun } from './engine/journal/input-file.ts';
import { readText } from './engine/party/file/read-settings.ts';
import { loadKnownFailures } from './engine/report/known-failures.ts';
import { readReport } from './engine/report/schema/schema.ts';
import { example, runCli } from './testing/cli.ts';
import { writePlainFile } from './testing/plain-server.ts';

const RUN = { timeout: 60_000 };

/** Every wrong input ends with exit code 2 and sentences, never with a stack. */
async function refused(...args: string[]): Promise<string> {
  const { code, output } = await runCli(...args);
  expect(code, output).toBe(2);
  expect(output).not.toMatch(/^ {4}at /m);
  return output;
}

test('an unknown flag or command is told with what was probably meant', RUN, async () => {
  expect(await refused('auth-server', '--config', 'x.yaml', '--reprot', 'y')).toContain(
    'Did you mean --report?',
  );
  expect(await refused('auth-servr', '--config', 'x.yaml')).toContain('Did you mean auth-server?');
});

test('a check that is not there is told', RUN, async () => {
  const said = await refused('auth-server', '--config', example('plain-js.yaml'), '--only', 'no-such-check');
  expect(said).toContain('--only no-such-check: no check, scenario, requirement or clause of this name.');
});

test('a missing list of failures, saved run or report is told', RUN, async () => {
  const config = example('plain-js.yaml');
  expect(await refused('auth-server', '--config', config, '--baseline', 'nowhere.yaml')).toContain(
    'nowhere.yaml',
  );
  expect(await refused('replay', 'nowhere.json')).toContain(
    'nowhere.json: there is no such file. Please name',
  );
  expect(await refused('rerun', 'nowhere.json')).toContain(
    'nowhere.json: there is no such file. Please name',
  );
});

test.each([
  ['client', 'client'],
  ['ehr-server', 'server'],
])('a mistake in the file about a %s is told with its place', RUN, async (role, section) => {
  const directory = temporaryFolder();
  const file = join(directory, 'mine.yaml');
  writeFileSync(file, `name: Mine\n${section}:\n  comand: []\n`);
  const said = await refused(role, '--config', file, '--report', directory);
  expect(said).toContain(`${file}:3:3 ${section}.comand: `);
  expect(await refused(role, '--config', 'nowhere.yaml')).toMatch(/nowhere\.yaml.*no such file/s);
});

test('a client command with a template that is unknown is told which there are', RUN, async () => {
  const directory = temporaryFolder();
  const file = join(directory, 'mine.yaml');
  writeFileSync(file, `name: Mine\nclient:\n  command: [node, client.mjs, "\${url}"]\n`);
  const said = await refused('client', '--config', file, '--report', directory);
  expect(said).toContain(`${file}:3:31 client.command[2]: may have the templates \${authUrl}, \${ehrUrl}, `);
});

test('a self-test of nothing says so', RUN, async () => {
  expect(await refused('self-test', '--role', 'ehr-server', '--only', 'no-such-id')).toContain(
    '--only no-such-id chooses nothing',
  );
});

test('the list of checks names the scenarios too, of which --only speaks', RUN, async () => {
  const { code, output } = await runCli('auth-server', '--config', 'not-read.yaml', '--list');
  expect(code).toBe(0);
  expect(output).toMatch(/^Scenarios, which --only takes too:\n(?:.*\n)*crowd {10}/m);
});

test('with --quiet the problem is told, and nothing else', RUN, async () => {
  const directory = temporaryFolder();
  const config = writePlainFile(directory, (file) => {
    file.server = { url: 'http://127.0.0.1:1' };
  });
  const loud = await refused('auth-server', '--config', config, '--report', directory);
  expect(loud).toMatch(/^ {2}ok /m);
  const said = await refused('auth-server', '--config', config, '--report', directory, '--quiet');
  expect(said).not.toMatch(/^ {2}ok |^begin/m);
  expect(said).toContain('NOT  The server under test answers');
});

const READERS = {
  'an adapter file': readText,
  'known failures': (file: string) => loadKnownFailures(file, []),
  'a saved run': readRun,
  'a saved report': readReport,
  'a certificate': (file: string) => {
    const named = { path: file, setting: '--tls-cert' };
    return loadTls({ pair: { cert: named, key: named } }, 0);
  },
};

for (const [what, foreign] of Object.entries(foreignFiles)) {
  if (!/pipe|device|directory/.test(what)) continue;
  for (const [reader, read] of Object.entries(READERS)) {
    test(`a ${what} in place of ${reader} is refused at once, unchanged`, () => {
      const { file, picture } = placeForeign(foreign);
      const before = picture();
      expect(() => read(file)).toThrow(foreign.called);
      expect(() => read(file)).toThrow(`${file}`);
      expect(picture()).toEqual(before);
    });
  }
}

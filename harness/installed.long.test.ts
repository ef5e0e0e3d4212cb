/** `embedded-ehr-harness` of an installed package, in an empty folder, as somebody tries it first. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { flagsOf, portsOfDemo } from '#demo/testing/start-demo.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { buildAll } from '#scripts/build/built-program.mjs';
import { programDirectory } from '#scripts/build/programs.mjs';
import { installPackage, publishDry } from '#scripts/build/testing/installed.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { useProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { callerOf, reasonOf } from '#testing/wire.ts';

let installed: string;
beforeAll(async () => {
  await buildAll(root);
  installed = installPackage(publishDry());
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));

const HARNESS = 'embedded-ehr-harness';
const program = () => join(installed, programDirectory, `${HARNESS}.js`);

function run(...words: string[]) {
  const options = { cwd: temporaryFolder(), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(), ...words], options);
  return { status, stdout, stderr };
}

test('the help is one screen, and lists every command', () => {
  const { status, stdout } = run('--help');
  expect(status).toBe(0);
  expect(stdout.split('\n').length).toBeLessThanOrEqual(30);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  const commands = [...stdout.matchAll(/^ {2}([a-z][\w-]+) {2,}\S.*$/gm)].map(([, name]) => name);
  expect(commands.toSorted()).toEqual(
    [
      ...['demo', 'clock', 'fault', 'auth-server', 'client', 'fixtures'],
      ...['e2e', 'interop', 'conformance', 'ehr-server'],
    ].toSorted(),
  );
  for (const command of commands) {
    const help = run(command ?? '', '--help').stdout;
    expect(help).toContain(`Usage: ${HARNESS} ${command} `);
    expect(help).not.toContain('npm run');
  }
  expect(run('help', 'demo').stdout).toBe(run('demo', '--help').stdout);
});

test('the version is that of the package, and an unknown command names the nearest', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(run('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
  expect(run('demmo')).toMatchObject({
    status: 2,
    stderr: `error: unknown command 'demmo'\n(Did you mean demo?)\nSee "${HARNESS} --help" for the options.\n`,
  });
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining(`Usage: ${HARNESS}`) });
});

test('flags behind a command are its own, and its messages name what was typed', () => {
  const { status, stderr } = run('ehr-server', '--wrong', '--version=1');
  expect([status, stderr]).toEqual([2, expect.stringContaining(`See "${HARNESS} ehr-server --help"`)]);
  expect(run('fixtures', 'personas', '--json').stdout).toContain('"Petrova"');
});

async function startDemo(program: string, ...more: string[]) {
  const ports = await portsOfDemo();
  const cwd = temporaryFolder();
  const demo = useProgram([program, 'demo', '--patients', '0', ...flagsOf(ports), ...more], { cwd });
  await demo.says(/\nReady:.*\n/, 'out');
  return { ...demo, cwd, ehr: `http://127.0.0.1:${ports.ehr}/1.0-alpha/` };
}

test('the demo starts in an empty folder, its console answers, and its clock moves', async () => {
  const demo = await startDemo(program());
  const [address = ''] = /^http\S+token=\S+/m.exec(demo.text()) ?? [];
  const html = await (await fetch(address)).text();
  const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(html) ?? [];
  expect((await fetch(new URL(script, address))).status).toBe(200);
  expect(demo.text()).toContain(`${HARNESS} clock advance 10m`);
  expect(demo.text()).not.toContain('in memory');
  const { cwd } = demo;
  const move = [program(), 'clock', 'advance', '10m'];
  const moved = spawnSync(process.execPath, move, { cwd, encoding: 'utf8' });
  expect(moved).toMatchObject({ status: 0, stdout: expect.stringContaining('the EHR server\n') });
  expect((await demo.stop('SIGINT')).code).toBe(0);
});

test('without a native module the demo runs in memory, and says so', async () => {
  const without = installPackage(publishDry(), 'better-sqlite3');
  onTestFinished(() => rmSync(without, { recursive: true, force: true }));
  const demo = await startDemo(join(without, programDirectory, `${HARNESS}.js`), '--no-console');
  expect(demo.text()).toMatch(
    /^Everything is kept in memory until the demo stops: better-sqlite3 is not installed\.$/m,
  );
  const call = callerOf<typeof ehrMethods>(demo.ehr);
  const reply = await call('patient.get_patient', {}, { user: 'nobody', token: 'none' });
  expect(reasonOf(reply)).toBe('not_authorized');
  expect((await demo.stop('SIGINT')).code).toBe(0);
});

test('the flows are green in an empty folder, and a missing browser is told', () => {
  const { status, stdout } = run('e2e');
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(
      /\nNot played in a browser\. .* npm install @playwright\/test\n\nflows: \d+ passed, 0 failed, 0 left out\n$/,
    ),
  ]);
});

test('parties of other makes are matched, and a missing msw is told', () => {
  const file = join(installed, 'conformance/examples/interop.yaml');
  const { status, stdout } = run('interop', file, 'first-link');
  expect(status).toBe(1);
  expect(stdout.match(/^✓ 1 passed/gm)).toHaveLength(8);
  expect(stdout).toContain('The handlers for msw need msw, which is not installed: npm install msw');
});

test('a verdict on the plain example is reached in an empty folder', () => {
  const file = join(installed, 'conformance/examples/plain-ehr.yaml');
  const only = ['--only', 'exchange-token-used-once'];
  const { status, stdout } = run('conformance', 'ehr-server', '--config', file, ...only);
  expect([status, stdout]).toEqual([0, expect.stringContaining('The one check that applies passed')]);
});

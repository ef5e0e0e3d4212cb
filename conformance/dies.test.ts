import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readRun } from './engine/journal/input-file.ts';
import { reportOf } from './engine/report/model.ts';
import { reportText } from './engine/report/terminal/console.ts';
import { loadAdapter } from './roles/auth-server/adapter/file/load.ts';
import { keptOverRestart } from './roles/auth-server/flows/links/kept-over-restart.ts';
import { playAll } from './roles/auth-server/people/play.ts';
import { serverSurvives } from './roles/auth-server/rules/server-survives.ts';
import { judge } from './roles/judge.ts';
import { example, readExample, readReport, runCli, writeParty } from './testing/cli.ts';
import { openTestRun, type PlainFile, writePlainFile } from './testing/plain-server.ts';

/** Scenarios that run side by side, and checks that judge the messages of them. */
const ONLY = [
  ...['logout', 'deletion'],
  ...['envelope', 'cred-present', 'auth-info-complete', 'calls-accepted', 'digest-shape', 'own-user-sign'],
  ...['saved-before-answer', 'secrets-not-in-clear', 'no-patient-data', 'no-secrets-in-output'],
  ...['call-is-post-json', 'cred-user', 'exchange-token-digest', 'user-sign-digest'],
].join(',');

/** The number of requests before the server dies: in the middle of them. */
const REQUEST_COUNT = 40;

/** A right server that throws in one request of its first life. It notes each of its lives in `lives`. */
function dyingOnce(lives: string): string {
  return `
    const { appendFileSync, readFileSync } = require('node:fs');
    appendFileSync(${JSON.stringify(lives)}, 'x');
    const isFirst = readFileSync(${JSON.stringify(lives)}, 'utf8') === 'x';
    const { Server } = require('node:http');
    const { emit } = Server.prototype;
    let requests = 0;
    Server.prototype.emit = function (event, ...args) {
      if (event === 'request' && ++requests === ${REQUEST_COUNT} && isFirst) throw new Error('the pool is empty');
      return emit.call(this, event, ...args);
    };
    import(${JSON.stringify(pathToFileURL(example('mock-server.mjs')).href)});
  `;
}

/** The adapter file of such a server, in a directory of its own. No scenario restarts it: it keeps `memory`. */
function fileOf(directory: string, lives: string): string {
  const file = readExample<PlainFile>('mock.yaml');
  const { start } = file.server;
  if (start) start.command = [process.execPath, '-e', dyingOnce(lives)];
  Object.assign(start?.env ?? {}, { AUTH_DATABASE: join(directory, 'auth.sqlite') });
  return writeParty(directory, file);
}

/**
 * The report on a run, as if it had been asked for the survival of the server too. `--only` cannot add that
 * check, which judges every scenario, to the few that are played here.
 */
function reportWithSurvival(reports: string) {
  const run = readRun(join(reports, 'run.json'));
  const scenarios = run.entries.flatMap((entry) => (entry.kind === 'scenario' ? [entry.scenario] : []));
  const checks = [{ ...serverSurvives, scenarios: [...new Set(scenarios)] }];
  const verdicts = [...readReport(reports).verdicts, ...judge(run, { checks })];
  return reportOf(run, verdicts, { role: 'auth-server', checks });
}

test('a server that dies amid a run is one finding, and is started again', { timeout: 180_000 }, async () => {
  const directory = temporaryFolder();
  const [lives, reports] = [join(directory, 'lives'), join(directory, 'reports')];
  const config = fileOf(directory, lives);
  const { output } = await runCli('auth-server', '--config', config, '--only', ONLY, '--report', reports);
  expect(readFileSync(lives, 'utf8').length, output).toBeGreaterThan(1);
  const report = reportWithSurvival(reports);
  const { verdicts, summary, causes } = report;
  expect(verdicts.length).toBeGreaterThan(20);
  expect(summary).toMatchObject({ conclusion: 'not safe', exitCode: 1 });
  const red = verdicts.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not applicable');
  expect(red.map(({ check, outcome }) => `${check}: ${outcome}`)).toEqual(['server-survives: fail']);
  expect(causes.map(({ checks }) => checks)).toEqual([['server-survives']]);
  expect(red[0]?.finding).toMatchObject({
    actual: expect.stringMatching(
      /^it ended with code 1; its last lines of output: .*Error: the pool is empty/,
    ),
    blame: 'auth server',
  });
  const text = reportText(report, { paint: (_style, plain) => plain, width: 80 });
  expect(text).toContain('Error: the pool is empty');
  expect(text).toMatch(/^Safety {6}1 weakness/m);
});

/** Plays the restart on the plain JavaScript example, with its file changed by `change`. */
async function verdictOver(change: (file: PlainFile) => void) {
  const directory = temporaryFolder();
  const config = writePlainFile(directory, (file) => {
    change(file);
    // Every call is answered here, late on a busy machine.
    Object.assign(file.server.start?.env ?? {}, { EHR_TIMEOUT_MS: '60000' });
  });
  const run = await openTestRun(await loadAdapter(config, {}));
  try {
    await playAll(run.driver, [keptOverRestart]);
    const meta = run.meta({ tool: 'test', finished: true });
    // A busy machine does not change what the server remembers.
    const entries = run.bed.recorder.entries().filter(({ kind }) => kind !== 'silence');
    return judge({ meta, entries }).find(({ check }) => check === 'link-kept-over-restart');
  } finally {
    await run.close();
  }
}

test('a restart of the server shows what it had in memory alone', async () => {
  const verdict = await verdictOver(({ server }) => delete server.start?.keeps);
  expect(verdict).toMatchObject({ outcome: 'warning', finding: { actual: 'save_auth_info was not sent' } });
});

test('a server whose file says that it keeps nothing is not started again', async () => {
  expect(await verdictOver(() => undefined)).toMatchObject({ outcome: 'not applicable' });
});

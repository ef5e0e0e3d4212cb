import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readRun } from './engine/journal/run-file.ts';
import { survivalRules } from './roles/auth-server/rules/server-survives.ts';
import { judge } from './roles/judge.ts';
import { inDirectory, readReport, runCli } from './testing/cli.ts';

const shape = (name: string) => fileURLToPath(new URL(`roles/auth-server/shapes/${name}`, import.meta.url));

/** What is played: scenarios that run side by side. */
const ONLY = 'logout,deletion,wrong-sessions,save-trouble';

/** The number of requests before the server dies: in the middle of them. */
const REQUEST_COUNT = 60;

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
    process.argv[1] = ${JSON.stringify(shape('carried-sign.mjs'))};
    import('./carried-sign.mjs');
  `;
}

/** The adapter file of such a server, in a directory of its own. */
function fileOf(directory: string, lives: string): string {
  const adapter = parse(readFileSync(shape('carried-sign.yaml'), 'utf8'));
  const { start } = adapter.server;
  Object.assign(start, { cwd: shape(''), command: [process.execPath, '-e', dyingOnce(lives)] });
  Object.assign(start.env, { STATE_FILE: join(directory, 'state.json') });
  const config = join(directory, 'adapter.json');
  writeFileSync(config, JSON.stringify(adapter));
  return config;
}

/** The verdict on the survival of a server in the scenarios of this run. */
function survivalIn(reports: string) {
  const run = readRun(join(reports, 'run.json'));
  const played = new Set(run.entries.flatMap((entry) => (entry.kind === 'scenario' ? [entry.scenario] : [])));
  const checks = survivalRules.map((rule) => ({ ...rule, scenarios: [...played] }));
  return judge(run, { checks });
}

test('a server that dies amid a run is one finding, and is started again', { timeout: 180_000 }, () =>
  inDirectory(async (directory) => {
    const [lives, reports] = [join(directory, 'lives'), join(directory, 'reports')];
    const config = fileOf(directory, lives);
    const { output } = await runCli('auth-server', '--config', config, '--only', ONLY, '--report', reports);
    expect(readFileSync(lives, 'utf8').length).toBeGreaterThan(1);
    const { verdicts } = readReport(reports);
    const others = verdicts.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not applicable');
    expect(others, output).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(20);
    const actual = expect.stringMatching(
      /^it ended with code 1; its last lines of output: .*Error: the pool is empty/,
    );
    const finding = expect.objectContaining({ actual, blame: 'auth server' });
    expect(survivalIn(reports)).toMatchObject([{ check: 'server-survives', outcome: 'fail', finding }]);
  }),
);

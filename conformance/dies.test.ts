import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { inDirectory, readReport, runCli } from './testing/cli.ts';

const shape = (name: string) => fileURLToPath(new URL(`roles/auth-server/shapes/${name}`, import.meta.url));

/** The number of requests before the server dies: in the middle of the scenarios that run side by side. */
const REQUEST_COUNT = 400;

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

test('a server that dies amid a run is one finding, and is started again', { timeout: 180_000 }, () =>
  inDirectory(async (directory) => {
    const [config, lives, reports] = ['adapter.json', 'lives', 'reports'].map((name) =>
      join(directory, name),
    ) as [string, string, string];
    const adapter = parse(readFileSync(shape('carried-sign.yaml'), 'utf8'));
    Object.assign(adapter.server.start, {
      cwd: shape(''),
      command: [process.execPath, '-e', dyingOnce(lives)],
    });
    Object.assign(adapter.server.start.env, { STATE_FILE: join(directory, 'state.json') });
    writeFileSync(config, JSON.stringify(adapter));
    const { code, output } = await runCli('auth-server', '--config', config, '--report', reports);
    expect(code, output).toBe(1);
    expect(readFileSync(lives, 'utf8').length).toBeGreaterThan(1);
    const { verdicts, summary, causes } = readReport(reports);
    expect(summary.conclusion).toBe('not conformant');
    const red = verdicts.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not applicable');
    expect(red.map(({ check, outcome }) => `${check}: ${outcome}`)).toEqual(['server-survives: fail']);
    expect(causes).toHaveLength(1);
    expect(red[0]?.finding).toMatchObject({
      actual: expect.stringMatching(
        /^it ended with code 1; its last lines of output: .*Error: the pool is empty/,
      ),
      blame: 'auth server',
    });
    expect(output).toContain('Error: the pool is empty');
  }),
);

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { rerun } from './engine/cli/commands/rerun.ts';
import type { Report } from './engine/report/schema/schema.ts';
import { roles } from './roles/index.ts';
import { example, readExample, readReport, runCli, writeParty } from './testing/cli.ts';
import { writePlainFile } from './testing/plain-server.ts';

const RUN = { timeout: 120_000 };

/** Faults of the EHR server's twin that show in few calls. */
const RED = ['exchange-token-used-once', 'link-ends-every-session', 'disconnect-removes-link'];

/** The folder of the report on the faulty EHR server. */
const directory = mkdtempSync(join(tmpdir(), 'rerun-'));
const file = join(directory, 'report.json');

beforeAll(async () => {
  const config = example('plain-ehr-faulty.yaml');
  const only = [...RED, 'exchange-token-unknown'].join(',');
  const { code } = await runCli('ehr-server', '--config', config, '--report', directory, '--only', only);
  expect(code).toBe(1);
}, RUN.timeout);
afterAll(() => rmSync(directory, { recursive: true }));

/** Writes the report, changed by `change`, into a directory. Returns its path. */
function changed(into: string, change: (report: Report) => void): string {
  const report = readReport(directory);
  change(report);
  const path = join(into, 'changed.json');
  writeFileSync(path, JSON.stringify(report));
  return path;
}

test('a report names the file about the party by its way from there', RUN, async () => {
  const other = temporaryFolder();
  const config = example('plain-ehr-faulty.yaml');
  expect(readReport(directory).meta.file).toBe(relative(directory, config));
  const deeper = join(other, 'deeper');
  await runCli('replay', join(directory, 'run.json'), '--report', deeper);
  expect(readReport(deeper).meta.file).toBe(relative(deeper, config));
});

test('checks of a server that stayed as it was are still broken, with causes', RUN, async () => {
  const before = readFileSync(file, 'utf8');
  const { code, output } = await runCli('rerun', file);
  expect(code, output).toBe(1);
  for (const check of RED) expect(output).toContain(`✕ ${check}: still broken\n`);
  expect(output).not.toContain('exchange-token-unknown');
  expect(output).toMatch(/^ {2}to do {5}\w/m);
  expect(output).toContain('\n3 checks were red:\n');
  expect(readFileSync(file, 'utf8')).toBe(before);
});

/** Writes the report with these members of `meta` into a directory. */
const withMeta = (members: object) => (into: string) =>
  changed(into, ({ meta }) => void Object.assign(meta, members));

/** Writes the report as one about another server. */
const about = (into: string, config: string) => withMeta({ file: relative(into, config) })(into);

test('checks of the right server are fixed', RUN, async () => {
  const other = temporaryFolder();
  const { code, output } = await runCli('rerun', about(other, example('plain-ehr.yaml')));
  expect(code, output).toBe(0);
  const fixed = [...RED].sort().map((check) => `✓ ${check}: fixed`);
  expect(output.match(/^✓ .*: fixed$/gm)?.sort()).toEqual(fixed);
});

test('a saved run passes with its known failure, and fails by one that passes', async () => {
  const other = temporaryFolder();
  const list = join(other, 'known.yaml');
  const judgedWith = (known: string) => {
    writeFileSync(list, `known:\n  - check: ${known}\n    because: ticket 12\n    until: 2999-03-31\n`);
    const only = 'exchange-token-used-once,exchange-token-unknown';
    return runCli('replay', join(directory, 'run.json'), '--only', only, '--baseline', list);
  };
  expect(await judgedWith('exchange-token-used-once')).toMatchObject({ code: 0 });
  const { code, output } = await judgedWith('exchange-token-unknown');
  expect(code).toBe(1);
  expect(output).toContain('✕ exchange-token-unknown: ');
  expect(output).toContain('it passes now. Please take it off the list.');
});

test('a report in which nothing is red needs no rerun', RUN, async () => {
  const other = temporaryFolder();
  const path = changed(other, (report) => void Object.assign(report, { verdicts: [] }));
  expect(await runCli('rerun', path)).toEqual({ code: 0, output: `Nothing is red in ${path}.\n` });
});

test('a check that another file cannot have played, or unknown, is not judged', RUN, async () => {
  const other = temporaryFolder();
  const config = writePlainFile(other, ({ steps }) => {
    steps.logout = { absent: 'it has none' };
  });
  const checks = ['logged-out-session-refused', 'of-long-ago'];
  const path = changed(other, (report) => {
    const [red] = report.verdicts.filter(({ check }) => check === RED[0]);
    report.verdicts = checks.flatMap((check) => (red ? [{ ...red, check }] : []));
    Object.assign(report.meta, { role: 'auth-server', file: relative(other, config) });
  });
  const { code, output } = await runCli('rerun', path);
  expect(code, output).toBe(1);
  for (const check of checks) expect(output).toContain(`– ${check}: could not be judged\n`);
});

test('of checks that the kit has no more nothing is played', RUN, async () => {
  const other = temporaryFolder();
  const path = changed(other, (report) => {
    report.verdicts = report.verdicts.filter(({ check }) => check === RED[0]);
    Object.assign(report.verdicts[0] ?? {}, { check: 'of-long-ago' });
    Object.assign(report.meta, { file: relative(other, example('plain-ehr.yaml')) });
  });
  const output = '\n1 check was red:\n– of-long-ago: could not be judged\n';
  expect(await runCli('rerun', path)).toEqual({ code: 1, output });
});

test('a server that is not there is not set up, and nothing is fixed', RUN, async () => {
  const other = temporaryFolder();
  const url = 'http://127.0.0.1:1/1.0-alpha/';
  const file = readExample<object>('plain-ehr.yaml');
  const config = writeParty(other, { ...file, server: { url }, internalUrl: url });
  const { code, output } = await runCli('rerun', about(other, config));
  expect(code, output).toBe(2);
  expect(output).not.toContain('fixed');
});

function brokenJson(into: string): string {
  const path = join(into, 'broken.json');
  writeFileSync(path, '{ "format": ');
  return path;
}

/** Wrong reports, each with what is said of it. */
const REFUSED: [string, (into: string) => string, RegExp][] = [
  ['a report that is broken JSON', brokenJson, /broken\.json: it is not JSON\. Please name a report\.json/],
  [
    'a file of a run',
    () => join(directory, 'run.json'),
    /run\.json: it is no report of this version at format/,
  ],
  ['a report of an unknown role', withMeta({ role: 'sms-gateway' }), /There is no role sms-gateway/],
  [
    'a report that names no file about the party',
    withMeta({ file: undefined }),
    /names no file about the party\. Please judge the party again\./,
  ],
  [
    'a report whose file about the party is gone',
    withMeta({ file: '../gone/mine.yaml' }),
    /mine\.yaml, which is not there\. Please judge the party again\./,
  ],
  [
    'a report of a watched session',
    withMeta({ mode: 'watch' }),
    /of a session that a person clicked through, which cannot be played again/,
  ],
  [
    'a report without verdicts',
    (into) => changed(into, ({ summary }) => void Object.assign(summary, { conclusion: 'not set up' })),
    /judges nothing: its conclusion is "not set up"/,
  ],
];

test.each(REFUSED)('%s is refused with what to do', async (_what, report, said) => {
  const into = temporaryFolder();
  const refused = rerun(report(into), { slow: false }, roles).catch((error) => error);
  expect(await refused).toMatchObject({ name: 'InputError', message: expect.stringMatching(said) });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { example, inDirectory, readReport, runCli } from '#conformance/testing/cli.ts';
import { commandsBelow, judgePage } from '#conformance/testing/judge-page.ts';

/** Eight times the minute that these runs take on a busy machine. */
const RUN_TIMEOUT_MS = 480_000;

/** The commands of the page; conformance/roles/client/flows/checks.test.ts plays the first. */
const [, doctor = [], judge = []] = commandsBelow('Client');

test('the page leads to a verdict, with a copy of the example file', { timeout: RUN_TIMEOUT_MS }, () =>
  inDirectory(async (directory) => {
    expect(judgePage).toContain('conformance/examples/plain-client.yaml my-client.yaml');
    const own = join(directory, 'my-client.yaml');
    const copied = parse(readFileSync(example('plain-client.yaml'), 'utf8'));
    copied.client.cwd = dirname(example('plain-client.yaml'));
    writeFileSync(own, JSON.stringify(copied));
    const mine = (given: readonly string[]) => given.map((word) => (word === 'my-client.yaml' ? own : word));

    const examined = await runCli(...mine(doctor));
    expect(examined.output).toContain('The set-up is in order: the client can be judged.');
    // The whole is played in the test of the checks.
    const judged = await runCli(...mine(judge), '--only', 'logout-ehr-first', '--report', directory);
    expect(judged.output).toMatch(/^Interface +conformant \(/m);
    expect(judged.code).toBe(0);
  }),
);

test('the faulty twin of the plain client is not conformant', { timeout: RUN_TIMEOUT_MS }, () =>
  inDirectory(async (directory) => {
    const config = example('plain-client-faulty.yaml');
    const { code } = await runCli('client', '--config', config, '--only', '4.5', '--report', directory);
    expect(code).toBe(1);
    const { verdicts, causes } = readReport(directory);
    // Three faults, each of them shown by several checks.
    expect(causes.length).toBeLessThanOrEqual(3 + 4);
    const failed = verdicts.flatMap(({ outcome, finding }) =>
      outcome === 'fail' ? [Object(finding).blame] : [],
    );
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed)).toEqual(new Set(['client']));
  }),
);

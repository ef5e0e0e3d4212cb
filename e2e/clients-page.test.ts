import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { example, inDirectory, readReport, runCli } from '#conformance/testing/cli.ts';

const page = readFileSync(new URL('../docs/for-clients.md', import.meta.url), 'utf8');
const RUN_TIMEOUT_MS = 180_000;

test('the page for makers of clients leads to a verdict as it says', { timeout: RUN_TIMEOUT_MS }, () =>
  inDirectory(async (directory) => {
    const [first = ''] = [...page.matchAll(/^npm run conformance -- (.+)$/gm)].map(([, given = '']) => given);
    expect(first).toBe('client --config conformance/examples/plain-client.yaml');
    const { code, output } = await runCli(...first.split(' '), '--report', directory);
    expect(output).toContain('conformant (');
    expect(code).toBe(0);
    expect(readReport(directory).summary.counts).toMatchObject({ fail: 0, inconclusive: 0, warning: 0 });
  }),
);

test('the faulty twin of the plain client is not conformant', { timeout: RUN_TIMEOUT_MS }, () =>
  inDirectory(async (directory) => {
    const config = example('plain-client-faulty.yaml');
    const { code } = await runCli('client', '--config', config, '--only', '4.5', '--report', directory);
    expect(code).toBe(1);
    const { verdicts } = readReport(directory);
    const failed = verdicts.flatMap(({ outcome, finding }) => (outcome === 'fail' ? [Object(finding).blame] : []));
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed)).toEqual(new Set(['client']));
  }),
);

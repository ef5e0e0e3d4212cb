import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { INTERNAL, serveEhr } from '#conformance/roles/ehr-server/self-test/serve.ts';
import { example, inDirectory, readReport, runCli } from '#conformance/testing/cli.ts';
import { commandsBelow, judgePage } from '#conformance/testing/judge-page.ts';

/** Eight times the minute that a whole run takes on a busy machine. */
const RUN_TIMEOUT_MS = 480_000;

/** Checks that need more than the file gives: its clock cannot be moved, and it cannot be restarted. */
const NEED_MORE = ['exchange-token-expires', 'kept-over-restart'];

test('the section on EHR servers leads to a verdict as it says', { timeout: RUN_TIMEOUT_MS }, () =>
  inDirectory(async (directory) => {
    const [first = [], doctor = [], judge = []] = commandsBelow('EHR server');
    const seen = await runCli(...first, '--report', directory);
    expect(seen.output).toMatch(/^Interface +conformant \(/m);
    expect(seen.code).toBe(0);
    expect(readReport(directory).summary.conclusion).toBe('conformant');

    const served = await serveEhr();
    onTestFinished(() => served.close());
    expect(judgePage).toContain('conformance/examples/plain-ehr.yaml my-ehr.yaml');
    const copied = parse(readFileSync(example('plain-ehr.yaml'), 'utf8'));
    const { ports: _none, control: _neither, ...rest } = copied;
    const own = join(directory, 'my-ehr.yaml');
    const internal = { ...INTERNAL, insecureLiteral: true };
    writeFileSync(
      own,
      JSON.stringify({ ...rest, server: { url: served.url }, internalUrl: served.internalUrl, internal }),
    );
    const mine = (given: readonly string[]) => given.map((word) => (word === 'my-ehr.yaml' ? own : word));

    const examined = await runCli(...mine(doctor));
    expect(examined.output).toContain('The set-up is in order: the server can be judged.');
    // The whole was played above.
    const only = ['exchange-token-used-once', ...NEED_MORE].join(',');
    const judged = await runCli(...mine(judge), '--only', only, '--report', join(directory, 'own'));
    // None of these checks that could be played is about a sentence of the interface.
    expect(judged.output).toMatch(/^Safety +no weakness/m);
    expect(judged.code).toBe(0);
    expect(readReport(join(directory, 'own')).summary.conclusion).toBe('conformant');
    const waiting = readReport(join(directory, 'own')).verdicts.filter(
      ({ outcome }) => outcome === 'not applicable',
    );
    expect(waiting.map(({ check }) => check).sort()).toEqual(NEED_MORE);
  }),
);

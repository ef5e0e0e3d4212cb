import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { wholePage } from '#conformance/engine/report/testing/pages.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import type { PartyFiles } from '../parties/load.ts';
import { expectFirstLink, outputOf, runOwnParties } from '../testing/told.ts';
import { playReplaced } from './replaced.ts';

const E2E_TIMEOUT_MS = 120_000;

/** Plays flows with parties of another make. */
const runWithParties = (files: PartyFiles, ...names: string[]) =>
  outputOf((page) => playReplaced({ files, names, grep: undefined, page }));

const example = (name: string) => join(root, `conformance/examples/${name}.yaml`);

test('a file that is no flow exits with 2', async () => {
  // This file tests the kit, and is no flow.
  const elsewhere = await runOwnParties(['conformance/engine/check/judge']);
  expect(elsewhere).toMatchObject({ status: 2, stdout: '' });
  expect(elsewhere.stderr).toContain(
    'There is no test in a file of e2e/ whose path contains "conformance/engine/check/judge".',
  );
});

test('flows with three parties of another make are listed, the omitted are counted', {
  timeout: E2E_TIMEOUT_MS,
}, async () => {
  const parties = {
    'auth-server': example('plain-js'),
    'ehr-server': example('plain-ehr'),
    client: example('plain-client'),
  };
  const played = await runWithParties(parties, 'first-link', 'session-expired');
  const { status, stdout, page, files } = played;
  expect(stdout).toContain(
    'Client: Client in plain JavaScript\nAuthorization server: Plain JavaScript server\n',
  );
  expect(stdout).toMatch(/^ {2}✓ +\d+\.\d s {2}first-link: first link: sign in/m);
  expect(stdout).toMatch(
    /^ {2}– +session-expired: .*\n {8}left out: no movable clock of the authorization server$/m,
  );
  expect(stdout).toContain('Left out besides: the browser tests (access.spec.ts');
  expect(stdout).toMatch(
    /\nflows: 1 passed, 0 failed, 1 left out \(no movable clock of the authorization server\)\n$/,
  );
  expect(status).toBe(0);
  expect(files()).toEqual(['flows.html', 'flows.xml']);
  const text = page();
  expect(text).toContain('1 flow passed, 0 failed, 1 left out');
  expectFirstLink(text);
});

test('one fault of several flows is told once, last, alike in every report', {
  timeout: E2E_TIMEOUT_MS,
}, async () => {
  vi.stubEnv('FAULTS', 'digest-upper-case');
  const files = { 'auth-server': example('plain-js-faulty') };
  const { status, stdout, page, report } = await runWithParties(files, 'first-link', 'log-out');
  expect(status).toBe(1);
  const message =
    /The first differing message: message \d+ is authorization server to EHR server: embedded_storage\.save_exchange_token, answered with not_authorized\. In the right flow it is answered with ok\./g;
  expect(stdout.match(message)).toHaveLength(1);
  const [, sentence = ''] = /\n\n✗ (.+)\n {4}The first differing/.exec(stdout) ?? [];
  expect(sentence).toMatch(/^After the person .+, they ought to see /);
  expect(stdout).toMatch(/\n {4}In 2 flows: first-link, log-out\n\nflows: 0 passed, 2 failed, 0 left out\n$/);
  // The part before the quote of the page is the same in each report.
  const [start = ''] = sentence.split('"');
  for (const text of [wholePage(page()), report('flows.xml')]) {
    expect(text).toContain(start);
    expect(text).toMatch(message);
  }
});

test('an unknown flow ends the command with exit code 2', async () => {
  const ended = await runWithParties({ client: example('plain-client') }, 'no-such-flow');
  expect(ended).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(
      'There is no flow no-such-flow. The flows are first-link, returning-user,',
    ),
  });
});

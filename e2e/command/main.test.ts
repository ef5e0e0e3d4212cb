import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { INTERNAL_PASSWORD } from '#testing/fixtures.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';

const E2E_TIMEOUT_MS = 120_000;

/** Runs the command, with its page in a separate directory. */
const e2e = (...flags: string[]) => e2eWith({}, ...flags);

/** Runs it with these environment variables, too. */
function e2eWith(env: Record<string, string>, ...flags: string[]) {
  const directory = temporaryFolder();
  const file = join(directory, 'flows.html');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run.mjs', 'e2e/command/main.ts', '--page', file, ...flags],
    { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8' },
  );
  return {
    status,
    stdout,
    stderr,
    report: (name: string) => readFileSync(join(directory, name), 'utf8'),
    page: () => readFileSync(file, 'utf8'),
    files: () => readdirSync(directory),
  };
}

test('flows are listed with time and result, and shown without secrets', { timeout: E2E_TIMEOUT_MS }, () => {
  const grep = ['--grep', 'first link: sign in, be refused'];
  const { status, stdout, page, files } = e2e('--only', 'flows', 'flows/flows', ...grep);
  expect(stdout).toMatch(
    /^ {2}✓ +\d+\.\d s {2}flows\/flows: first-link: first link: sign in, be refused, exchange token/m,
  );
  expect(stdout).toMatch(/\n1 passed, 0 failed\n$/);
  expect(status).toBe(0);
  // The JUnit reports are beside the page, where they replace none of another run.
  expect(files()).toEqual(['flows.html', 'vitest.xml']);
  const text = page();
  expect(text).toContain('first link: sign in, be refused, exchange token, authenticate, record the session');
  const calls = [...text.matchAll(/<tspan class="number">\d+<\/tspan> (\w+)<\/text>/g)].map(
    ([, call]) => call,
  );
  expect(calls.filter((call) => call !== 'result')).toEqual([
    ...['request_otp', 'confirm_otp', 'get_patient', 'exchange_token', 'save_exchange_token', 'authenticate'],
    ...['report_link', 'save_auth_info', 'get_patient'],
  ]);
  // Each arrow links to its message, which occurs once.
  const targets = [...text.matchAll(/href="#(m0-\d+)"/g)].map(([, id]) => id);
  for (const id of targets) expect(text.split(`id="${id}"`)).toHaveLength(2);
  const [patient] = personas.anna.patients;
  const { surname, birthdate, medcardNumber } = patient;
  for (const secret of [INTERNAL_PASSWORD, '79991112233', surname, birthdate, medcardNumber])
    expect(text).not.toContain(secret);
  expect(text).toContain('‹session-token 1›');
  expect(text).toContain('‹patient data›');
  // Finds what looks like a token, a code or a digest, except in the hashes of the page's own style and
  // script.
  expect(text.replace(/sha256-[\w+/]+=/g, '')).not.toMatch(/[A-Za-z0-9_-]{40,}/);
  expect(text).toContain('‹code 1›');
});

test('a title that fits no test, and an unknown suite, exit with 2', { timeout: E2E_TIMEOUT_MS }, () => {
  const missed = e2e('--only', 'flows', 'flows/flows', '--grep', 'returning (users');
  expect(missed).toMatchObject({ status: 2 });
  expect(missed.stderr).toContain(
    'No test has "returning (users" in its title in a file of e2e/ whose path contains "flows/flows". The nearest titles are:\n  returning-user: a returning user sees the record',
  );
  // Nothing was built or started.
  expect(missed.stdout).toBe('');
  expect(missed.files()).toEqual([]);
  // A test of the kit is no flow.
  const elsewhere = e2e('conformance/engine/check/judge');
  expect(elsewhere).toMatchObject({ status: 2, stdout: '' });
  expect(elsewhere.stderr).toContain(
    'There is no test in a file of e2e/ whose path contains "conformance/engine/check/judge".',
  );
  const unknown = e2e('--only', 'flow');
  expect(unknown).toMatchObject({ status: 2, stdout: '' });
  expect(unknown.stderr).toContain("argument 'flow' is invalid. Allowed choices are flows, browser.");
});

test('flows with three parties of another make are listed, the omitted are counted', {
  timeout: E2E_TIMEOUT_MS,
}, () => {
  const example = (name: string) => `conformance/examples/${name}.yaml`;
  const parties = ['--auth-server', 'plain-js', '--ehr-server', 'plain-ehr', '--client', 'plain-client'];
  const flags = parties.map((word) => (word.startsWith('--') ? word : example(word)));
  const { status, stdout, page, files } = e2e(...flags, 'first-link', 'session-expired', 'log-out');
  expect(stdout).toContain(
    'Client: Client in plain JavaScript\nAuthorization server: Plain JavaScript server\n',
  );
  expect(stdout).toMatch(/^ {2}✓ +\d+\.\d s {2}first-link: first link: sign in/m);
  expect(stdout).toMatch(
    /^ {2}– +session-expired: .*\n {8}left out: no movable clock of the authorization server$/m,
  );
  expect(stdout).toContain('Left out besides: the browser tests (access.spec.ts');
  expect(stdout).toMatch(
    /\nflows: 2 passed, 0 failed, 1 left out \(no movable clock of the authorization server\)\n$/,
  );
  expect(status).toBe(0);
  expect(files()).toEqual(['flows.html', 'flows.xml']);
  const text = page();
  expect(text).toContain('2 flows passed, 0 failed, 1 left out');
  const secrets = [personas.anna.patients[0].surname, personas.anna.patients[0].birthdate.slice(0, 10)];
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('one fault of several flows is told once, last, alike in every report', {
  timeout: E2E_TIMEOUT_MS,
}, () => {
  const flags = ['--auth-server', 'conformance/examples/plain-js-faulty.yaml'];
  const flows = ['first-link', 'log-out', 'disconnect'];
  const { status, stdout, page, report } = e2eWith({ FAULTS: 'digest-upper-case' }, ...flags, ...flows);
  expect(status).toBe(1);
  const message =
    /The first differing message: message \d+ is authorization server to EHR server: embedded_storage\.save_exchange_token, answered with not_authorized\. In the right flow it is answered with ok\./g;
  expect(stdout.match(message)).toHaveLength(1);
  const [, sentence = ''] = /\n\n✗ (.+)\n {4}The first differing/.exec(stdout) ?? [];
  expect(sentence).toMatch(/^After the person .+, they ought to see /);
  expect(stdout).toMatch(
    /\n {4}In 3 flows: first-link, log-out, disconnect\n\nflows: 0 passed, 3 failed, 0 left out\n$/,
  );
  const [start = ''] = sentence.split('"');
  for (const text of [page(), report('flows.xml')]) {
    expect(text).toContain(start);
    expect(text).toMatch(message);
  }
});

test('an unusable party and an unknown flow exit with code 2', { timeout: E2E_TIMEOUT_MS }, () => {
  const client = ['--client', 'conformance/examples/plain-client.yaml'];
  expect(e2e(...client, 'no-such-flow')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(
      'There is no flow no-such-flow. The flows are first-link, returning-user,',
    ),
  });
  expect(e2e('--client', 'no-such.yaml')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no-such.yaml: there is no such file'),
  });
});

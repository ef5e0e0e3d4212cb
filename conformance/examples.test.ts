import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import type { Report } from './engine/report/schema/schema.ts';
import { Client } from './examples/plain-client/flow.mjs';
import { wire } from './examples/plain-client/rpc.mjs';
import { example, judged, runCli } from './testing/cli.ts';

const RUN = { timeout: 120_000 };
/** A terminal shows no more lines of a run with many faults. */
const MAX_LINES = 120;

/** The checks that find the three faults of the twin. */
const FAULTS = [
  'used-code-refused',
  'code-works-once-at-once',
  'secrets-not-in-clear',
  'logged-out-session-refused',
  'logged-out-session-not-saved',
];
/** Checks whose many messages keep the faults apart. */
const MANY_MESSAGES = '4.5';
/** Odd requests, which are played on the calls that a server without codes has. */
const ODD_REQUESTS = [
  'doubled-members-not-confused',
  'malformed-refused',
  'nothing-done-by-get',
  'session-token-drawn-by-server',
];

/** Judges the server of an example. */
const judgedExample = (name: string, ...only: readonly string[]) =>
  judged('auth-server', example(name), ...(only.length > 0 ? ['--only', only.join(',')] : []));

/** Judges a saved red run again by the checks `only`. `texts` are its report files. */
async function expectReplays(texts: Readonly<Record<string, string>>, only: string): Promise<void> {
  const directory = temporaryFolder();
  const text = texts['run.json'] ?? '';
  const saved = join(directory, 'saved.json');
  writeFileSync(saved, text);
  expect((await runCli('replay', saved, '--only', only, '--report', directory)).code).toBe(1);
  expect(readFileSync(join(directory, 'report.json'), 'utf8')).toBe(texts['report.json']);
}

const any = expect.stringMatching(/./);
const consequence = { clause: any, expected: any, actual: any };
const loggedOut = { clause: any, expected: 'the ended session is refused', actual: 'it succeeded' };
const FOUND = [
  {
    check: 'used-code-refused',
    clause: expect.stringContaining('§1 rule 8'),
    expected: 'the sign-in is refused',
    actual: 'it succeeded',
  },
  { check: 'logged-out-session-refused', ...loggedOut },
  // Consequences of a session that goes on after its logout.
  { check: 'logged-out-session-not-saved', ...loggedOut },
  { check: 'code-works-once-at-once', ...consequence },
  { check: 'late-request-revives-nothing', ...consequence },
  { check: 'ended-session-stays-ended', ...loggedOut },
  {
    check: 'secrets-not-in-clear',
    clause: expect.stringContaining('§5.1'),
    expected: 'password and user_sign only inside the digest',
    actual: expect.stringMatching(
      /^the internal password in the header authorization \((\d+) of \1 messages\)$/,
    ),
  },
].map(({ check, clause, ...told }) => {
  const finding = { outcome: 'fail', ...told, blame: 'auth server', advice: expect.stringMatching(/\.$/) };
  return { check, clause, outcome: 'fail', finding: expect.objectContaining(finding) };
});

/** The check that shows each cause, and all checks of the cause. */
const causesIn = ({ causes }: Report) => causes.map(({ check, checks }) => ({ check, checks }));

test('three faults of a server of another make are named and blamed on it', RUN, async () => {
  const report = await judgedExample('plain-js-faulty.yaml', ...FAULTS, MANY_MESSAGES);
  const { code, output, summary, red, texts, directory } = report;
  expect(code).toBe(1);
  expect(summary.conclusion).toBe('not safe');
  const failed = red.filter(({ outcome }) => outcome === 'fail');
  const found = failed.map(({ check, clause, outcome, finding }) => ({ check, clause, outcome, finding }));
  expect(found).toEqual(FOUND);
  // Each fault is one cause, with its consequences below, and what has most of them comes first.
  expect(causesIn(report)).toEqual([
    {
      check: 'logged-out-session-refused',
      checks: [
        ...['logged-out-session-refused', 'late-request-revives-nothing', 'ended-session-stays-ended'],
        'logged-out-session-not-saved',
      ],
    },
    { check: 'used-code-refused', checks: ['used-code-refused', 'code-works-once-at-once'] },
    { check: 'secrets-not-in-clear', checks: ['secrets-not-in-clear'] },
  ]);
  expect(output).toMatch(/shows in +✕ late-request-revives-nothing:/);
  expect(texts['junit.xml']).toContain(
    'message="caused by logged-out-session-refused: &quot;After the logout the session gets no exchange token&quot; does not hold: it succeeded; expected the ended session is refused',
  );
  // No report contains the password itself.
  expect(Object.keys(texts)).toHaveLength(5);
  for (const text of Object.values(texts)) expect(text).not.toContain('only for this example');
  expect(output).toContain('logged-out-session-refused  safety essential');
  expect(output).toContain(`report: ${pathToFileURL(join(directory, 'report.html')).href}`);
  expect(output.split('\n').length).toBeLessThan(MAX_LINES);
  await expectReplays(texts, [...FAULTS, MANY_MESSAGES].join(','));
});

test('a server that opens sessions without a code is not conformant, with the cause', RUN, async () => {
  const only = ['phone-confirmed', ...ODD_REQUESTS];
  const report = await judgedExample('test-login.yaml', ...only);
  const { code, output, verdicts, summary, red } = report;
  expect(code, output).toBe(1);
  expect(summary.conclusion).toBe('not conformant');
  expect(
    red.map(({ check }) => check),
    output,
  ).toEqual(['phone-confirmed']);
  const passed = verdicts.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check);
  expect(passed).toEqual(expect.arrayContaining(ODD_REQUESTS));
  expect(causesIn(report)).toEqual([{ check: 'phone-confirmed', checks: ['phone-confirmed'] }]);
});

test('a person without a session at the EHR server is told what leads out', async () => {
  const right = wire.send;
  onTestFinished(() => void Object.assign(wire, { send: right }));
  wire.send = async ({ url, body }) => {
    const outcome = url === 'http://auth/' ? { result: {} } : { error: { code: -33000 } };
    return { status: 200, headers: {}, text: JSON.stringify({ ...outcome, id: JSON.parse(body).id }) };
  };
  const client = new Client({ auth: 'http://auth/', ehr: 'http://ehr/', 'api-version': '1', storage: '' });
  Object.assign(client.storage, { session: { user: 'anna', token: 't', phone: '1' } });
  for (const what of ['disconnect', 'disconnect'])
    expect(await client.act({ do: what })).toMatchObject({
      text: expect.stringContaining('Log out or delete'),
    });
  expect(await client.act({ do: 'logout' })).toMatchObject({ sees: 'signedOut' });
});

/** What the doctor says of a server and a file that do not fit, and what it leaves to the checks. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: adapter files name their values so
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import type { Diagnosis } from '../../../engine/role.ts';
import { readReport, runCli } from '../../../testing/cli.ts';
import {
  diagnosesOf,
  examined,
  type PlainFile,
  runningAt,
  writePlainFile,
} from '../../../testing/plain-server.ts';
import { closedUrl, send, startFakeServer } from '../adapter/testing/fake-server.ts';
import type { AuthVariant } from '../defects/defect.ts';
import { defects } from '../defects/index.ts';
import { mockAdapter } from '../self-test/self-test.ts';
import { serveMock } from '../self-test/serve-mock.ts';

const RUN = { timeout: 60_000 };

/** The servers here answer after they have sent their message and made their calls: none comes later. */
const BRIEF = { waits: { codeMs: 500, lateCallMs: 100 } };

/** The last thing that the doctor says: what it found, and the remedy below it. */
async function said(change: (file: PlainFile) => void): Promise<string> {
  const { found, remedy = '' } = (await diagnosesOf(change, BRIEF)).at(-1) ?? {};
  return `${found}\n${remedy}`;
}

const setEnv = (name: string, value: string) => (file: PlainFile) => {
  if (file.server.start) file.server.start.env[name] = value;
};
const withOtp = (sink: object) => (file: PlainFile) => {
  file.otp.sink = { port: 0, ...sink };
};

test('a server that was not started is named', RUN, async () => {
  const url = await closedUrl();
  // This machine may run servers of other people.
  const diagnoses = await diagnosesOf(runningAt(url), { findElsewhere: async () => undefined });
  expect(diagnoses.map(({ ok }) => ok)).toEqual([true, false]);
  expect(diagnoses.at(-1)).toMatchObject({
    id: 'server-reachable',
    found: `server not started: nothing listens on ${new URL(url).host}`,
    remedy: expect.stringContaining('Start your authorization server'),
  });
});

test('the command reports what is not set up, and judges nothing', RUN, async () => {
  const directory = temporaryFolder();
  const config = writePlainFile(directory, runningAt(await closedUrl()));
  const { code, output } = await runCli('auth-server', '--config', config, '--report', directory);
  expect(code, output).toBe(2);
  expect(output).toMatch(/^ {2}NOT {2}/m);
  expect(output).not.toMatch(/^(?:not )?conformant$/m);
  const { verdicts, summary, notSetUp } = readReport(directory);
  expect([verdicts, summary.conclusion, notSetUp?.length]).toEqual([[], 'not set up', 1]);
});

test('the command finds a right set-up in order', RUN, async () => {
  const config = writePlainFile(temporaryFolder(), () => undefined);
  const { code, output } = await runCli('doctor', '--config', config);
  expect(output).toContain('The set-up is in order');
  expect(code, output).toBe(0);
});

test('a wrong port or address is named, and the one that answers', RUN, async () => {
  // The port beside the server's must be closed: it was bound a moment ago, or else another pair is tried.
  for (;;) {
    const port = Number(new URL((await startFakeServer()).url).port);
    if (!(await isFree(port + 1))) continue;
    expect(await said(runningAt(`http://127.0.0.1:${port + 1}`))).toMatch(
      new RegExp(
        `^wrong port: nothing listens on 127\\.0\\.0\\.1:${port + 1}, but an HTTP server does on 127\\.0\\.0\\.1:\\d+\nCorrect server\\.url`,
      ),
    );
    expect(await said(runningAt(`http://[::1]:${port}`))).toBe(
      `wrong address: nothing listens on [::1]:${port}, but an HTTP server does on 127.0.0.1:${port}\nCorrect server.url if that is your server: http://127.0.0.1:${port}/`,
    );
    return;
  }
});

test.each<[string, (file: PlainFile) => void, RegExp]>([
  [
    'a wrong EHR address, and where it is set',
    setEnv('EHR_URL', 'http://127.0.0.1:9'),
    /^EHR address wrong: nothing came to http:\/\/127\.0\.0\.1:\d+ .*It is set in: the environment variable EHR_URL\./s,
  ],
  [
    'a code that is not found, and why',
    withOtp({ pattern: 'PIN: ([A-Z]+)' }),
    /^code not found: A message came to the SMS sink, and the pattern .* finds no code in it\..*\nCheck the section otp/,
  ],
  [
    'a message that the sink could not take',
    withOtp({ shape: 'twilio' }),
    /^server-error: HTTP 5\d\d\. A request came to the SMS sink that it could not take.*otp\.sink\.shape/s,
  ],
  [
    'a refused step, and not a wrong EHR address',
    (file) => {
      const step = file.steps.exchangeToken as { headers: Record<string, string> };
      step.headers = { authorization: 'Bearer not-${token}' };
    },
    /^your server refused the step exchangeToken and did not call the EHR server: it was refused with HTTP 401.*the header or cookie that names the session/s,
  ],
])('%s is named', RUN, async (_what, change, words) => {
  const diagnoses = await diagnosesOf(change, BRIEF);
  expect(diagnoses.map(({ found, remedy }) => `${found}\n${remedy}`)).toContainEqual(
    expect.stringMatching(words),
  );
});

/** A server that answers code requests with the given statuses and refuses every sign-in. */
async function fakeSignIn(starts: readonly number[], body: unknown = {}) {
  let asked = 0;
  return startFakeServer(({ path }, response) => {
    if (path === '/login/start')
      send(response, { status: starts[Math.min(asked++, starts.length - 1)] as number, body });
    else send(response, { status: path === '/login/confirm' ? 410 : 200 });
  });
}

const elsewhere = (url: string) => (file: PlainFile) => {
  runningAt(url)(file);
  file.otp = { fixed: { code: '123456' } };
  file.steps.advanceClock = { method: 'POST', path: '/clock', json: { ms: '${milliseconds}' } };
};

test('a code sent a moment ago is awaited, and the sign-in goes on', RUN, async () => {
  const { url, received } = await fakeSignIn([429, 202]);
  expect(await said(elsewhere(url))).toMatch(/^it was refused with HTTP 410/);
  expect(received.map(({ path }) => path).filter((path) => path !== '/')).toEqual([
    '/login/start',
    '/clock',
    '/login/start',
    '/login/confirm',
  ]);
});

test('a server that goes on refusing codes is said to limit them', RUN, async () => {
  const { url } = await fakeSignIn([429]);
  expect(await said(elsewhere(url))).toMatch(
    /^it was refused with HTTP 429.*after the pause.*\nYour server limits codes\. State its pause as otp\.resendAfterSeconds/,
  );
});

test('a refused sign-in names the other numbers of the message before the server', RUN, async () => {
  const messages: { text: string }[] = [];
  const { url } = await startFakeServer(({ path }, response) => {
    if (path === '/login/start') messages.push({ text: 'Order 12345, code 481920' });
    if (path === '/messages') send(response, { status: 200, body: messages });
    else send(response, { status: path === '/login/confirm' ? 410 : 200 });
  });
  const withPattern = (pattern?: string) => (file: PlainFile) => {
    elsewhere(url)(file);
    file.otp = { outbox: { request: { path: '/messages' }, text: '/text', ...(pattern && { pattern }) } };
  };
  expect(await said(withPattern('\\d{5}'))).toMatch(
    /HTTP 410; the message has other numbers that could be the code: ######\nPerhaps another number of the message/,
  );
  expect(await said(withPattern())).toContain('several candidates in it could be the code: #####, ######');
});

test('a place of keep that finds nothing is named', RUN, async () => {
  const { url } = await fakeSignIn([202], { transaction: 'abc' });
  const words = await said((file) => {
    elsewhere(url)(file);
    const { requestOtp, confirmOtp } = file.steps as Record<string, { keep?: object; json?: object }>;
    if (requestOtp) requestOtp.keep = { tx: '/transactionId' };
    if (confirmOtp) confirmOtp.json = { ...confirmOtp.json, transaction: '${keep.tx}' };
  });
  expect(words).toMatch(
    /steps\.requestOtp\.keep\.tx \(at \/transactionId\) found nothing in the answer of its step\nCorrect/,
  );
});

/** Examines the mock, changed by `variant`, in this process. */
const examinedMock = async (variant: AuthVariant, use: (diagnoses: readonly Diagnosis[]) => void) =>
  examined(await mockAdapter(), use, {
    serve: (ehrUrl) => serveMock(variant, { ehrUrl, clock: systemClock, seed: 1 }),
  });

test.each([
  [
    'a wrong internal password',
    { EHR_INTERNAL_PASSWORD: 'not the one' },
    /^wrong password: (?!.*not the one)[^\n]*\nUse the same internal password in your server/,
  ],
  [
    'a wrong internal user',
    { EHR_INTERNAL_USER: 'somebody' },
    /^wrong internal user: [^\n]*\nUse the same internal user/,
  ],
  [
    'calls beside the endpoint',
    { AUTH_API_VERSION: '1.1' },
    /but to the path \/1\.1\/, which is not served: \/1\.0-alpha\/ is\./,
  ],
])('%s is named', RUN, (_what, env, words) =>
  examinedMock({ id: 'set-up', title: 'Its settings are wrong', env }, (diagnoses) =>
    expect(diagnoses.map(({ found, remedy }) => `${found}\n${remedy}`)).toContainEqual(
      expect.stringMatching(words),
    ),
  ),
);

test.each([
  [3_600_000, '60 minutes ahead'],
  [-3_600_000, '60 minutes behind'],
])('a clock that is off by %d ms is named', RUN, async (skew, words) => {
  const { url } = await startFakeServer((_request, response) => {
    response.setHeader('date', new Date(systemClock.now() + skew).toUTCString());
    send(response, {});
  });
  expect(await said(runningAt(url))).toBe(
    `clock off: the server's is ${words}\nSynchronize both machines by NTP. Exchange tokens live ten minutes, so a wrong clock breaks them.`,
  );
});

test.each([
  ['an exchange token that is stored late', 'token-before-ehr', 'but after the answer: this is judged'],
  [
    'an exchange token that is never stored',
    'token-never-sent',
    'no call came, and an exchange token was given all the same: this is judged',
  ],
  ['a digest over another value', 'digest-over-session-token', 'the digest is over authInfo.token;'],
  ['a digest in another coding', 'digest-base64', 'it is encoded in base64'],
  ['params by position', 'params-by-position', 'the digest is over params.0;'],
  ['a call that belongs to the client before the save', 'reads-before-exchange-token', 'the digest is right'],
])('the doctor lets %s be judged', RUN, async (_what, name, found) => {
  const variant = defects.find(({ id }) => id === name);
  if (!variant) throw new Error(`There is no defect ${name}.`);
  await examinedMock(variant, (diagnoses) => {
    expect(diagnoses.filter(({ ok }) => !ok)).toEqual([]);
    expect(diagnoses.map((each) => each.found).join('\n')).toContain(found);
  });
});

test('where phones are few, the scenarios have those of the doctor as well', RUN, async () => {
  const phones = ['79995550001', '79995550002', '79995550003', '79995550004'];
  const loaded = await mockAdapter();
  const few = { ...loaded, settings: { ...loaded.settings, people: { phones, unknown: '7888555####' } } };
  const right = { id: 'few', title: '' };
  await examined(
    few,
    async (diagnoses, { driver }) => {
      expect(diagnoses.filter(({ ok }) => !ok)).toEqual([]);
      const people = await Promise.race([driver.people.take(4), Promise.resolve(undefined)]);
      expect(people?.map(({ phone }) => phone).sort()).toEqual(phones);
    },
    { serve: (ehrUrl) => serveMock(right, { ehrUrl, clock: systemClock, seed: 1 }) },
  );
});

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Mistakes in the adapter file, and limits of the server, that the doctor names. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: adapter files name their values so
import { expect, test } from 'vitest';
import { inDirectory, readReport, runCli } from '../../../testing/cli.ts';
import { type PlainFile, writePlainFile } from '../../../testing/plain-file.ts';
import { send, startFakeServer } from '../adapter/testing/fake-server.ts';

const RUN = { timeout: 60_000 };

function diagnosed(change: (file: PlainFile) => void): Promise<string> {
  return inDirectory(async (directory) => {
    const reports = `${directory}/reports`;
    const config = writePlainFile(directory, change);
    const { code, output } = await runCli('auth-server', '--config', config, '--report', reports);
    expect(code, output).toBe(2);
    expect(output).toMatch(/^ {2}NOT {2}/m);
    const [{ problem, remedy } = { problem: '', remedy: '' }] = readReport(reports).notSetUp ?? [];
    return `${problem}\n${remedy}`;
  });
}

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
  file.server = { url };
  file.ports = {};
  file.otp = { fixed: { code: '123456' } };
  file.steps.advanceClock = { method: 'POST', path: '/clock', json: { ms: '${milliseconds}' } };
};

test('a code that was sent a moment ago is waited for, and the sign-in goes on', RUN, async () => {
  const { url, received } = await fakeSignIn([429, 202]);
  expect(await diagnosed(elsewhere(url))).toMatch(/^it was refused with HTTP 410/);
  expect(received.map(({ path }) => path).filter((path) => path !== '/')).toEqual([
    '/login/start',
    '/clock',
    '/login/start',
    '/login/confirm',
  ]);
});

test('a server that goes on refusing codes is said to limit them', RUN, async () => {
  const { url } = await fakeSignIn([429]);
  expect(await diagnosed(elsewhere(url))).toMatch(
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
  expect(await diagnosed(withPattern('\\d{5}'))).toMatch(
    /HTTP 410; the message has other numbers that could be the code: ######\nPerhaps another number of the message/,
  );
  expect(await diagnosed(withPattern())).toContain('several candidates in it could be the code: #####, ######');
});

test('a place of keep that finds nothing is named', RUN, async () => {
  const { url } = await fakeSignIn([202], { transaction: 'abc' });
  const said = await diagnosed((file) => {
    elsewhere(url)(file);
    const { requestOtp, confirmOtp } = file.steps as Record<string, { keep?: object; json?: object }>;
    if (requestOtp) requestOtp.keep = { tx: '/transactionId' };
    if (confirmOtp) confirmOtp.json = { ...confirmOtp.json, transaction: '${keep.tx}' };
  });
  expect(said).toMatch(
    /steps\.requestOtp\.keep\.tx \(at \/transactionId\) found nothing in the answer of its step\nCorrect/,
  );
});

test('a step that is refused is told as such, and not as a wrong EHR address', RUN, async () => {
  const said = await diagnosed((file) => {
    const step = file.steps.exchangeToken as { headers: Record<string, string> };
    step.headers = { authorization: 'Bearer not-${token}' };
  });
  expect(said).toMatch(
    /^your server refused the step exchangeToken and did not call the EHR server: it was refused with HTTP 401/,
  );
  expect(said).toContain('the header or cookie that names the session');
});

test('a message that the sink could not take is told', RUN, async () => {
  const said = await diagnosed((file) => {
    file.otp.sink = { port: 0, shape: 'twilio' };
  });
  expect(said).toMatch(/^server-error: HTTP 5\d\d\. A request came to the SMS sink that it could not take/);
  expect(said).toContain('otp.sink.shape');
});

test('calls beside the endpoint are told', RUN, async () => {
  await inDirectory(async (directory) => {
    const config = writePlainFile(directory, ({ server: { start } }) => {
      if (start) start.env.EHR_API_VERSION = '1.1';
    });
    const { output } = await runCli('doctor', '--config', config);
    expect(output).toContain('but to the path /1.1/, which is not served: /1.0-alpha/ is.');
  });
});

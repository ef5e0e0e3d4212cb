/** Mistakes in the adapter file, and limits of the server, that the doctor names. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: adapter files name their values so
import { expect, test } from 'vitest';
import { diagnosesOf, type PlainFile, runningAt } from '../../../testing/plain-server.ts';
import { send, startFakeServer } from '../adapter/testing/fake-server.ts';

const RUN = { timeout: 60_000 };

/** The server here has a code in its outbox before it answers the request for it, so none comes later. */
const BRIEF = { waits: { codeMs: 500, lateCallMs: 100 } };

/** The last thing that the doctor says: what it found, and the remedy below it. */
async function said(change: (file: PlainFile) => void): Promise<string> {
  const { found, remedy = '' } = (await diagnosesOf(change, BRIEF)).at(-1) ?? {};
  return `${found}\n${remedy}`;
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

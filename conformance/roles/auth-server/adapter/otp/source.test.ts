import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { loadVariant } from '../testing/adapter-file.ts';
import { askSource, openOtpSource } from './source.ts';

const nobody = async () => undefined;
const WAIT_MS = 60_000;

test.each([
  ['fixed', { fixed: { code: '0000' } }, {}, { code: '0000', smsUrl: undefined }],
  ['sink', { sink: { port: 1 } }, {}, { smsUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) }],
  [
    'none',
    undefined,
    { requestOtp: { absent: 'test login' }, confirmOtp: { json: { code: undefined } } },
    { code: undefined },
  ],
  [
    'outbox of the server itself',
    { outbox: { request: { path: '/outbox' }, code: '/code' } },
    {},
    { trouble: expect.stringMatching(/^The outbox could not be read: /) },
  ],
])('a file opens its source of codes: %s', async (_what, otp, steps, expected) => {
  const { settings } = await loadVariant({ otp: otp && { fixed: undefined, ...otp }, steps });
  const source = await openOtpSource(settings, { clock: manualClock(), ask: nobody, sinkPort: 0 });
  onTestFinished(() => source.close());
  const [code, messages] = [await source.codeFor('7999', 5, 0), await source.messagesTo('7999')];
  expect({ code, messages, smsUrl: source.smsUrl, trouble: source.trouble() }).toMatchObject({
    messages: 0,
    ...expected,
  });
});

test('messages are looked for with the prefix that the file states', async () => {
  const { settings } = await loadVariant({ otp: { fixed: undefined, sink: { port: 1 }, prefix: '+1' } });
  const source = await openOtpSource(settings, { clock: manualClock(), ask: nobody, sinkPort: 0 });
  onTestFinished(() => source.close());
  const body = JSON.stringify({ to: '+1 (212) 555-0100', text: 'code 1111' });
  await fetch(`${source.smsUrl}/sms`, { method: 'POST', body });
  expect(await source.messagesTo('2125550100')).toBe(1);
  expect(await source.codeFor('2125550100', 0, 0)).toBe('1111');
});

test('a person is asked for each code once', async () => {
  const [answers, questions] = [[' 1234 ', '5678'], [] as string[]];
  const source = askSource(
    async (question) => {
      questions.push(question);
      return answers.shift();
    },
    manualClock(),
    WAIT_MS,
  );
  expect(await source.codeFor('7999', 0, 0)).toBe('1234');
  expect(await source.codeFor('7999', 0, 0)).toBe('1234');
  expect(await source.messagesTo('7999')).toBe(1);
  expect(await source.codeFor('7999', 1, 0)).toBe('5678');
  expect(questions).toEqual(Array(2).fill('Which code came to 7999? (Enter alone when none came)'));
});

test.each(['', '  ', undefined])('the empty answer %j means that no code came', async (answer) => {
  const source = askSource(async () => answer, manualClock(), WAIT_MS);
  expect(await source.codeFor('7999', 0, 0)).toBeUndefined();
  expect(source.trouble()).toBe('The code was asked for on the terminal, and none was typed in.');
  expect(await source.messagesTo('7999')).toBe(0);
});

const unanswered = (_question: string, signal: AbortSignal) =>
  new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('nobody is waited for longer than a person may take, or than the run', async () => {
  const clock = manualClock();
  const source = askSource(unanswered, clock, WAIT_MS);
  const waiting = source.codeFor('7999', 0, 0);
  clock.advance(WAIT_MS);
  expect(await waiting).toBeUndefined();
  expect(source.trouble()).toBe('The code was asked for on the terminal, and nobody answered in time.');
  const atTheEnd = source.codeFor('7999', 0, 0);
  await source.close();
  expect(await atTheEnd).toBeUndefined();
});

test('a terminal that fails is not taken for a person who is silent', async () => {
  const source = askSource(async () => Promise.reject(new Error('no terminal')), manualClock(), WAIT_MS);
  await expect(source.codeFor('7999', 0, 0)).rejects.toThrow('no terminal');
});

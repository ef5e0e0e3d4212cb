import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { loadVariant } from '../testing/adapter-file.ts';
import { askSource, openOtpSource } from './source.ts';

const nobody = async () => undefined;

async function opened(otp: Record<string, unknown> | undefined, steps: Record<string, unknown> = {}) {
  const { settings } = await loadVariant({ otp: otp && { fixed: undefined, ...otp }, steps });
  const source = await openOtpSource(settings, { clock: manualClock(), ask: nobody, sinkPort: 0 });
  onTestFinished(() => source.close());
  return source;
}

test('a fixed code is known at once and to everybody', async () => {
  const source = await opened({ fixed: { code: '0000' } });
  expect(await source.codeFor('7999', 5, 0)).toBe('0000');
  expect(await source.messagesTo('7999')).toBe(0);
  expect(source.smsUrl).toBeUndefined();
});

test('a sink has an address, with a given port in place of the file’s', async () => {
  const source = await opened({ sink: { port: 1 } });
  expect(source.smsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a server without codes has none', async () => {
  const source = await opened(undefined, {
    requestOtp: { absent: 'test login' },
    confirmOtp: { json: { code: undefined } },
  });
  expect(await source.codeFor('7999', 0, 10_000)).toBeUndefined();
  expect(await source.messagesTo('7999')).toBe(0);
});

test('an outbox is asked at the server itself', async () => {
  const source = await opened({ outbox: { request: { path: '/outbox' }, code: '/code' } });
  expect(await source.messagesTo('7999')).toBe(0);
  expect(source.trouble()).toMatch(/^The outbox could not be read: /);
});

/** A person who gives these answers, one after the other. */
function person(...answers: (string | undefined)[]) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answers.shift();
  };
  return { ask, questions };
}

test('a person is asked for each code once', async () => {
  const { ask, questions } = person(' 1234 ', '5678');
  const source = askSource(ask, manualClock(), 60_000);
  expect(await source.messagesTo('7999')).toBe(0);
  expect(await source.codeFor('7999', 0, 0)).toBe('1234');
  expect(await source.codeFor('7999', 0, 0)).toBe('1234');
  expect(await source.messagesTo('7999')).toBe(1);
  expect(await source.codeFor('7999', 1, 0)).toBe('5678');
  expect(questions).toEqual(Array(2).fill('Which code came to 7999? (Enter alone when none came)'));
});

test('an empty answer means that no code came', async () => {
  for (const answer of ['', '  ', undefined]) {
    const source = askSource(person(answer).ask, manualClock(), 60_000);
    expect(await source.codeFor('7999', 0, 0)).toBeUndefined();
    expect(source.trouble()).toBe('The code was asked for on the terminal, and none was typed in.');
    expect(await source.messagesTo('7999')).toBe(0);
  }
});

const unanswered = (_question: string, signal: AbortSignal) =>
  new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('nobody is waited for longer than a person may take', async () => {
  const clock = manualClock();
  const source = askSource(unanswered, clock, 60_000);
  const waiting = source.codeFor('7999', 0, 0);
  clock.advance(60_000);
  expect(await waiting).toBeUndefined();
  expect(source.trouble()).toBe('The code was asked for on the terminal, and nobody answered in time.');
});

test('a question is taken back when the run ends', async () => {
  const source = askSource(unanswered, manualClock(), 60_000);
  const waiting = source.codeFor('7999', 0, 0);
  await source.close();
  expect(await waiting).toBeUndefined();
});

test('a terminal that fails is not taken for a person who is silent', async () => {
  const source = askSource(async () => Promise.reject(new Error('no terminal')), manualClock(), 60_000);
  await expect(source.codeFor('7999', 0, 0)).rejects.toThrow('no terminal');
});

import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { openSink } from './sink.ts';

const PHONE = '79995550001';

/** A sink, and a function that sends it a message to a phone. */
async function sinkAndSend() {
  const sink = await openSink({ port: 0, host: '127.0.0.1', shape: 'json', pattern: undefined }, systemClock);
  onTestFinished(() => sink.close());
  const send = (to: string) =>
    fetch(`${sink.smsUrl}/sms`, {
      method: 'POST',
      body: JSON.stringify({ to, text: 'Your code is 012345.' }),
    });
  return { sink, send };
}

test('a refused message, and one with an error in a 200, bring no code', async () => {
  const { sink, send } = await sinkAndSend();
  for (const [how, status] of [
    ['refuses', 500],
    ['error in a 200', 200],
  ] as const) {
    const failing = sink.failFor?.(PHONE, how);
    const answer = await send(PHONE);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain('not_sent');
    expect(failing).toMatchObject({ codes: ['012345'] });
    failing?.end();
  }
  expect(await sink.messagesTo(PHONE)).toBe(0);
  await send(PHONE);
  expect(await sink.codeFor(PHONE, 0, 0)).toBe('012345');
});

test('a silent gateway answers others, and breaks the connection at the end', async () => {
  const { sink, send } = await sinkAndSend();
  const failing = sink.failFor?.(PHONE, 'silence');
  const silent = send(PHONE).catch(() => 'broken');
  expect((await send('79995550002')).status).toBe(202);
  await expect.poll(() => failing?.codes.length).toBe(1);
  failing?.end();
  expect(await silent).toBe('broken');
});

import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { EHR_METHODS } from '../../servers/calls.ts';
import type { Action } from '../driver.ts';
import { openPerson } from './open.ts';

/** Opens a client that a person with a script drives. */
async function startPerson() {
  const clock = manualClock();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const listeners = new Set<(call: ExchangeEntry) => void>();
  const aborting = new AbortController();
  const drivers = openPerson(
    { address: 'http://192.168.1.20:8080/', host: '127.0.0.1', personMs: 60_000 },
    {
      ...{ authUrl: 'http://auth.test', ehrUrl: 'http://ehr.test', port: 0, clock, env: {} },
      timeouts: { actionMs: 1_000, leaveMs: 1_000 },
      signal: aborting.signal,
      mask: (text) => text,
      onCall(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    { input, output },
  );
  const said = () => String(output.read() ?? '');
  /** Answers after the time that a person needs. */
  const say = (line: string) => {
    clock.advance(300);
    input.write(`${line}\n`);
  };
  /** A call of the client arrives and is answered; `more` tells of a trouble. */
  const call = (method: string, outcome: object, more: Partial<ExchangeEntry> = {}) => {
    const response = { status: 200, headers: [], body: JSON.stringify(outcome) };
    const entry = { kind: 'exchange', facts: { call: { method } }, response, ...more };
    for (const listener of listeners) listener(entry as unknown as ExchangeEntry);
  };
  const opening = said();
  const starting = drivers.start('one');
  const told = said();
  say('');
  const driver = await starting;
  /** Begins an action, and returns what is told and what is seen at last. */
  const turn = async (action: Action) => {
    const seen = driver.act(action);
    await Promise.resolve();
    return { seen, told: said() };
  };
  return { clock, input, drivers, driver, said, say, call, turn, aborting, opening, told };
}

test('the person sees addresses and a QR code, and prepares the client', async () => {
  const { opening, told, drivers, say, said } = await startPerson();
  expect(opening).toContain('the authorization server at http://auth.test');
  expect(opening).toMatch(/http:\/\/192\.168\.1\.20:8080\/\n(?:[█▀▄ ]{20,}\n)+/);
  expect(told).toContain('>> YOUR TURN: Remove all that the client keeps');
  const again = drivers.start('one');
  expect(said()).toContain('>> YOUR TURN: Open the client again.');
  say('');
  await again;
  await drivers.close();
});

test('the kit goes on when calls leave no doubt, and says that it waits', async () => {
  const { turn, said, call, clock } = await startPerson();
  const code = await turn({ do: 'signIn', phone: '79990001122' });
  expect(code.told).toContain('>> YOUR TURN: Sign in with the phone 79990001122, and ask for a code.');
  call('auth.request_otp', { result: {} });
  expect(said()).toBe('   ... waiting: auth.request_otp has arrived\n');
  clock.advance(1_000);
  expect(await code.seen).toMatchObject({ sees: 'code' });
  const form = await turn({ do: 'enterCode', code: '123456' });
  call('auth.confirm_otp', { result: {} });
  clock.advance(999);
  call(EHR_METHODS.read, { error: { code: -33_000 } });
  clock.advance(1_000);
  expect(await form.seen).toMatchObject({ sees: 'form' });
});

test('a call that no client makes leaves a doubt, whatever its name', async () => {
  const { turn, said, say, call, clock } = await startPerson();
  const { seen } = await turn({ do: 'readPatient' });
  call('constructor', { result: {} });
  said();
  clock.advance(1_000);
  expect(said()).toBe('>> YOUR TURN: What do you see now?\n');
  say('e The server has a problem.');
  expect(await seen).toMatchObject({ sees: 'error' });
});

test('after a trouble the person says what they see, and what is said there', async () => {
  const { turn, said, say, call, clock } = await startPerson();
  const { seen } = await turn({ do: 'readPatient' });
  call(EHR_METHODS.read, { result: {} }, { fault: 'http-500' });
  said();
  clock.advance(1_000);
  expect(said()).toBe('>> YOUR TURN: What do you see now?\n');
  say('e The server has a problem.');
  expect(await seen).toEqual({ sees: 'error', text: 'The server has a problem.' });
});

test('an answer to an earlier turn or an unknown letter is asked again', async () => {
  const { turn, said, say, input } = await startPerson();
  const { seen } = await turn({ do: 'logout' });
  for (const answer of [() => input.write('s\n'), () => say('x')]) {
    answer();
    await new Promise(setImmediate);
    expect(said()).toContain('>> YOUR TURN: That was not understood: Log out;');
  }
  say('s You are logged out.');
  expect(await seen).toEqual({ sees: 'signedOut', text: 'You are logged out.' });
});

test('the same action twice is one turn, and leaving is confirmed', async () => {
  const { driver, said, say } = await startPerson();
  const twice = Promise.all([driver.act({ do: 'logout' }), driver.act({ do: 'logout' })]);
  await Promise.resolve();
  expect(said()).toContain('Do it twice, as fast as you can.');
  say('s');
  const [one, other] = await twice;
  expect(one).toBe(other);
  const left = driver.leave();
  expect(said()).toContain('>> YOUR TURN: Close the client');
  say('');
  await left;
});

test('nobody who answers, an end of input and Ctrl-C end the turn', async () => {
  const { turn, clock, input, aborting } = await startPerson();
  const late = await turn({ do: 'logout' });
  clock.advance(60_000);
  const message = 'nobody answered within 60000 ms';
  await expect(late.seen).rejects.toMatchObject({ what: 'timeout', message });
  const stopped = await turn({ do: 'logout' });
  await Promise.resolve();
  aborting.abort(new Error('broken off'));
  await expect(stopped.seen).rejects.toThrow('broken off');
  const ended = await turn({ do: 'logout' });
  input.end();
  await expect(ended.seen).rejects.toMatchObject({ what: 'unreachable' });
});

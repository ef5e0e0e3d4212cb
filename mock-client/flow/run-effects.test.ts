import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Call, Outcome } from '../calls.ts';
import type { Memory, Snapshot } from './memory.ts';
import { startFlow } from './run-effects.ts';
import { phone, refused, results, session } from './testing/walk.ts';

/** Starts a flow with its own memory, whose calls the test answers. */
function flowWith(snapshot?: Snapshot) {
  const calls: Call[] = [];
  const answers: ((outcome: Outcome) => void)[] = [];
  const seen: { kept: Snapshot | undefined; calls: number }[] = [];
  let kept = snapshot;
  const signs = new Map<string, string>();
  const memory: Memory = {
    readSnapshot: () => kept,
    writeSnapshot: (next) => {
      kept = next;
      seen.push({ kept, calls: calls.length });
    },
    recallSign: ({ value }) => signs.get(value),
    keepSign: ({ value }, sign) => void signs.set(value, sign),
    forgetSign: ({ value }) => void signs.delete(value),
  };
  const clock = manualClock();
  const rpc = {
    call: (call: Call) => {
      calls.push(call);
      return new Promise<Outcome>((resolve) => answers.push(resolve));
    },
  };
  const flow = startFlow({ rpc, memory, clock });
  const answer = async (outcome?: Outcome) => {
    const call = calls.at(-1) as Call;
    answers.at(-1)?.(outcome ?? ({ ok: true, result: results[call.method] } as Outcome));
    await new Promise(setImmediate);
  };
  return { flow, calls, signs, clock, seen, answer, kept: () => kept };
}

test('what must survive is kept from sign-in to the record', async () => {
  const { flow, calls, signs, clock, answer, kept } = flowWith();
  signs.set(phone.value, 'sign-0');
  flow.send({ type: 'attribute_submitted', attribute: phone });
  await answer();
  expect(flow.current().step).toMatchObject({ at: 'code', resendAt: clock.now() + 30_000 });
  flow.send({ type: 'code_submitted', code: '402913' });
  expect(calls.at(-1)?.params).toMatchObject({ ehr_user_sign: 'sign-0' });
  await answer({ ok: false, failure: refused('auth', 'ehr_refused') });
  expect(signs.size).toBe(0);
  await answer();
  await answer();
  expect(flow.current().step.at).toBe('record');
  expect(signs.get(phone.value)).toBe('sign-1');
  expect(kept()).toMatchObject({ at: 'session', session });
});

test('the session is kept before the next call goes out', async () => {
  const { flow, seen, answer } = flowWith();
  flow.send({ type: 'attribute_submitted', attribute: phone });
  await answer();
  flow.send({ type: 'code_submitted', code: '402913' });
  await answer();
  expect(seen.at(-1)).toMatchObject({ kept: { at: 'session' }, calls: 2 });
});

test('a tab that remembers a session asks for its record at once', () => {
  const { flow, calls } = flowWith({ at: 'session', attribute: phone, session, reportDue: false });
  expect(calls).toMatchObject([{ method: 'patient.get_patient' }]);
  expect(flow.current().step.at).toBe('checking');
});

test('a disconnection forgets the signature on the device', async () => {
  const { flow, signs, answer } = flowWith({ at: 'session', attribute: phone, session, reportDue: false });
  await answer();
  expect(signs.size).toBe(1);
  flow.send({ type: 'ending_asked', ending: 'disconnect' });
  await answer();
  expect(signs.size).toBe(0);
});

test('whoever subscribes is woken by each change until it is enough', async () => {
  const { flow, answer } = flowWith();
  const steps: string[] = [];
  const end = flow.subscribe(() => steps.push(flow.current().step.at));
  flow.send({ type: 'attribute_submitted', attribute: phone });
  await answer();
  expect(steps).toEqual(['signIn', 'code']);
  end();
  flow.send({ type: 'attribute_changed' });
  expect(steps).toHaveLength(2);
});

test('an effect that answers at once wakes the subscribers once', () => {
  const { flow } = flowWith({ at: 'code', attribute: phone, digits: 6 });
  let woken = 0;
  flow.subscribe(() => woken++);
  flow.send({ type: 'code_submitted', code: '402913' });
  expect(flow.current()).toMatchObject({ waiting: 2 });
  expect(woken).toBe(1);
});

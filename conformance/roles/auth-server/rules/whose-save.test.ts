import { expect, test } from 'vitest';
import type { Entry, StepEntry } from '../../../engine/journal/entry.ts';
import { exchange, playedStep } from '../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { part } from '../flows/step-values.ts';
import { SAVE_AUTH_INFO } from '../internal-calls.ts';

const label = { scenario: returningUser.id, label: 'Bea returns with user_sign' };
const [USER, TOKEN] = ['‹user 1›', '‹session-token 1›'];

const step = (seq: number, name: StepEntry['step'], of: typeof label, endSeq: number, values = {}) => {
  const [begun, ended] = playedStep(seq, { user: 'Bea', step: name, ...of }, { kind: 'done', values });
  return [begun, { ...ended, seq: endSeq, at: endSeq } as Entry];
};
const save = (seq: number, token = TOKEN): Entry =>
  exchange(seq, {
    link: 'auth->ehr',
    facts: {
      call: { method: SAVE_AUTH_INFO, idType: 'integer', jsonrpc: '2.0', params: {}, user: USER, token },
      reply: { result: true },
    },
  });

/** Describes a return with this save beside its two steps. */
function said(...saves: Entry[]) {
  const entries = [
    ...step(10, 'requestOtp', part(label, 'request a code'), 20),
    ...step(30, 'confirmOtp', label, 40, { user: USER, token: TOKEN }),
    ...saves,
  ].sort((a, b) => a.seq - b.seq);
  const check = returningUser.checks.find(({ id }) => id === 'returning-user-saved-directly');
  return check?.judge(new JournalView(entries));
}

test('a save in its step passes', () => {
  expect(said(save(35))).toMatchObject({ outcome: 'pass' });
});

test('a save that came too early is told so, not as unsent', () => {
  const early = {
    outcome: 'fail',
    actual: 'it came before the code was confirmed',
    advice: expect.stringContaining('Compare the code first'),
  };
  expect(said(save(15))).toMatchObject(early);
  expect(said(save(15, '‹session-token 2›'))).toMatchObject(early);
  expect(said(save(25))).toMatchObject(early);
});

test('a late save of a linked user passes, and a missing save is told', () => {
  const linked = step(1, 'authenticate', part(label, 'authenticate'), 2);
  expect(said(...linked, save(50))).toMatchObject({ outcome: 'pass' });
  expect(said(...linked, save(50, '‹session-token 2›'))).toMatchObject({ outcome: 'fail' });
  expect(said()).toMatchObject({ outcome: 'fail', actual: 'it was not sent' });
});

import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Check } from '../check/check.ts';
import { Recorder } from '../journal/recorder.ts';
import type { Run } from '../journal/run-file.ts';
import { Knowledge } from '../journal/secrets/knowledge.ts';
import { request, response } from '../journal/testing/exchanges.ts';
import { makeCase } from './make.ts';
import type { CaseParty } from './told.ts';

const scenario = 'reads';
const check: Check = {
  ...{ id: 'reads-refused', title: 'It is refused', requirements: ['2.5-phone'] },
  ...{ scenarios: [scenario], watchable: false },
  judge: ({ entries }) =>
    entries.some((entry) => entry.kind === 'note')
      ? { outcome: 'pass', evidence: [1] }
      : {
          ...{ outcome: 'fail', expected: 'a refusal', actual: 'it succeeded' },
          ...{ evidence: [1], blame: 'client', advice: 'Refuse it.' },
        },
};

/** How a party plays: a right one leaves a note, and `stopped` ends its scenario early. */
type FakeParty = { isRight?: boolean; stopped?: string };

/** A party whose scenario has this many calls. Scripts cannot be played with it. */
function partyOf(calls: number, { isRight, stopped }: FakeParty = {}): CaseParty & { isAlike: boolean } {
  return {
    isAlike: true,
    async play(_check, tap) {
      const recorder = new Recorder(manualClock(), new Knowledge('auth', 'password', new Map()));
      tap.open(recorder);
      recorder.beginScenario(scenario, true);
      for (let call = 1; call <= calls; call++) {
        const step = recorder.step({ scenario, user: 'Mia', step: 'logout', label: `call ${call}` });
        const open = recorder.exchange('client->auth', undefined, step.seq);
        open.end({ link: 'client->auth', request: request(), response: response('{}') });
        recorder.outcome(step, { kind: 'done', values: {} }, 1);
      }
      if (isRight) recorder.note('It is right.');
      recorder.endScenario(
        scenario,
        stopped === undefined ? {} : { stopped: { because: stopped, blame: 'client' } },
      );
      const meta = { mode: 'scenarios', finished: true, role: 'client' } as Run['meta'];
      return { meta, entries: recorder.entries() };
    },
    stand: () => Promise.reject(new Error('a script is played')),
  };
}

const made = (calls: number, asked = check, right: FakeParty = { isRight: true }) =>
  makeCase({
    ...{ check: asked, blamed: 'client', party: partyOf(calls), right: partyOf(1, right) },
    ...{ sides: { calls: ['client->auth'], party: ['client->auth'] }, signal: new AbortController().signal },
  });

test('parties that do the same have no fact that tells them apart', async () => {
  await expect(made(1)).rejects.toThrow('no call or message of its scenario reads differs');
});

test('a case is not written where the right party is not right here', async () => {
  const because = 'the right party of the kit, with which yours is compared, does not pass it here';
  await expect(made(2, check, {})).rejects.toThrow(`${because} (it succeeded)`);
  const stopped = 'the program does not start';
  await expect(made(2, check, { isRight: true, stopped })).rejects.toThrow(`${because} (${stopped})`);
});

test('a check of what scenarios leave for each other says so', async () => {
  const scenarios = Array.from({ length: 6 }, (_, index) => `scenario ${index}`);
  const passing: Check = { ...check, scenarios, judge: () => ({ outcome: 'pass', evidence: [1] }) };
  await expect(made(1, { ...passing, acrossScenarios: true })).rejects.toThrow(
    'none of its 6 scenarios fails alone. It judges what they leave behind for each other.',
  );
  await expect(made(1, passing)).rejects.toThrow('reads-refused does not fail here');
});

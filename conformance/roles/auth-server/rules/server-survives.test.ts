import { expect, test } from 'vitest';
import type { Entry, ExchangeEntry } from '../../../engine/journal/entry.ts';
import { exchange, playedStep } from '../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { survivalRules } from './server-survives.ts';

const SCENARIO = 'wrong-codes';

/** A step that began at `seq`, with its request and its end. */
function step(
  seq: number,
  label: string,
  broke?: 'reset',
  link: ExchangeEntry['link'] = 'client->auth',
): Entry[] {
  const [begun, ended] = playedStep(seq, { scenario: SCENARIO, label }, { kind: 'refused', status: 400 });
  const call = exchange(seq + 1, { scenario: SCENARIO, step: seq, link, ...(broke && { broke }) });
  return [begun, call, { ...ended, seq: seq + 2 }];
}

function said(entries: Entry[]) {
  const journal = new JournalView([
    { kind: 'scenario', seq: 1, at: 1, scenario: SCENARIO, phase: 'begin', alone: true },
    ...entries,
    { kind: 'scenario', seq: 90, at: 90, scenario: SCENARIO, phase: 'end' },
  ]);
  return survivalRules[0]?.judge(journal);
}

const died: Entry = { kind: 'server', seq: 50, at: 50, event: 'died', ended: 'ended with code 1' };

test('the death of a server names the steps that it broke', () => {
  expect(
    said([
      ...step(10, 'answered'),
      ...step(20, 'broken', 'reset'),
      ...step(30, 'broken on the other side', 'reset', 'auth->ehr'),
      died,
      ...step(60, 'later', 'reset'),
    ]),
  ).toMatchObject({
    outcome: 'fail',
    actual: expect.stringContaining(`it dies in the scenario ${SCENARIO} played alone, at "broken"`),
    advice: expect.stringContaining(`--only ${SCENARIO}`),
  });
});

test('of a server that died the steps are not told when no connection broke', () => {
  const finding = said([...step(10, 'answered'), died]);
  expect(finding).toMatchObject({ outcome: 'fail', actual: expect.not.stringContaining(', at "') });
});

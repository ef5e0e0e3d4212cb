import { expect, test } from 'vitest';
import type { Entry, Expects, StepResult } from '../journal/entry.ts';
import { playedStep } from '../journal/testing/exchanges.ts';
import { JournalView } from '../journal/view.ts';
import { checksOf, type FlowCheck, type RoleOfFlows } from './flow.ts';
import { MadeSteps } from './step.ts';
import type { Fault } from './steps.ts';

const DONE: StepResult = { kind: 'done', values: {} };
const REFUSED: StepResult = { kind: 'refused', status: 403 };
const FAULT: Fault = { expected: 'a refusal', actual: 'it succeeded', shownBy: [] };
const SUCCEED: Expects = { must: 'succeed' };
const BE_REFUSED: Expects = { must: 'be refused' };
const CONTROL: Expects = { must: 'succeed', isControl: true };

const ROLE: RoleOfFlows = {
  party: 'EHR server',
  failedControl: () => ' failed',
  unmet(played, { must }) {
    const wrong = played.find(({ result }) => (result.kind === 'done') !== (must === 'succeed'));
    return wrong && { ...FAULT, shownBy: [wrong], isProof: must === 'be refused' };
  },
};

type Played = readonly [expects: Expects[], result: StepResult];

/** The finding of the check `read` of a flow in which these steps were played, up to its end or a stop. */
function found(
  played: readonly Played[],
  {
    check = {},
    role = {},
    stopped = false,
  }: Partial<Record<'check' | 'role', object>> & { stopped?: boolean },
) {
  const about: FlowCheck = { title: 'A read', requirements: ['4.4-record-and-sign'], advice: 'Refuse it.' };
  const [read] = checksOf('flow', { read: { ...about, ...check } }, { ...ROLE, ...role });
  const place = { scenario: 'flow', at: 0 };
  const end = stopped ? { stopped: { because: 'it stopped', blame: 'EHR server' } } : {};
  const entries: Entry[] = [
    { kind: 'scenario', seq: 1, phase: 'begin', ...place },
    ...played.flatMap(([expects, result], index) =>
      playedStep(10 * (index + 1), { scenario: 'flow', label: `step ${index}`, expects }, result),
    ),
    { kind: 'scenario', seq: 999, phase: 'end', ...place, ...end },
  ];
  return read?.judge(new JournalView(entries));
}

const outcome = (...args: Parameters<typeof found>) => found(...args)?.outcome;

test('each step must end as it says', () => {
  expect(outcome([[[SUCCEED], DONE]], {})).toBe('pass');
  expect(outcome([[[SUCCEED], REFUSED]], {})).toBe('fail');
  expect(outcome([[[BE_REFUSED], DONE]], {})).toBe('fail');
});

test('a step that another check judges counts for that check alone', () => {
  const others: Played = [[{ ...SUCCEED, check: 'other' }], REFUSED];
  expect(outcome([[[SUCCEED], DONE], others], {})).toBe('pass');
  expect(outcome([others], {})).toBe('inconclusive');
});

test('after a control that failed a refusal proves nothing, and a success does', () => {
  for (const [result, expected] of [
    [REFUSED, 'inconclusive'],
    [DONE, 'fail'],
  ] as const) {
    expect(
      outcome(
        [
          [[CONTROL], REFUSED],
          [[BE_REFUSED], result],
        ],
        {},
      ),
    ).toBe(expected);
  }
});

test('a flow that stopped passes nothing, unless its parts are judged', () => {
  const played: Played[] = [[[SUCCEED], DONE]];
  expect(found(played, { stopped: true })).toMatchObject({ outcome: 'inconclusive', because: 'it stopped' });
  const parts = { role: { judgesParts: true }, stopped: true };
  expect(outcome(played, parts)).toBe('pass');
  expect(outcome(played, { ...parts, check: { labels: 2 } })).toBe('inconclusive');
  expect(
    outcome(
      [
        [[SUCCEED], DONE],
        [[CONTROL], REFUSED],
      ],
      parts,
    ),
  ).toBe('pass');
  expect(outcome([], { role: { judgesParts: true } })).toBe('not applicable');
});

test('a judge says what no step says, before or after the steps', () => {
  const judge = () => ({ ...FAULT, actual: 'of the judge' });
  const wrong: Played[] = [[[SUCCEED], REFUSED]];
  expect(found(wrong, { check: { judge } })).toMatchObject({ actual: 'it succeeded' });
  expect(found(wrong, { check: { judge }, role: { judgesFirst: true } })).toMatchObject({
    actual: 'of the judge',
  });
});

test('a failure names the checks that it explains, a pass none', () => {
  const explains = ['save'];
  expect(found([[[SUCCEED], REFUSED]], { check: { explains } })).toMatchObject({ explains });
  expect(found([[[SUCCEED], DONE]], { check: { explains } })).not.toHaveProperty('explains');
  const settled = () => ({ ...FAULT, explains: ['link'] });
  expect(found([], { check: { explains, settled } })).toMatchObject({ explains: ['link'] });
});

test('a step that a flow has made and not played stops it', async () => {
  const made = new MadeSteps();
  const [played] = [made.make('played', async () => 1), made.make('forgotten', async () => 2)];
  await played();
  expect(() => made.requirePlayed()).toThrow('did not play its step "forgotten"');
});

import { expect, test } from 'vitest';
import type { Entry, Expects, StepResult } from '../journal/entry.ts';
import { playedStep } from '../journal/testing/exchanges.ts';
import { JournalView } from '../journal/view.ts';
import { checksOf, type FlowCheck, type RoleOfFlows } from './flow.ts';
import { MadeSteps } from './playing.ts';
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

/** A step that ends with this result, and what must come of it. */
type Played = readonly [expects: Expects, result: StepResult];
const step = (...played: Played): Played => played;

type Varied = { check?: object; role?: object; stopped?: boolean };

/** The finding of the check `read` of a flow in which these steps were played, up to its end or a stop. */
function findingOf(played: readonly Played[], { check = {}, role = {}, stopped = false }: Varied = {}) {
  const about: FlowCheck = { title: 'A read', requirements: ['4.4-record-and-sign'], advice: 'Refuse it.' };
  const [read] = checksOf('flow', { read: { ...about, ...check } }, { ...ROLE, ...role });
  const place = { scenario: 'flow', at: 0 };
  const end = stopped ? { stopped: { because: 'it stopped', blame: 'EHR server' } } : {};
  const entries: Entry[] = [
    { kind: 'scenario', seq: 1, phase: 'begin', ...place },
    ...played.flatMap(([expects, result], index) =>
      playedStep(10 * (index + 1), { scenario: 'flow', label: `step ${index}`, expects: [expects] }, result),
    ),
    { kind: 'scenario', seq: 999, phase: 'end', ...place, ...end },
  ];
  return read?.judge(new JournalView(entries));
}

const outcomeOf = (...args: Parameters<typeof findingOf>) => findingOf(...args)?.outcome;

test('each step must end as it says', () => {
  expect(outcomeOf([step(SUCCEED, DONE)])).toBe('pass');
  expect(outcomeOf([step(SUCCEED, REFUSED)])).toBe('fail');
  expect(outcomeOf([step(BE_REFUSED, DONE)])).toBe('fail');
});

test('a step that another check judges counts for that check alone', () => {
  const others = step({ ...SUCCEED, check: 'other' }, REFUSED);
  expect(outcomeOf([step(SUCCEED, DONE), others])).toBe('pass');
  expect(outcomeOf([others])).toBe('inconclusive');
});

test('after a control that failed a refusal proves nothing, and a success does', () => {
  expect(outcomeOf([step(CONTROL, REFUSED), step(BE_REFUSED, REFUSED)])).toBe('inconclusive');
  expect(outcomeOf([step(CONTROL, REFUSED), step(BE_REFUSED, DONE)])).toBe('fail');
});

test('a flow that stopped passes nothing, unless its parts are judged', () => {
  const played = [step(SUCCEED, DONE)];
  const stopped = { outcome: 'inconclusive', because: 'it stopped' };
  expect(findingOf(played, { stopped: true })).toMatchObject(stopped);
  const parts = { role: { judgesParts: true }, stopped: true };
  expect(outcomeOf(played, parts)).toBe('pass');
  // The check needs steps of two labels, and one was played.
  expect(outcomeOf(played, { ...parts, check: { labels: 2 } })).toBe('inconclusive');
  // No refusal is to be proven, so nothing depends on the control.
  expect(outcomeOf([...played, step(CONTROL, REFUSED)], parts)).toBe('pass');
  expect(outcomeOf([], { role: { judgesParts: true } })).toBe('not applicable');
});

test('a judge says what no step says, before or after the steps', () => {
  const judge = () => ({ ...FAULT, actual: 'of the judge' });
  const wrong = [step(SUCCEED, REFUSED)];
  expect(findingOf(wrong, { check: { judge } })).toMatchObject({ actual: 'it succeeded' });
  const judgedFirst = findingOf(wrong, { check: { judge }, role: { judgesFirst: true } });
  expect(judgedFirst).toMatchObject({ actual: 'of the judge' });
});

test('a failure names the checks that it explains, a pass none', () => {
  const explains = ['save'];
  expect(findingOf([step(SUCCEED, REFUSED)], { check: { explains } })).toMatchObject({ explains });
  expect(findingOf([step(SUCCEED, DONE)], { check: { explains } })).not.toHaveProperty('explains');
  const settled = () => ({ ...FAULT, explains: ['link'] });
  expect(findingOf([], { check: { explains, settled } })).toMatchObject({ explains: ['link'] });
});

test('a step that a flow has made and not played stops it', async () => {
  const made = new MadeSteps();
  const [played] = [made.make('played', async () => 1), made.make('forgotten', async () => 2)];
  await played();
  expect(() => made.requirePlayed()).toThrow('did not play its step "forgotten"');
});

import { expect, test } from 'vitest';
import type { Verdict } from '../../check/verdict.ts';
import type { Entry, StepResult } from '../../journal/entry.ts';
import { REFUSAL, refused, SAVE, succeeded, verdict, withSteps } from '../testing/fake-causes.ts';
import { FakeJournal } from '../testing/fake-journal.ts';
import { Scenes } from './scene.ts';

const DONE: StepResult = { kind: 'done', values: {} };

/** A scenario of three steps; in each the authorization server calls the EHR server, which refuses. */
function played(result: StepResult) {
  const journal = new FakeJournal();
  const report = (label: string, end: StepResult) =>
    journal.step({ user: 'Ann', step: 'reportLink', label }, end, () => {
      const inner = () => void journal.exchange('auth->ehr', { facts: refused(SAVE), reply: {} });
      journal.exchange('client->auth', { facts: succeeded('auth.report_link'), reply: {}, inner });
    });
  let evidence: number[] = [];
  journal.scenario('reports', () => {
    report('first', DONE);
    evidence = report('second', result);
    report('third', DONE);
  });
  const entries = withSteps(journal).map((entry): Entry => {
    if (entry.kind === 'scenario' && entry.phase === 'begin') return { ...entry, alone: true };
    return entry.kind === 'exchange' && entry.link === 'auth->ehr' ? { ...entry, step: undefined } : entry;
  });
  return { entries, red: verdict('reports', { evidence }) };
}

test('a refusal inside a step is shown where the step failed by it', () => {
  const linkOf = (result: StepResult) => {
    const { entries, red } = played(result);
    return new Scenes(entries).of(red).exchange?.link;
  };
  expect(linkOf(REFUSAL)).toBe('auth->ehr');
  expect(linkOf(DONE)).toBe('client->auth');
});

test("a call whose method the check names is shown before the client's", () => {
  const { entries, red } = played(DONE);
  const linkOf = (actual: string) => {
    const finding = { ...red.finding, actual } as Verdict['finding'];
    return new Scenes(entries).of({ ...red, finding } as Verdict).exchange?.link;
  };
  expect(linkOf(`${SAVE.split('.').at(-1)} has no session`)).toBe('auth->ehr');
  expect(linkOf('it has no session')).toBe('client->auth');
});

test('a step is told with its place and the steps beside it', () => {
  const { entries, red } = played(DONE);
  const { before, step, after, place, steps } = new Scenes(entries).of(red);
  expect([before, step, after].map((each) => each?.step.label)).toEqual(['first', 'second', 'third']);
  expect([place, steps]).toEqual([2, 3]);
});

test('a message that a check names alone is shown with its step', () => {
  const { entries } = played(DONE);
  const calls = entries.filter((entry) => entry.kind === 'exchange' && entry.link === 'auth->ehr');
  const evidence = calls.slice(1).map(({ seq }) => seq);
  const scene = new Scenes(entries).of(verdict('messages', { evidence }));
  expect([scene.exchange?.seq, scene.step?.step.label]).toEqual([evidence[0], 'second']);
});

test('a check that names nothing has no step', () => {
  const { entries } = played(DONE);
  const scene = new Scenes(entries).of(verdict('nothing', { evidence: [] }));
  expect(scene).toEqual({ place: 0, steps: 0, remarks: [] });
});

test('the end of the program is shown with what failed by it', () => {
  const { entries, red } = played({ kind: 'failed', what: 'unreachable', detail: 'refused' });
  const [first] = red.finding.outcome === 'fail' ? red.finding.evidence : [];
  const end: Entry = { kind: 'server', seq: 0, at: 0, event: 'died', ended: 'ended with 1', output: ['No.'] };
  const at = entries.findIndex(({ seq }) => seq === first);
  expect(new Scenes(entries.toSpliced(at, 0, end)).of(red).remarks).toEqual([end]);
});

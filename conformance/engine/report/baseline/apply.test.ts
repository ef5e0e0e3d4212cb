import { expect, test } from 'vitest';
import { usualDemands, type Verdict } from '../../check/verdict.ts';
import { known as entry, fakeRun } from '../testing/fake-run.ts';
import { applyBaseline } from './apply.ts';
import type { KnownFailure } from './load.ts';

const { verdicts } = fakeRun({ crowd: 1 });
const RED = ['auth-info-ttl', 'session-dead-after-logout', 'wrong-code-refused'];
const WARNED = ['answer-in-time', 'resend-limited'];
const known = (check: string, lastDay?: string): KnownFailure =>
  entry(check, { reason: `${check} is known, until release 5`, lastDay });
const allKnown = (checks: readonly string[]) => checks.map((check) => known(check));
const apply = (
  list: KnownFailure[],
  {
    strict = false,
    today = '2026-01-15',
    of = verdicts,
  }: { strict?: boolean; today?: string; of?: Verdict[] } = {},
) => applyBaseline(of, list, { demands: { ...usualDemands, strict }, today });

test('a run passes when everything red in it is known, and not before', () => {
  expect(apply(allKnown(RED))).toMatchObject({ stale: [], passes: true });
  for (const left of RED)
    expect(apply(allKnown(RED.filter((check) => check !== left))).passes, left).toBe(false);
  expect(apply([]).passes).toBe(false);
});

test('the reason of each known failure is kept', () => {
  expect(apply([known('auth-info-ttl')]).known).toEqual({
    'auth-info-ttl': 'auth-info-ttl is known, until release 5',
  });
});

test('where warnings count they must be known too', () => {
  expect(apply(allKnown(RED), { strict: true }).passes).toBe(false);
  expect(apply(allKnown([...RED, ...WARNED]), { strict: true })).toMatchObject({ stale: [], passes: true });
});

test('a known warning is no stale entry, though warnings do not count', () => {
  expect(apply(allKnown([...RED, ...WARNED]))).toMatchObject({ stale: [], passes: true });
});

test.each([
  ['digest-shape', 'it passes now'],
  ['no-correspondence', 'it does not apply now'],
])('a listed check that no longer fails breaks the run: %s, because %s', (check, because) => {
  const applied = apply(allKnown([...RED, check]));
  expect(applied.passes).toBe(false);
  expect(applied.stale).toEqual([
    {
      check,
      because: `known.yaml:1:1: listed as a known failure, but ${because}. Please take it off the list.`,
    },
  ]);
});

test('an entry holds on its last day and no longer', () => {
  const list = RED.map((check) => known(check, '2026-01-15'));
  expect(apply(list, { today: '2026-01-15' }).passes).toBe(true);
  const after = apply(list, { today: '2026-01-16' });
  expect(after.passes).toBe(false);
  expect(after.stale[0]?.because).toContain('accepted until 2026-01-15, which has passed');
  expect(after.known).toEqual({});
});

test('a flaky check may fail or pass until its last day', () => {
  const flaky = (check: string, lastDay?: string): KnownFailure => ({
    ...known(check, lastDay),
    isFlaky: true,
  });
  const others = allKnown(RED.filter((check) => check !== 'auth-info-ttl'));
  for (const check of ['auth-info-ttl', 'digest-shape']) {
    const applied = apply([...allKnown(RED.filter((each) => each !== check)), flaky(check)]);
    expect(applied).toMatchObject({ stale: [], passes: true });
  }
  expect(apply([...others, flaky('auth-info-ttl')]).flaky).toEqual({
    'auth-info-ttl': 'auth-info-ttl is known, until release 5',
  });
  expect(apply([...others, flaky('auth-info-ttl', '2026-01-14')]).stale).toMatchObject([
    { check: 'auth-info-ttl' },
  ]);
  expect(apply([...others, flaky('no-correspondence')]).stale[0]?.because).toContain(
    'listed as flaky, but it does not apply now',
  );
});

test('a listed check that was not asked is left alone', () => {
  const passing = verdicts.filter(({ outcome }) => outcome === 'pass');
  expect(apply(allKnown(RED), { of: passing })).toEqual({ known: {}, flaky: {}, stale: [], passes: true });
});

import { expect, test } from 'vitest';
import { usualDemands, type Verdict } from '../check/verdict.ts';
import { applyKnownFailures, parseKnownFailures } from './known-failures.ts';
import { fakeRun, known } from './testing/fake-run.ts';

const { verdicts } = fakeRun({ crowd: 1 });
const RED = ['auth-info-ttl', 'session-dead-after-logout', 'wrong-code-refused'];
const WARNED = ['answer-in-time', 'resend-limited'];
const apply = (
  checks: readonly string[],
  { strict = false, until = '2026-03-31', of = verdicts as readonly Verdict[] } = {},
) =>
  applyKnownFailures(
    of,
    checks.map((check) => known(check, { until })),
    { demands: { ...usualDemands, strict }, today: '2026-01-15' },
  );

test('a run passes when everything red in it is known, and not before', () => {
  expect(apply(RED)).toEqual({
    stale: [],
    passes: true,
    known: Object.fromEntries(RED.map((check) => [check, 'ticket 12'])),
  });
  for (const left of RED) expect(apply(RED.filter((check) => check !== left)).passes, left).toBe(false);
});

test('a known warning is not out of date, and is needed where warnings count', () => {
  expect(apply([...RED, ...WARNED])).toMatchObject({ stale: [], passes: true });
  expect(apply(RED, { strict: true }).passes).toBe(false);
  expect(apply([...RED, ...WARNED], { strict: true }).passes).toBe(true);
});

test.each([
  ['digest-shape', 'it passes now'],
  ['no-correspondence', 'it does not apply now'],
])('a listed check that no longer fails breaks the run: %s, because %s', (check, because) => {
  expect(apply([...RED, check])).toMatchObject({
    passes: false,
    stale: [
      {
        check,
        because: `known.yaml:2:5: listed as a known failure, but ${because}. Please take it off the list.`,
      },
    ],
  });
});

test('an entry holds on its last day and no longer', () => {
  expect(apply(RED, { until: '2026-01-15' }).passes).toBe(true);
  const after = apply(RED, { until: '2026-01-14' });
  expect(after).toMatchObject({ passes: false, known: {} });
  expect(after.stale[0]?.because).toContain('accepted until 2026-01-14, which has passed');
});

test('a listed check that was not asked is left alone', () => {
  const passing = verdicts.filter(({ outcome }) => outcome === 'pass');
  expect(apply(RED, { of: passing })).toEqual({ known: {}, stale: [], passes: true });
});

const CHECKS = ['digest-shape', 'auth-info-ttl'];
const parse = (text: string) => parseKnownFailures(text, 'known.yaml', CHECKS);
const entry = (check: string, because: string, until: string) =>
  `known:\n  - check: ${check}\n    because: ${because}\n    until: ${until}\n`;

test('a file of known failures is read, with where each stands', () => {
  expect(parse(entry('digest-shape', 'upper case, ticket 12', '2026-03-31'))).toEqual([
    { check: 'digest-shape', because: 'upper case, ticket 12', until: '2026-03-31', place: 'known.yaml:2:5' },
  ]);
  expect(parse('known: []\n')).toEqual([]);
});

test.each([
  ['a misspelt check', entry('digest-shap', 'x', '2026-03-31'), /:2:12: There is no check "digest-shap"\.$/],
  ['no reason', entry('digest-shape', '" "', '2026-03-31'), /:3:14: Please say why/],
  ['no day', entry('digest-shape', 'x', '31.03.2026'), /:4:12: Please write the last day as YYYY-MM-DD\.$/],
  ['a missing day', 'known:\n  - check: digest-shape\n    because: x\n', /:2:5: `until` is missing\. Please/],
  ['a day that is none', entry('digest-shape', 'x', '2026-02-30'), /Please write the last day/],
  ['another member', `${entry('digest-shape', 'x', '2026-03-31')}    flaky: yes\n`, /Please write a list/],
  ['another form', 'digest-shape: x, until 2026-03-31\n', /:1:1: Please write a list `known`/],
  ['broken YAML', 'known: [\n', /^known\.yaml:\d+:\d+: /],
])('%s is refused with place and remedy', (_what, text, said) => {
  expect(() => parse(text)).toThrow(said);
});

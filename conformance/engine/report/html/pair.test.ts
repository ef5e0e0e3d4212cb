import { expect, test } from 'vitest';
import { htmlOf } from '../html.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { cardIn } from '../testing/whole-page.ts';

const fake = fakeRun({ crowd: 2 });
const page = htmlOf(fake.run, fakeReport(fake));

/** The tries that the card of a check shows beside each other, as path and status. */
function triesIn(text: string, check: string): string[] {
  const places = cardIn(text, `check-${check}`).matchAll(/class="try (\w+)" data-message="(\d+)"/g);
  return [...places].map(([, kind, seq]) => {
    const entry = fake.run.entries.find((each) => each.seq === Number(seq));
    return entry?.kind === 'exchange'
      ? `${kind}: ${entry.scenario} ${entry.request.path} ${entry.response?.status}`
      : '';
  });
}

test('what failed stands beside a good try of the same call', () => {
  expect(triesIn(page, 'wrong-code-refused')).toEqual([
    'bad: wrong-codes /api/v1/otp/confirm 422',
    'good: wrong-codes /api/v1/otp/confirm 200',
  ]);
  expect(triesIn(page, 'exchange-token-ehr-first')).toEqual([]);
});

test('a success that another verdict complains of is no good try', () => {
  const [, good] =
    cardIn(page, 'check-wrong-code-refused').match(/class="try good" data-message="(\d+)"/) ?? [];
  const report = structuredClone(fakeReport(fake));
  const other = report.verdicts.find(({ check }) => check === 'session-dead-after-logout')?.finding;
  if (other?.outcome === 'fail') other.evidence.push(Number(good));
  expect(triesIn(htmlOf(fake.run, report), 'wrong-code-refused')[1]).not.toContain('wrong-codes');
});

test('a success that is wrong stands beside a positive control alone', () => {
  let step: number | undefined;
  const entries = fake.run.entries.map((entry) => {
    if (entry.kind === 'step') step = entry.seq;
    return entry.kind === 'exchange' ? { ...entry, step } : entry;
  });
  const run = { ...fake.run, entries };
  const report = fakeReport({ ...fake, run });
  const tries = (controls: string[]) => {
    const verdicts = report.verdicts.map((each) => ({ ...each, controls }));
    return triesIn(htmlOf(run, { ...report, verdicts }), 'session-dead-after-logout');
  };
  const bad = 'bad: logout /1.0-alpha/ 200';
  expect(tries([])).toEqual([bad]);
  expect(tries(['link: exchange token'])).toEqual([bad, bad.replace('bad', 'good')]);
});

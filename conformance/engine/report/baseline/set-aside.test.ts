import { expect, test } from 'vitest';
import type { Check } from '../../check/check.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { withoutSetAside } from './set-aside.ts';

const check = (id: string, ...requirements: Check['requirements']) => ({ id, requirements }) as Check;

test('a check judges what is left of its requirements, or is left out', () => {
  const left = withoutSetAside(
    [check('both', '2.3-ttl', '4.1-params'), check('contested', '2.3-ttl'), check('other', '4.1-params')],
    { '2.3-ttl': 'ours is a string' },
  );
  expect(left.map(({ id, requirements }) => [id, requirements])).toEqual([
    ['both', ['4.1-params']],
    ['other', ['4.1-params']],
  ]);
});

test('a report lists what is set aside, with the reason, as not judged', () => {
  const fake = fakeRun({ crowd: 1 });
  const verdicts = fake.verdicts.filter(({ requirements }) => !requirements.includes('2.3-ttl'));
  const checks = fake.checks.filter(({ requirements }) => !requirements.includes('2.3-ttl'));
  const setAside = { '2.3-ttl': 'ours is a string' };
  const report = fakeReport({ ...fake, verdicts }, { checks, setAside });
  expect(report.requirements.find(({ id }) => id === '2.3-ttl')).toMatchObject({
    ...{ status: 'not judged', unjudged: 'set aside', because: 'ours is a string', checks: [] },
  });
  expect(report.summary.parts.interface.headline).toContain('1 is set aside');
});

import { expect, test } from 'vitest';
import { seededRandom } from '#protocol/random.ts';
import { compare } from './compare.ts';
import { findingText, verdictText } from './report.ts';
import { verdictOf } from './run.ts';
import { kolmogorovSmirnov, mannWhitney, welch } from './statistics.ts';

const N = 20_000;

/** Times as a server has them: a floor, a spread, and now and then something very slow. */
function times(seed: number, slower = 0, outliers = 0.01): Float64Array {
  const random = seededRandom(seed);
  const unit = () => {
    const [a = 0, b = 0] = random(2);
    return (a * 256 + b) / 65_536;
  };
  const one = () => 30_000 + slower + 4_000 * (unit() + unit() + unit()) + (unit() < outliers ? 1e6 * unit() : 0);
  return Float64Array.from({ length: N }, one);
}

test('samples of one distribution are not told apart', () => {
  for (let seed = 1; seed <= 10; seed++) expect(compare(times(seed), times(seed + 100)).toldApart).toBe(false);
});

test('a difference of one percent is told apart through the noise, with its sign and how many calls it takes', () => {
  const { toldApart, t, z, medianDifference, needs } = compare(times(1), times(2, 300));
  expect({ toldApart, sign: Math.sign(t) + Math.sign(z) }).toEqual({ toldApart: true, sign: 2 });
  expect(medianDifference).toBeGreaterThan(200);
  expect((needs as { calls: number }).calls).toBeLessThan(2 * N);
});

test('slow outliers that are more frequent on one side are told apart, though the medians agree', () => {
  expect(compare(times(1), times(2, 0, 0.03)).toldApart).toBe(true);
});

test('the three statistics agree with figures worked out by hand', () => {
  const [a, b] = [Float64Array.of(1, 2, 3, 4), Float64Array.of(3, 4, 5, 6)];
  expect(welch(a, b)).toMatchObject({ difference: 2, t: expect.closeTo(2.1909, 3) });
  // U = 14 of 16, two ties of two: deviation sqrt(16 / 12 * (9 - 12 / 56)).
  expect(mannWhitney(a, b)).toBeCloseTo(6 / Math.sqrt((16 / 12) * (9 - 12 / 56)), 6);
  expect(kolmogorovSmirnov(a, b).distance).toBe(0.5);
});

test('the verdict is inconclusive unless every positive control was told apart', () => {
  const finding = (subject: 'server' | 'control', toldApart: boolean) => ({
    subject,
    comparison: { ...compare(times(1), times(2)), toldApart },
  });
  expect(verdictOf([finding('control', true), finding('server', false)])).toBe('cannot be told apart');
  expect(verdictOf([finding('control', true), finding('control', false), finding('server', false)])).toBe(
    'inconclusive',
  );
  expect(verdictOf([finding('server', false)])).toBe('inconclusive');
  expect(verdictOf([finding('control', false), finding('server', true)])).toBe('told apart');
});

test('the report shows the figures, what an attacker would need and the verdict', () => {
  const text = findingText({
    instrument: 'http',
    subject: 'server',
    method: 'patient.get_patient',
    secret: 'which session tokens exist',
    kinds: ['a', 'b'],
    comparison: compare(times(1), times(2, 300)),
  });
  expect(text).toMatch(/n 20000.*\n.*Mann-Whitney z .*\n {2}TOLD APART: about \d+ calls .* which session tokens exist/);
  expect(verdictText('inconclusive', 1)).toContain('--calls');
});

/**
 * The tests of a role that play a fixed part of its self-test. The command `self-test` plays all of it; the
 * tests of a role's checks play the right party.
 */
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import type { Catalogue, Variant } from '../engine/defects/catalogue.ts';
import { SelfTest } from '../engine/defects/self-test.ts';

/** Which variants are played, by id. */
type Sample = {
  defects: readonly string[];
  harmless: readonly string[];
  /** The scenarios that are played with the harmless variants. */
  scenarios: readonly string[];
};

const TIMEOUT_MS = 300_000;

export function testSample<V extends Variant>(catalogue: Catalogue<V>, sample: Sample): void {
  const selfTest = new SelfTest(catalogue);
  const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };
  const asked = { scenarios: sample.scenarios, checks: selfTest.checksOf(sample.scenarios) };

  test.each(sample.defects)(
    'the defect %s is found',
    async (id) => {
      const row = await selfTest.defectRow(named(catalogue.defects, id), options);
      expect(row).toMatchObject({ ok: true });
    },
    TIMEOUT_MS,
  );

  test.each(sample.harmless)(
    'every check passes on %s',
    async (id) => {
      expect(asked.checks.length).toBeGreaterThan(5);
      expect(
        await selfTest.harmlessRow(named(catalogue.harmless, id), options, undefined, asked),
      ).toMatchObject({ ok: true });
    },
    TIMEOUT_MS,
  );
}

export function named<Row extends { readonly id: string }>(rows: readonly Row[], id: string): Row {
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Error(`There is none with the id ${id}.`);
  return found;
}

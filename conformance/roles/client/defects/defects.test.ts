import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { drawn } from '../../../engine/defects/drawn/draw.ts';
import { SelfTest } from '../../../engine/defects/self-test.ts';
import { SHOWN_IN } from '../flows/every-step/rules.ts';
import { clientCatalogue } from '../self-test/self-test.ts';
import { type ClientVariant, clientDefects, harmlessClients } from './index.mjs';
import { CHECKS_OF_KEPT_SIGN } from './row.mjs';

const clientSelfTest = new SelfTest(clientCatalogue);

const PLAY_TIMEOUT_MS = 120_000;
/** How many are drawn beside those that are always played. */
const SAMPLE = { defects: 2, harmless: 1 };

const options = () => ({ clock: systemClock, seed: 1, signal: new AbortController().signal });

/** A part of a catalogue, always the same. `self-test --role client` plays all. */
function sampleOf<V extends ClientVariant>(
  variants: readonly V[],
  count: number,
  isAlwaysPlayed: (id: string) => boolean,
) {
  const others = variants.filter(({ id }) => !isAlwaysPlayed(id));
  return [...variants.filter(({ id }) => isAlwaysPlayed(id)), ...drawn(others, count, seededRandom(1))];
}

/** The faults of the example, as its table names them. */
const faulty = readFileSync(new URL('../../../examples/plain-client/faulty.mjs', import.meta.url), 'utf8');
const faults = [...faulty.matchAll(/^ \* \| `([a-z-]+)` \|/gm)].map(([, name = '']) => name);

test('every fault of the example is a defect of the catalogue', () => {
  expect(faults).toHaveLength(10);
  expect(faults.filter((name) => clientDefects.every(({ id }) => id !== name))).toEqual([]);
});

test.each(CHECKS_OF_KEPT_SIGN)(
  'the check %s plays a second scenario, whose sign-in sends a user_sign',
  (id) => {
    const scenarios = clientCatalogue.checks.find((check) => check.id === id)?.scenarios ?? [];
    expect(scenarios).toHaveLength(2);
  },
);

test.for(sampleOf(clientDefects, SAMPLE.defects, (id) => faults.includes(id)))(
  'the defect $id is found by $caughtBy',
  { timeout: PLAY_TIMEOUT_MS },
  async (defect) => {
    expect(await clientSelfTest.defectRow(defect, options())).toMatchObject({
      ok: true,
      found: expect.stringMatching(/^found(?:; also by|$)/),
    });
  },
);

/** Scenarios in which a difference would show, or in which a client meets its signature. */
const scenarios = [
  ...SHOWN_IN,
  ...['exchange-token-renewed', 'form-after-refusal', 'disconnect-alone', 'replies-of-other-servers'],
  ...['link-reported-after-lost-reply', ...harmlessClients.flatMap(({ notPlayable = [] }) => notPlayable)],
];

test.for(sampleOf(harmlessClients, SAMPLE.harmless, (id) => id.startsWith('signature-')))(
  'the difference $id is reported by no check',
  { timeout: PLAY_TIMEOUT_MS },
  async (variant) => {
    const checks = clientSelfTest.checksOf(scenarios);
    const row = await clientSelfTest.harmlessRow(variant, options(), undefined, { scenarios, checks });
    expect(row).toMatchObject({ ok: true, found: 'no verdict changed' });
  },
);

test('variants have different names, and sources name a repository and a number', () => {
  const ids = [...clientDefects, ...harmlessClients].map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const sources = clientDefects.flatMap(({ seenIn = [] }) => seenIn);
  expect(sources.filter((source) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(source))).toEqual([]);
});

import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Check } from '../check/check.ts';
import type { Finding } from '../check/verdict.ts';
import type { Run } from '../journal/run-file.ts';
import { NotSetUp } from './catalogue.ts';
import { SelfTest } from './self-test.ts';

/** What the only check finds on a party of this id. */
const findings: Record<string, Finding> = {
  'left out': { outcome: 'not applicable', because: 'the file says so' },
  played: { outcome: 'pass', evidence: [1] },
  unclear: { outcome: 'inconclusive', because: 'nothing came', blame: 'client' },
  wrong: { outcome: 'fail', expected: '', actual: '', advice: 'Mend it.', blame: 'client', evidence: [] },
};
const check: Check = {
  id: 'the-check',
  title: 'It is so',
  requirements: ['2.5-phone'],
  scenarios: [],
  watchable: false,
  judge: (journal) => findings[journal.observationsOf('party')[0]?.values.id as string] as Finding,
};
const meta = { mode: 'scenarios', finished: true, role: 'client' } as Run['meta'];
const variant = (id: string) => ({ id, title: `A party that is ${id}` });

type Played = { rightParty: string; harmless: string; mayNotApply?: boolean; told?: readonly string[] };

/**
 * Whether the row of the right party, and that of the harmless variant, are as they ought to be. The right party
 * must pass, or be left out where it may be. A variant must end as the right party did, or pass where that was
 * left out.
 */
async function okOf({ rightParty, harmless, mayNotApply = true, told = [] }: Played) {
  const selfTest = new SelfTest({
    party: 'client',
    checks: [check],
    reference: variant(rightParty),
    defects: [],
    // `told`: the checks that must tell what is unusual in the variant.
    harmless: [{ ...variant(harmless), told }],
    mayNotApply: () => mayNotApply,
    play: async (played) => ({
      meta,
      entries: [
        { kind: 'observation', seq: 1, at: 0, scenario: '', label: 'party', values: { id: played.id } },
      ],
    }),
  });
  const options = { clock: manualClock(), seed: 1, signal: new AbortController().signal };
  const [reference, unusual] = await selfTest.rows(options);
  return { rightParty: reference?.ok, harmless: unusual?.ok };
}

const bothOk = { rightParty: true, harmless: true };
const variantWrong = { rightParty: true, harmless: false };
const bothWrong = { rightParty: false, harmless: false };

test.each([
  ['both may pass', 'played', 'played', bothOk],
  ['both may leave out what may not apply', 'left out', 'left out', bothOk],
  ['a variant may play what the right party leaves out', 'left out', 'played', bothOk],
  ['a variant must not fail in what the right party leaves out', 'left out', 'wrong', variantWrong],
  ['a variant must play what the right party plays', 'played', 'left out', variantWrong],
  ['a right party must not fail, nor a variant pass where it fails', 'wrong', 'played', bothWrong],
])('%s', async (_because, rightParty, harmless, ok) => {
  expect(await okOf({ rightParty, harmless })).toEqual(ok);
});

test('a check that always applies is left out by nobody', async () => {
  const played = { rightParty: 'left out', harmless: 'played', mayNotApply: false };
  expect(await okOf(played)).toEqual(bothWrong);
});

test.each([
  ['wrong', true],
  ['played', false],
  ['left out', false],
  ['unclear', false],
])('a harmless variant that the check must tell is %s', async (harmless, ok) => {
  const told = ['the-check'];
  expect(await okOf({ rightParty: 'played', harmless, told })).toEqual({ rightParty: true, harmless: ok });
});

test('parties that are not set up have their rows, and the others are played', async () => {
  const selfTest = new SelfTest({
    party: 'client',
    checks: [check],
    reference: variant('played'),
    defects: [{ ...variant('wrong'), caughtBy: check.id }],
    harmless: [variant('unclear')],
    mayNotApply: () => true,
    play: async ({ id }) => {
      throw new NotSetUp(`${id} is not set up`);
    },
  });
  const rows = await selfTest.rows({ clock: manualClock(), seed: 1, signal: new AbortController().signal });
  expect(rows).toMatchObject(
    ['played', 'wrong', 'unclear'].map((id) => ({ id, ok: false, found: `${id} is not set up` })),
  );
});

import { afterAll, beforeAll, test } from 'vitest';
import { contractFlaw, recordEntries } from '#testing/recording/recorded-flow.ts';
import { signOfLife } from '#testing/runner/signs-of-life.ts';
import { loadParties } from '../parties/load.ts';
import { openParties, type Parties } from '../parties/open.ts';
import { playFlow } from '../play-flows.ts';
import { partiesParts } from '../testing/parties-parts.ts';
import { FlowFailure } from './device.ts';
import { flows } from './index.ts';

let parties: Parties;
beforeAll(async () => {
  parties = await openParties(await loadParties({}, {}), { ...partiesParts(), flawOf: contractFlaw });
  parties.recorder.onEntry(signOfLife);
});
afterAll(() => parties.close());

for (const [turn, flow] of flows.entries())
  test(`${flow.name}: ${flow.sentence}`, async () => {
    const { outcome, because, entries, calls } = await playFlow(flow, parties, turn);
    recordEntries(entries, calls);
    if (outcome !== 'passed') throw new FlowFailure(because);
  });

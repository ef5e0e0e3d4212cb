/** Flows on the page of the web client: those that lead to every screen, and to what each can tell. */
import { contractFlaw, recordEntries } from '#testing/recording/recorded-flow.ts';
import { SILENCE_SECONDS, signOfLife } from '#testing/runner/signs-of-life.ts';
import { FlowFailure } from '../flows/device.ts';
import { chosenFlows, flowsOnPage } from '../flows/index.ts';
import { loadParties, OWN_PAGE_FILE } from '../parties/load.ts';
import { openParties, type Parties } from '../parties/open.ts';
import { playFlow } from '../play-flows.ts';
import { partiesParts } from '../testing/parties-parts.ts';
import { test } from './test.ts';

const played = chosenFlows(flowsOnPage);
if (typeof played === 'string') throw new Error(played);

// The parties are opened once, and play one flow after another.
test.describe.configure({ mode: 'default' });

/** Between two changes our page waits for a server alone, and the kit waits for those calls. */
const QUIET_MS = 100;

let parties: Parties;
test.beforeAll(async () => {
  const loaded = await loadParties({ client: OWN_PAGE_FILE }, {});
  const { timeouts, browser } = loaded.client?.settings ?? {};
  // A hang is found by silence.
  if (timeouts) timeouts.actionMs = 1_000 * SILENCE_SECONDS;
  // A busy machine would teach the kit to read each page twice for six times as long.
  if (browser) browser.quietMs = QUIET_MS;
  parties = await openParties(loaded, { ...partiesParts(), flawOf: contractFlaw });
  parties.recorder.onEntry(signOfLife);
});
test.afterAll(() => parties.close());

for (const [turn, flow] of played.entries())
  test(`${flow.name}, on the page: ${flow.sentence}`, async () => {
    const { outcome, because, entries, calls } = await playFlow(flow, parties, turn);
    recordEntries(entries, calls);
    if (outcome !== 'passed') throw new FlowFailure(because ?? 'It was left out.');
  });

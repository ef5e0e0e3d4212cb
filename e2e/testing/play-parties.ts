/** Plays flows with parties of other makes, for the tests of them. */
import { onTestFinished } from 'vitest';
import { flows } from '../flows/index.ts';
import { loadParties, type PartyFiles } from '../parties/load.ts';
import { openParties } from '../parties/open.ts';
import { differenceText, explain, type PlayedFlow, playFlow } from '../play-flows.ts';
import { partiesParts } from './parties-parts.ts';

export const example = (name: string) => `conformance/examples/${name}.yaml`;

type Played = Pick<PlayedFlow, 'outcome' | 'because'> & { readonly difference?: string };

/** Plays flows with these parties. Returns how each ended, by name. */
export async function play(
  files: PartyFiles,
  names: readonly string[],
  faults?: string,
): Promise<Record<string, Played>> {
  const wrong = faults === undefined ? {} : { FAULTS: faults };
  const parts = { ...partiesParts(), env: { ...process.env, ...wrong } };
  const loaded = await loadParties(files, parts.env);
  Object.assign(loaded.client?.settings.client?.env ?? {}, wrong);
  const parties = await openParties(loaded, parts);
  onTestFinished(() => parties.close());
  const ended: Record<string, Played> = {};
  for (const name of names) {
    const flow = flows.find((each) => each.name === name);
    if (!flow) throw new Error(`There is no flow ${name}.`);
    const played = explain(await playFlow(flow, parties, 0), parties);
    const { outcome, because } = played;
    const difference = differenceText(played);
    ended[name] = { outcome, ...(because && { because }), ...(difference && { difference }) } as Played;
  }
  return ended;
}

export const allPassed = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { outcome: 'passed' }]));

/**
 * `npm run e2e` with parties of other makes: plays the flows and writes the reports. `installed.ts` does so in
 * the package.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';
import { requireFile } from '#service/process/files/writing.ts';
import { chosenFlows } from '../flows/index.ts';
import { loadParties, type PartyFiles } from '../parties/load.ts';
import { asCommand, conclude, playWith, unusable } from './play.ts';

export type ReplacedOptions = {
  files: PartyFiles;
  names: readonly string[];
  grep: string | undefined;
  /** The file for the page of all flows and their messages. */
  page: string;
};

/** @returns the exit code */
export async function playReplaced({ files, names, grep, page }: ReplacedOptions): Promise<number> {
  const flows = chosenFlows(names, grep);
  if (typeof flows === 'string') return unusable(flows);
  requireFile('--page', resolve(page));
  return asCommand(async (surroundings) => {
    const played = await playWith(await loadParties(files, process.env), flows, surroundings);
    return conclude(played, page, [otherTestsLeftOut()]);
  });
}

/** Names the tests of `e2e/` that no foreign party can take part in. */
function otherTestsLeftOut(): string {
  const specs = readdirSync(join(root, 'e2e/browser')).filter((name) => name.endsWith('.spec.ts'));
  return `Left out besides: the browser tests (${specs.join(', ')}), which look at the page of our own client, and the other tests of e2e/, which look into our own servers. npm run e2e plays them.`;
}

/** `npm run e2e` with parties of other makes: plays the flows, lists them, and writes the reports. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';
import { requireFile } from '#service/process/files/writing.ts';
import { chosenFlows } from '../flows/index.ts';
import { loadParties, type PartyFiles } from '../parties/load.ts';
import { conclude, playWith, unusable, withParties } from './play.ts';

export type ReplacedOptions = {
  files: PartyFiles;
  names: readonly string[];
  grep: string | undefined;
  page: string;
};

export async function playReplaced({ files, names, grep, page }: ReplacedOptions): Promise<number> {
  const wanted = chosenFlows(names, grep);
  if (typeof wanted === 'string') return unusable(wanted);
  requireFile('--page', resolve(page));
  return withParties(async (parts) => {
    const played = await playWith(await loadParties(files, process.env), wanted, parts);
    return conclude(played, page, [aboutOthers()]);
  });
}

/** The tests of `e2e/` that no foreign party can take part in. */
function aboutOthers(): string {
  const specs = readdirSync(join(root, 'e2e/browser')).filter((name) => name.endsWith('.spec.ts'));
  return `Left out besides: the browser tests (${specs.join(', ')}), which look at the page of our own client, and the other tests of e2e/, which look into our own servers. npm run e2e plays them.`;
}

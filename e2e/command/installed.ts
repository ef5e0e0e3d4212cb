/** `embedded-ehr-harness e2e`: plays the flows over HTTP, and on the page of our client in a browser. */
import { resolve } from 'node:path';
import { Option } from 'commander';
import { programName } from '#service/process/command-line/program-name.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { requireFile } from '#service/process/files/writing.ts';
import { chosenFlows, flowsOnPage } from '../flows/index.ts';
import { loadParties, OWN_PAGE_FILE } from '../parties/load.ts';
import { PartyStartError } from '../parties/open.ts';
import { type PartyOptions, partyFilesOf, withPartyOptions } from './party-options.ts';
import { conclude, playWith, unusable, withParties } from './play.ts';

type InstalledOptions = PartyOptions & { grep?: string; only?: 'flows' | 'browser'; page: string };

const command = withPartyOptions(
  toolCommand(programName('e2e'))
    .description(
      'Plays the end-to-end flows over HTTP, and on the page of our client where there are Playwright and a browser. A party of another make takes the place of ours.',
    )
    .argument('[flows...]', 'only the flows of these names')
    .allowExcessArguments(true)
    .option('-g, --grep <text>', 'only flows whose sentence contains this')
    .addOption(new Option('--only <part>', 'one of the two alone').choices(['flows', 'browser']))
    .option(
      '--page <file>',
      'where the page of all flows and their messages goes',
      'test-results/flows.html',
    ),
)
  .addHelpText('after', '\nExit codes: 0 passed, 1 failed, 2 used wrongly.')
  .parse();

process.exitCode = await play(command.opts<InstalledOptions>());

async function play({ grep, only, page, ...options }: InstalledOptions): Promise<number> {
  const files = partyFilesOf(options);
  const wanted = chosenFlows(command.args, grep);
  if (typeof wanted === 'string') return unusable(wanted);
  requireFile('--page', resolve(page));
  const isOwn = Object.keys(files).length === 0;
  if (!isOwn && only === 'browser')
    return unusable('The browser shows the page of our own client, with our own servers.');
  const onPage = wanted.filter(({ name }) => flowsOnPage.includes(name));
  return withParties(async (parts) => {
    const played =
      only === 'browser' ? [] : await playWith(await loadParties(files, process.env), wanted, parts);
    if (!isOwn || only === 'flows' || onPage.length === 0) return conclude(played, page, []);
    try {
      const own = await loadParties({ client: OWN_PAGE_FILE }, process.env);
      played.push(...(await playWith(own, onPage, parts, ', on the page')));
      return conclude(played, page, []);
    } catch (error) {
      if (only === 'browser' || !(error instanceof PartyStartError)) throw error;
      return conclude(played, page, [`Not played in a browser. ${error.message}`]);
    }
  });
}

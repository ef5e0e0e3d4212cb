/** `embedded-ehr-harness e2e`: plays the flows over HTTP, and on the page of our client in a browser. */
import { resolve } from 'node:path';
import { Option } from 'commander';
import { programName } from '#service/process/command-line/program-name.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { requireFile } from '#service/process/files/writing.ts';
import type { Flow } from '../flows/flow.ts';
import { chosenFlows, flowsOnPage } from '../flows/index.ts';
import { loadParties, OWN_PAGE_FILE } from '../parties/load.ts';
import { type PartiesParts, PartyStartError } from '../parties/open.ts';
import { type PartyOptions, partyFilesOf, withPartyOptions } from './party-options.ts';
import { asCommand, conclude, playWith, type ToldFlow, unusable } from './play.ts';

type InstalledOptions = PartyOptions & { grep?: string; only?: 'flows' | 'browser'; page: string };

const command = withPartyOptions(
  toolCommand(programName('e2e'))
    .description(
      'Plays the end-to-end flows over HTTP, and on the page of our client where there are Playwright and a browser. A party of another make takes the place of ours.',
    )
    .argument('[flows...]', 'only the flows of these names')
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
  const flows = chosenFlows(command.args, grep);
  if (typeof flows === 'string') return unusable(flows);
  requireFile('--page', resolve(page));
  const isOwn = Object.keys(files).length === 0;
  if (!isOwn && only === 'browser')
    return unusable('The browser shows the page of our own client, with our own servers.');
  const onPage = isOwn && only !== 'flows' ? flows.filter(({ name }) => flowsOnPage.includes(name)) : [];
  if (only === 'browser' && onPage.length === 0)
    return unusable(
      `These flows are not played on the page. The flows on the page are ${flowsOnPage.join(', ')}.`,
    );
  return asCommand(async (surroundings) => {
    const overHttp =
      only === 'browser' ? [] : await playWith(await loadParties(files, process.env), flows, surroundings);
    const inBrowser = await playOnPage(onPage, surroundings, only === 'browser');
    return conclude([...overHttp, ...inBrowser.played], page, inBrowser.remarks);
  });
}

/** Without Playwright or a browser the flows over HTTP count alone, unless the page `isAlone` in the run. */
async function playOnPage(
  flows: readonly Flow[],
  surroundings: PartiesParts,
  isAlone: boolean,
): Promise<{ played: readonly ToldFlow[]; remarks: readonly string[] }> {
  if (flows.length === 0) return { played: [], remarks: [] };
  try {
    const parties = await loadParties({ client: OWN_PAGE_FILE }, process.env);
    return { played: await playWith(parties, flows, surroundings, ', on the page'), remarks: [] };
  } catch (error) {
    if (isAlone || !(error instanceof PartyStartError)) throw error;
    return { played: [], remarks: [`Not played in a browser. ${error.message}`] };
  }
}

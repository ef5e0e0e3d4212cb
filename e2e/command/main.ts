/** `npm run e2e`: plays the end-to-end flows, over HTTP and in a browser, or with parties of other makes. */
import { Option } from 'commander';
import { stopWithUs } from '#scripts/test/run-command.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/command-line/settings.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { type PartyOptions, partyFilesOf, withPartyOptions } from './party-options.ts';

type E2eOptions = PartyOptions & {
  headed?: boolean;
  grep?: string;
  only?: 'flows' | 'browser';
  page: string;
  keepMessages?: boolean;
};

const command = withPartyOptions(
  toolCommand('npm run e2e --')
    .description('Runs the end-to-end flows: over HTTP by vitest, and in a real browser by Playwright.')
    .argument(
      '[files...]',
      'only test files of e2e/ whose path contains one of these; with another party: names of flows',
    )
    .option('-g, --grep <text>', 'only tests whose title contains this')
    .addOption(new Option('--only <suite>', 'one of the two alone').choices(['flows', 'browser']))
    .option('--headed', 'show the browser')
    .option('--page <file>', 'where the page of all flows and their messages goes', 'test-results/flows.html')
    .addOption(
      new Option(
        '--keep-messages',
        'keep the messages of this run, if all is right, as those of the right flows',
      ).hideHelp(),
    ),
)
  .addHelpText('after', '\nExit codes: 0 passed, 1 failed, 2 used wrongly.')
  .parse();

const options = command.opts<E2eOptions>();
const files = partyFilesOf(options);
if (Object.keys(files).length === 0) {
  stopWithUs();
  const { playOwn } = await import('./own.ts');
  const { headed = false, keepMessages = false, grep, only, page } = options;
  process.exitCode = await playOwn({ pathParts: command.args, headed, keepMessages, grep, only, page });
} else if (options.only === 'browser' || options.headed) {
  process.stderr.write('The browser tests look at the page of our own client, with our own servers.\n');
  process.exitCode = UNUSABLE_COMMAND_LINE;
} else {
  // Loads the kit, which help and refusals do not need.
  const { playReplaced } = await import('./replaced.ts');
  process.exitCode = await playReplaced({ ...options, files, names: command.args, grep: options.grep });
}

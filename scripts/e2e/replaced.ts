/** `npm run e2e` with parties of other makes: plays the flows, lists them, and writes the reports. */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ask, breakable, brokenOffCode, tell } from '#conformance/commands/common.ts';
import { chosenFlows, fileOf } from '#e2e/flows/index.ts';
import { loadParties, PartyFileError, type PartyFiles } from '#e2e/parties/load.ts';
import { openParties, type Parties, type PartiesParts, PartyStartError } from '#e2e/parties/open.ts';
import { type PlayedFlow, playFlow } from '#e2e/play-flows.ts';
import { Reference } from '#e2e/reference.ts';
import { flowsPage, type LeftOut } from '#e2e/report/flows-page.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/tool-command.ts';
import { makeDirectory, requireFile, writeWhole } from '#service/process/writing.ts';
import { root } from '../set-up.mjs';
import { junitReport } from '../testing/junit.ts';

export type ReplacedOptions = {
  files: PartyFiles;
  /** Names of flows; all unless given. */
  names: readonly string[];
  /** Only flows whose sentence contains this. */
  grep: string | undefined;
  /** Where the page goes, relative to the root of the project. */
  page: string;
};

/** @returns the exit code */
export async function playReplaced({ files, names, grep, page }: ReplacedOptions): Promise<number> {
  const wanted = chosenFlows(names, grep);
  if (typeof wanted === 'string') return unusable(wanted);
  requireFile('--page', resolve(root, page));
  const signal = breakable();
  const parts: PartiesParts = { clock: systemClock, random: systemRandom, env: process.env, signal, tell, ask };
  let parties: Parties;
  try {
    parties = await openParties(await loadParties(files, process.env), parts);
  } catch (error) {
    if (error instanceof PartyFileError || error instanceof PartyStartError) return unusable(error.message);
    return brokenOff(error, signal);
  }
  const reference = new Reference(parts);
  try {
    const { client, auth, ehr } = parties;
    process.stdout.write(`Client: ${client.name}\nAuthorization server: ${auth.name}\nEHR server: ${ehr.name}\n\n`);
    const played: PlayedFlow[] = [];
    for (const [turn, flow] of wanted.entries()) {
      const one = await reference.explain(await playFlow(flow, parties, turn), parties);
      process.stdout.write(rowsOf(one));
      played.push(one);
    }
    writeReports(played, page);
    process.stdout.write(`\n${aboutOthers()}\n\n${summaryOf(played)}\n`);
    return played.some(({ outcome }) => outcome === 'failed') || !played.some(isPassed) ? 1 : 0;
  } catch (error) {
    return brokenOff(error, signal);
  } finally {
    await parties.close();
    await reference.close();
  }
}

/** @throws the error itself, unless the run was broken off */
function brokenOff(error: unknown, signal: AbortSignal): number {
  if (!signal.aborted) throw error;
  process.stderr.write('The run was broken off.\n');
  return brokenOffCode(signal);
}

function unusable(message: string): number {
  process.stderr.write(`${message}\n`);
  return UNUSABLE_COMMAND_LINE;
}

const isPassed = ({ outcome }: PlayedFlow) => outcome === 'passed';

const SIGNS: Readonly<Record<PlayedFlow['outcome'], string>> = { passed: '✓', failed: '✗', 'left out': '–' };

function rowsOf({ flow, outcome, because, difference, seconds }: PlayedFlow): string {
  const time = outcome === 'left out' ? ''.padStart(7) : `${seconds.toFixed(1).padStart(5)} s`;
  const rows = [`  ${SIGNS[outcome]} ${time}  ${flow.name}: ${flow.sentence}`];
  if (outcome === 'left out') rows.push(`left out: ${because}`);
  else if (because !== undefined) rows.push(because);
  if (difference !== undefined) rows.push(`The first differing message: ${difference}`);
  return `${rows.join('\n').replaceAll('\n', '\n        ')}\n`;
}

/** The tests of `e2e/` that no foreign party can take part in. */
function aboutOthers(): string {
  const specs = readdirSync(join(root, 'e2e/browser')).filter((name) => name.endsWith('.spec.ts'));
  return `Left out besides: the browser tests (${specs.join(', ')}), which look at the page of our own client, and the other tests of e2e/, which look into our own servers. npm run e2e plays them.`;
}

/** The very last line, such as `flows: 21 passed, 0 failed, 6 left out (no movable clock)`. */
function summaryOf(played: readonly PlayedFlow[]): string {
  const count = (wanted: PlayedFlow['outcome']) => played.filter(({ outcome }) => outcome === wanted).length;
  const reasons = new Set(played.flatMap(({ outcome, because }) => (outcome === 'left out' ? [because] : [])));
  const why = reasons.size === 0 ? '' : ` (${[...reasons].join('; ')})`;
  return `flows: ${count('passed')} passed, ${count('failed')} failed, ${count('left out')} left out${why}`;
}

function writeReports(played: readonly PlayedFlow[], page: string): void {
  const file = resolve(root, page);
  const directory = dirname(file);
  const shown = played.flatMap(({ flow, outcome, because, difference, seconds, entries }) => {
    const problem = [because, difference].filter(Boolean).join('\n');
    const passed = outcome === 'passed';
    return outcome === 'left out'
      ? []
      : [{ file: fileOf(flow), title: flow.sentence, passed, seconds, entries: entries(), problem }];
  });
  const leftOut: LeftOut[] = played.flatMap(({ flow, outcome, because }) =>
    outcome === 'left out' ? [{ title: flow.sentence, because: because ?? '' }] : [],
  );
  const cases = played.map(({ flow, outcome, because, difference, seconds }) => ({
    name: `${flow.name}: ${flow.sentence}`,
    seconds,
    failure: outcome === 'failed' ? [because, difference].filter(Boolean).join('\n') : undefined,
    skipped: outcome === 'left out' ? because : undefined,
  }));
  try {
    makeDirectory(directory);
    writeFileSync(file, flowsPage(shown, leftOut));
    writeWhole(join(directory, 'flows.xml'), junitReport('flows', cases));
  } catch (error) {
    // The flows were listed, and count without their page.
    process.stderr.write(`Failed to write the reports: ${(error as Error).message}.\n`);
    return;
  }
  process.stdout.write(`\nAll flows with their messages: ${page}\nReport: ${join(dirname(page), 'flows.xml')}\n`);
}

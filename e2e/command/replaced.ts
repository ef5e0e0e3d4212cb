/** `npm run e2e` with parties of other makes: plays the flows, lists them, and writes the reports. */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ask, breakable, brokenOffCode, tell } from '#conformance/engine/cli/commands/common.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { junitReport } from '#scripts/test/junit.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/tool-command.ts';
import { makeDirectory, requireFile, writeWhole } from '#service/process/writing.ts';
import { type ExplainedFlow, explain } from '../explain.ts';
import { chosenFlows, fileOf } from '../flows/index.ts';
import { loadParties, PartyFileError, type PartyFiles } from '../parties/load.ts';
import { openParties, type Parties, type PartiesParts, PartyStartError } from '../parties/open.ts';
import { playFlow } from '../play-flows.ts';
import { type Failure, textOf } from '../report/causes.ts';
import { flowsPage, type LeftOut } from '../report/flows-page.ts';
import { sentenceOf } from '../report/sentence.ts';
import { failureLines } from '../report/terminal.ts';

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
  try {
    const { client, auth, ehr } = parties;
    process.stdout.write(`Client: ${client.name}\nAuthorization server: ${auth.name}\nEHR server: ${ehr.name}\n\n`);
    const played: ExplainedFlow[] = [];
    for (const [turn, flow] of wanted.entries()) {
      const one = explain(await playFlow(flow, parties, turn), parties);
      process.stdout.write(rowsOf(one));
      played.push(one);
    }
    writeReports(played, page);
    const failed = failureLines(played.filter(({ outcome }) => outcome === 'failed').map(shownOf));
    process.stdout.write(`\n${[aboutOthers(), ...failed].join('\n')}\n\n${summaryOf(played)}\n`);
    return played.some(({ outcome }) => outcome === 'failed') || !played.some(isPassed) ? 1 : 0;
  } catch (error) {
    return brokenOff(error, signal);
  } finally {
    await parties.close();
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

const isPassed = ({ outcome }: ExplainedFlow) => outcome === 'passed';

const SIGNS: Readonly<Record<ExplainedFlow['outcome'], string>> = { passed: '✓', failed: '✗', 'left out': '–' };

function rowsOf({ flow, outcome, because, seconds }: ExplainedFlow): string {
  const time = outcome === 'left out' ? ''.padStart(7) : `${seconds.toFixed(1).padStart(5)} s`;
  const rows = [`  ${SIGNS[outcome]} ${time}  ${flow.name}: ${flow.sentence}`];
  if (outcome === 'left out') rows.push(`left out: ${because}`);
  return `${rows.join('\n        ')}\n`;
}

/** The tests of `e2e/` that no foreign party can take part in. */
function aboutOthers(): string {
  const specs = readdirSync(join(root, 'e2e/browser')).filter((name) => name.endsWith('.spec.ts'));
  return `Left out besides: the browser tests (${specs.join(', ')}), which look at the page of our own client, and the other tests of e2e/, which look into our own servers. npm run e2e plays them.`;
}

/** The very last line, such as `flows: 21 passed, 0 failed, 6 left out (no movable clock)`. */
function summaryOf(played: readonly ExplainedFlow[]): string {
  const count = (wanted: ExplainedFlow['outcome']) => played.filter(({ outcome }) => outcome === wanted).length;
  const reasons = new Set(played.flatMap(({ outcome, because }) => (outcome === 'left out' ? [because] : [])));
  const why = reasons.size === 0 ? '' : ` (${[...reasons].join('; ')})`;
  return `flows: ${count('passed')} passed, ${count('failed')} failed, ${count('left out')} left out${why}`;
}

/** A flow as the page and the terminal show it. */
function shownOf(one: ExplainedFlow) {
  const { flow, outcome, seconds, entries } = one;
  const title = `${flow.name}: ${flow.sentence}`;
  return {
    file: fileOf(flow),
    title,
    passed: outcome === 'passed',
    seconds,
    entries: entries(),
    failure: failureOf(one),
  };
}

function failureOf({ outcome, because, difference }: ExplainedFlow): Failure | undefined {
  return outcome === 'failed' ? { sentence: sentenceOf({ message: because }), difference } : undefined;
}

function writeReports(played: readonly ExplainedFlow[], page: string): void {
  const file = resolve(root, page);
  const directory = dirname(file);
  const shown = played.filter(({ outcome }) => outcome !== 'left out').map(shownOf);
  const leftOut: LeftOut[] = played.flatMap(({ flow, outcome, because }) =>
    outcome === 'left out' ? [{ title: flow.sentence, because: because ?? '' }] : [],
  );
  const cases = played.map((one) => {
    const { title: name, seconds, failure } = shownOf(one);
    const skipped = one.outcome === 'left out' ? one.because : undefined;
    return { name, seconds, sentence: failure?.sentence, failure: failure && textOf(failure), skipped };
  });
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

/** Plays flows with parties of any make, lists each when it ends, and writes the reports of all. */

import { ask, breakable, brokenOffCode, tell } from '#conformance/engine/cli/commands/process.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/command-line/settings.ts';
import { sentenceOf } from '#testing/recording/sentence.ts';
import type { Flow } from '../flows/flow.ts';
import { fileOf } from '../flows/index.ts';
import { type LoadedParties, PartyFileError } from '../parties/load.ts';
import { openParties, type PartiesParts, PartyStartError } from '../parties/open.ts';
import { type ExplainedFlow, explain, playFlow } from '../play-flows.ts';
import { caseOf, flowsPage, type Flow as ShownFlow, writeReports } from '../report/flows-page.ts';
import { failureLines } from '../report/terminal.ts';

export type ToldFlow = ExplainedFlow & { readonly title: string };

/** Plays one flow after another. `where` is such as `, on the page`. */
export async function playWith(
  loaded: LoadedParties,
  flows: readonly Flow[],
  surroundings: PartiesParts,
  where = '',
): Promise<ToldFlow[]> {
  const parties = await openParties(loaded, surroundings);
  try {
    const { client, auth, ehr } = parties;
    const names = [`Client: ${client.name}`, `Authorization server: ${auth.name}`, `EHR server: ${ehr.name}`];
    process.stdout.write(`${where === '' ? '' : '\n'}${names.join('\n')}\n\n`);
    const played: ToldFlow[] = [];
    for (const [turn, flow] of flows.entries()) {
      const title = `${flow.name}${where}: ${flow.sentence}`;
      const one = { ...explain(await playFlow(flow, parties, turn), parties), title };
      process.stdout.write(rowsOf(one));
      played.push(one);
    }
    return played;
  } finally {
    await parties.close();
  }
}

/** Writes the reports and the last lines. Returns the exit code. `remarks` say what was not played. */
export function conclude(played: readonly ToldFlow[], page: string, remarks: readonly string[]): number {
  const shown = played.filter(({ outcome }) => outcome !== 'left out').map(shownOf);
  const leftOut = played.flatMap(({ flow, outcome, because = '' }) =>
    outcome === 'left out' ? [{ title: flow.sentence, because }] : [],
  );
  const reports = writeReports(page, flowsPage(shown, leftOut), {
    flows: played.map((one) => caseOf({ ...shownOf(one), file: 'flows' }, leftOutOf(one))),
  });
  const told = remarks.flatMap((remark) => ['', remark]);
  const lines = ['', ...reports, ...told, ...failureLines(shown), '', summaryOf(played)];
  process.stdout.write(`${lines.join('\n')}\n`);
  return shown.length > 0 && shown.every(({ passed }) => passed) ? 0 : 1;
}

const SIGNS = { passed: '✓', failed: '✗', 'left out': '–' } as const;

function rowsOf({ title, outcome, because, seconds }: ToldFlow): string {
  const time = outcome === 'left out' ? ''.padStart(7) : `${seconds.toFixed(1).padStart(5)} s`;
  const rows = [`  ${SIGNS[outcome]} ${time}  ${title}`];
  if (outcome === 'left out') rows.push(`left out: ${because}`);
  return `${rows.join('\n        ')}\n`;
}

/** The very last line, such as `flows: 21 passed, 0 failed, 6 left out (no movable clock)`. */
function summaryOf(played: readonly ExplainedFlow[]): string {
  const count = (wanted: ExplainedFlow['outcome']) =>
    played.filter(({ outcome }) => outcome === wanted).length;
  const reasons = new Set(played.flatMap((one) => leftOutOf(one) ?? []));
  const why = reasons.size === 0 ? '' : ` (${[...reasons].join('; ')})`;
  return `flows: ${count('passed')} passed, ${count('failed')} failed, ${count('left out')} left out${why}`;
}

function shownOf({ flow, title, outcome, seconds, entries, because, difference }: ToldFlow): ShownFlow {
  const failure =
    outcome === 'failed' ? { sentence: sentenceOf({ message: because }), difference } : undefined;
  const about = { file: fileOf(flow), title, passed: outcome === 'passed' };
  return { ...about, seconds, entries: entries(), failure };
}

const leftOutOf = ({ outcome, because }: ExplainedFlow) => (outcome === 'left out' ? because : undefined);

/**
 * Runs a command with the time, the environment and the terminal of this process as the surroundings of its
 * parties. Returns its exit code; parties that cannot be used end it with a sentence.
 */
export async function asCommand(command: (surroundings: PartiesParts) => Promise<number>): Promise<number> {
  const signal = breakable();
  try {
    return await command({ clock: systemClock, random: systemRandom, env: process.env, signal, tell, ask });
  } catch (error) {
    if (error instanceof PartyFileError || error instanceof PartyStartError) return unusable(error.message);
    if (!signal.aborted) throw error;
    process.stderr.write('The run was broken off.\n');
    return brokenOffCode(signal);
  }
}

export function unusable(message: string): number {
  process.stderr.write(`${message}\n`);
  return UNUSABLE_COMMAND_LINE;
}

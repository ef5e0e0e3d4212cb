/** `npm run e2e` with parties of other makes: plays the flows, lists them, and writes the reports. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';
import { requireFile } from '#service/process/files/writing.ts';
import { type ExplainedFlow, explain } from '../explain.ts';
import { chosenFlows, fileOf } from '../flows/index.ts';
import { loadParties, type PartyFiles } from '../parties/load.ts';
import { openParties } from '../parties/open.ts';
import { playFlow } from '../play-flows.ts';
import { type Flow, flowsPage } from '../report/flows-page.ts';
import { sentenceOf } from '../report/sentence.ts';
import { failureLines } from '../report/terminal.ts';
import { caseOf, writeReports } from './reports.ts';
import { unusable, withParties } from './with-parties.ts';

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
  return withParties(async (parts) => {
    const parties = await openParties(await loadParties(files, process.env), parts);
    try {
      const { client, auth, ehr } = parties;
      const names = [
        `Client: ${client.name}`,
        `Authorization server: ${auth.name}`,
        `EHR server: ${ehr.name}`,
      ];
      process.stdout.write(`${names.join('\n')}\n\n`);
      const played: ExplainedFlow[] = [];
      for (const [turn, flow] of wanted.entries()) {
        const one = explain(await playFlow(flow, parties, turn), parties);
        process.stdout.write(rowsOf(one));
        played.push(one);
      }
      return conclude(played, page);
    } finally {
      await parties.close();
    }
  });
}

/** Writes the reports and the last lines. Returns the exit code. */
function conclude(played: readonly ExplainedFlow[], page: string): number {
  const shown = played.filter(({ outcome }) => outcome !== 'left out').map(shownOf);
  const leftOut = played.flatMap(({ flow, outcome, because = '' }) =>
    outcome === 'left out' ? [{ title: flow.sentence, because }] : [],
  );
  const reports = writeReports(page, flowsPage(shown, leftOut), {
    flows: played.map((one) => caseOf({ ...shownOf(one), file: 'flows' }, leftOutOf(one))),
  });
  const lines = ['', ...reports, '', aboutOthers(), ...failureLines(shown), '', summaryOf(played)];
  process.stdout.write(`${lines.join('\n')}\n`);
  return shown.length > 0 && shown.every(({ passed }) => passed) ? 0 : 1;
}

const SIGNS = { passed: '✓', failed: '✗', 'left out': '–' } as const;

function rowsOf({ flow, outcome, because, seconds }: ExplainedFlow): string {
  const time = outcome === 'left out' ? ''.padStart(7) : `${seconds.toFixed(1).padStart(5)} s`;
  const rows = [`  ${SIGNS[outcome]} ${time}  ${titleOf(flow)}`];
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
  const count = (wanted: ExplainedFlow['outcome']) =>
    played.filter(({ outcome }) => outcome === wanted).length;
  const reasons = new Set(played.flatMap((one) => leftOutOf(one) ?? []));
  const why = reasons.size === 0 ? '' : ` (${[...reasons].join('; ')})`;
  return `flows: ${count('passed')} passed, ${count('failed')} failed, ${count('left out')} left out${why}`;
}

/** A flow as the page and the terminal show it. */
function shownOf({ flow, outcome, seconds, entries, because, difference }: ExplainedFlow): Flow {
  const failure =
    outcome === 'failed' ? { sentence: sentenceOf({ message: because }), difference } : undefined;
  const about = { file: fileOf(flow), title: titleOf(flow), passed: outcome === 'passed' };
  return { ...about, seconds, entries: entries(), failure };
}

const leftOutOf = ({ outcome, because }: ExplainedFlow) => (outcome === 'left out' ? because : undefined);
const titleOf = ({ name, sentence }: ExplainedFlow['flow']) => `${name}: ${sentence}`;

/** Whether the server under test survived the run. */
import { stripVTControlCharacters } from 'node:util';
import { type Check, check } from '../../../engine/check/check.ts';
import { fail, inconclusive, pass } from '../../../engine/check/judging.ts';
import type { Finding } from '../../../engine/check/verdict.ts';
import type { ServerEntry } from '../../../engine/journal/entry.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { scenarios } from '../flows/index.ts';

/** Limits the interrupted steps that the finding names. */
const MAX_STEPS = 3;

/** Limits the shown lines of output: the cause is in the last ones. */
const MAX_LINES = 5;

export const survivalChecks: readonly Check[] = [
  check({
    id: 'server-survives',
    title: 'The server keeps running, whatever a client sends and whatever the EHR server answers',
    requirements: ['K-server-survives'],
    scenarios,
    watchable: true,
    judge: survived,
  }),
];

function survived(journal: JournalView): Finding {
  const deaths = journal.serverEvents.filter(({ event }) => event === 'died');
  const [first] = deaths;
  if (!first) {
    const last = journal.internalCalls.findLast(({ facts }) => facts.reply?.result);
    return last ? pass([last.seq]) : inconclusive('the server did nothing that the EHR server accepted');
  }
  const gone = journal.serverEvents.find(({ event }) => event === 'unreachable');
  const deadly = journal.deadlyScenarios;
  return fail({
    expected: 'one process that keeps running from the first scenario to the last',
    actual: [
      `it ${first.ended ?? 'ended'}${deaths.length > 1 ? `, and died ${deaths.length} times in all` : ''}`,
      ...(deadly.length > 0 ? [deadly.map((id) => diedIn(journal, id)).join('; ')] : []),
      ...(gone ? [`then it was gone: ${gone.ended}`] : []),
      lastLines(first),
    ].join('; '),
    evidence: [...deaths.slice(0, MAX_LINES), ...(gone ? [gone] : [])].map(({ seq }) => seq),
    advice:
      deadly.length > 0
        ? `Play ${deadly[0]} alone (--only ${deadly[0]}), find in the output what ends the server, and answer that request with an error instead.`
        : 'Find in the output what ended the server. Nothing that a client or the EHR server sends may end it: answer with an error instead.',
  });
}

/** Names the scenario and what was under way: the steps whose connections broke first. */
function diedIn(journal: JournalView, scenario: string): string {
  const death = journal.deathIn(scenario);
  const broken = journal
    .stepsOf({ id: scenario })
    .filter(
      ({ step, exchanges }) =>
        step.seq < (death?.seq ?? 0) &&
        exchanges.some(({ link, broke }) => link === 'client->auth' && broke !== undefined),
    )
    .map(({ step }) => `"${step.label}"`);
  const steps = [...new Set(broken)].slice(0, MAX_STEPS);
  return `it dies in the scenario ${scenario} played alone${steps.length > 0 ? `, at ${steps.join(', ')}` : ''}`;
}

/** The last lines without the frames of a stack trace, which would hide the cause. */
function lastLines({ output = [] }: ServerEntry): string {
  const lines = output
    .map((line) => stripVTControlCharacters(line).trim())
    .filter((line) => line !== '' && !/^at /.test(line))
    .slice(-MAX_LINES);
  return lines.length === 0 ? 'nothing is known of its output' : `its last lines of output: ${lines.join(' | ')}`;
}

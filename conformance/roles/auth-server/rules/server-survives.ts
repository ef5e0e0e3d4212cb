/** The rule that the authorization server under test keeps running, whatever is sent to it in a run. */
import type { Check } from '../../../engine/check/check.ts';
import { rule } from '../../../engine/check/rule.ts';
import type { Judgement, Shown } from '../../../engine/check/steps.ts';
import { quoted } from '../../../engine/harmless.ts';
import type { ServerEntry } from '../../../engine/journal/entry.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { scenarios } from '../flows/index.ts';
import { USUAL } from './usual.ts';

/** Limits the steps that the finding names for each scenario in which the server died. */
const MAX_STEPS = 3;

/** Limits the lines of output and the deaths that the finding shows; the cause is in the last lines. */
const MAX_LINES = 5;

/** The deaths, or else the last accepted call to the EHR server. */
function deathsOrLastCall(journal: JournalView): readonly Shown[] {
  const died = journal.serverEvents.filter(({ event }) => event === 'died');
  return died.length > 0 ? died : journal.internalCalls.filter(({ facts }) => facts.reply?.result).slice(-1);
}

/** Describes the deaths among the evidence; undefined where there are none. */
function diedInRun(shown: readonly Shown[], journal: JournalView): Judgement {
  const deaths = journal.serverEvents.filter((event) => shown.includes(event));
  const [first] = deaths;
  if (!first) return undefined;
  if (deaths.every(({ outside }) => outside)) return restartedOutside(journal, deaths);
  const gone = journal.serverEvents.find(({ event }) => event === 'unreachable');
  const deadly = journal.deadlyScenarios;
  return {
    expected: 'one process that keeps running from the first scenario to the last',
    actual: [
      `it ${first.ended ?? 'ended'}${deaths.length > 1 ? `, and died ${deaths.length} times in all` : ''}`,
      ...(deadly.length > 0 ? [deadly.map((id) => diedIn(journal, id)).join('; ')] : []),
      ...(gone ? [`then it was gone: ${gone.ended}`] : []),
      lastLines(first),
    ].join('; '),
    shownBy: [...deaths.slice(0, MAX_LINES), ...(gone ? [gone] : [])],
    advice:
      deadly.length > 0
        ? `Play ${deadly[0]} alone (--only ${deadly[0]}), find in the output what ends the server, and answer that request with an error instead.`
        : ADVICE,
  };
}

/** A watcher or a container manager hides why the server ended: it may have been none of its own. */
function restartedOutside(journal: JournalView, deaths: readonly ServerEntry[]): Judgement {
  const during = journal.deadlyScenarios.map((id) => `during ${id} played alone`);
  const often = [`${deaths.length} ${deaths.length === 1 ? 'time' : 'times'}`, ...during].join(', ');
  return {
    unclear: `it ended and came back by itself (${often}): it was restarted from outside, as by a watcher of its folder. Start it without one, or let the kit start it by server.start`,
    shownBy: deaths.slice(0, MAX_LINES),
    blame: 'environment',
  };
}

const ADVICE =
  'Find in the output what ended the server. Nothing that a client or the EHR server sends may end it: answer with an error instead.';

export const serverSurvives: Check = rule({
  ...USUAL,
  id: 'server-survives',
  title: 'The server keeps running, whatever a client sends and whatever the EHR server answers',
  requirements: ['K-server-survives'],
  scenarios,
  of: deathsOrLastCall,
  nothing: { unclear: 'the server did nothing that the EHR server accepted' },
  judge: diedInRun,
  advice: ADVICE,
});

/** A scenario in which it died, with the steps whose connections broke before. */
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

const COLOURS = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*[A-Za-z]`, 'g');

/** The last lines without the frames of a stack trace, which would hide the cause. */
function lastLines({ output = [] }: ServerEntry): string {
  const lines = output
    .map((line) => line.replace(COLOURS, '').trim())
    .filter((line) => line !== '' && !/^at /.test(line))
    .slice(-MAX_LINES);
  return lines.length === 0
    ? 'nothing is known of its output'
    : `its last lines of output: ${lines.map(quoted).join(' | ')}`;
}

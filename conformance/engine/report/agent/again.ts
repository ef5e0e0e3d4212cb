/** Writes what became of the checks that were red as plain text for programs and coding agents. */
import { type Again, saidBy } from '../compare/again.ts';
import type { JudgedReport } from '../terminal/reporter.ts';
import { count } from '../words.ts';
import { type CauseText, causeBlocks, NOTE } from './agent.ts';
import { plain, quote } from './quote.ts';

/** What a rerun found. `judged` is undefined where nothing was played. */
export type Rerun = {
  again: readonly Again[];
  judged: JudgedReport | undefined;
  /** How many of the checks are red now. */
  red: number;
  exitCode: number;
};

/** The whole text: a line for each check, and the causes of what is red. */
export function againText({ again, judged, red, exitCode }: Rerun, telling: CauseText): string {
  const still = red === 0 ? 'nothing is red any more' : `${count(red, 'check is', 'checks are')} red`;
  const head = [
    NOTE,
    `verdict: of ${count(again.length, 'check that was', 'checks that were')} red, ${still}. Exit code ${exitCode} (0 nothing is red any more, 1 something is, 2 not set up, 3 a fault of the kit).`,
    ...again.map(lineOf),
  ];
  const blocks = judged ? causeBlocks(judged, telling) : [];
  return [`${head.join('\n')}\n`, ...blocks].join('\n');
}

/** Limits what a line takes from a finding. */
const MAX_FINDING_BYTES = 200;

function lineOf({ kind, was, now }: Again): string {
  const told = ({ outcome, finding }: Again['was'] | NonNullable<Again['now']>) => {
    const said = saidBy(finding);
    return said === '' ? outcome : `${outcome}: ${quote(said, MAX_FINDING_BYTES)}`;
  };
  const change = kind === 'changed' && now ? ` (was ${told(was)}, now ${told(now)})` : '';
  return `check ${plain(was.check)}: ${kind}${change}`;
}

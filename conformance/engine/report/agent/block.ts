/** Writes one cause for a program: what is wrong, where, by which rule, whose fault it is, what to change. */
import { addressOf } from '#protocol/site.ts';
import { isRed } from '../../check/verdict.ts';
import type { PlayedStep } from '../../journal/played-steps.ts';
import { requirementsOf } from '../matrix.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import type { ShownCause } from '../terminal/console-causes.ts';
import { remarkOf, weightWords } from '../words.ts';
import { exchangeLines } from './exchange.ts';
import { fitted, type LabelledLine } from './lines.ts';
import { plain } from './quote.ts';
import type { RemarkEntry, Scene, Scenes } from './scene.ts';
import { stepText } from './step-text.ts';

/** What a block needs besides its cause. */
export type BlockContext = {
  report: Report;
  scenes: Scenes;
  /** Returns the command that plays a check alone. */
  playAlone: (check: string) => string;
  /** The place of the cause, counted from 1, and the number of causes. */
  place: number;
  total: number;
};

/** Limits a block in UTF-8. An agent reads many of them, and pays for each. */
export const MAX_BLOCK_BYTES = 2_048;

/** Values that are no use cut keep so many bytes. */
const MAX_NAME_BYTES = 120;
const MAX_PAGE_BYTES = 160;
const MAX_COMMAND_BYTES = 300;

/** The block of one cause, with line breaks. */
export function blockOf(
  shown: ShownCause,
  { report, scenes, playAlone, place, total }: BlockContext,
): string {
  const { cause, verdicts } = shown;
  const verdict = verdicts.find(({ check }) => check === cause.check) ?? verdicts[0];
  const scene = scenes.of(verdict);
  const counts = isRed(verdict, report.summary.demands) ? 'makes the run fail' : 'does not make the run fail';
  const others = verdicts.filter((each) => each !== verdict).map(({ check }) => check);
  const about = `${verdict.check} (${weightWords(verdict)}; ${verdict.outcome}, ${counts})`;
  const lines = [
    { label: `cause ${place} of ${total}`, text: causeText(shown, verdict), quoted: true },
    { ...ofKit('check', about), firm: MAX_NAME_BYTES },
    { ...ofKit('page', addressOf.check(verdict.check)), firm: MAX_PAGE_BYTES },
    ofKit('clause', verdict.clause),
    ofKit('requirement', requirementText(verdict, report)),
    ...findingLines(verdict),
    ...sceneLines(scene, report),
    ...(scene.exchange ? exchangeLines(scene.exchange) : []),
    ...(scene.remarks.length > 0 ? softly([ofParty('seen', scene.remarks.map(remarkText).join('; '))]) : []),
    ...adviceLines(shown, verdict),
    ...(others.length > 0 ? [{ ...ofKit('shows also in', others.join(', ')), soft: true }] : []),
  ];
  const command = `play alone: ${plain(playAlone(verdict.check), MAX_COMMAND_BYTES)}\n`;
  // The command always has its whole room, so that a replay cuts the other lines as the run did.
  return fitted(lines, MAX_BLOCK_BYTES - MAX_COMMAND_BYTES - 'play alone: \n'.length) + command;
}

const ofKit = (label: string, text: string): LabelledLine => ({ label, text, quoted: false });
const ofParty = (label: string, text: string): LabelledLine => ({ label, text, quoted: true });

/** The cause in words, without what a line below says again. */
function causeText({ cause: { cause } }: ShownCause, { finding, title }: ReportedVerdict): string {
  if (finding.outcome === 'inconclusive' && cause === finding.because)
    return `"${title}" could not be judged`;
  const again = finding.outcome === 'fail' ? finding.actual : 'because' in finding ? finding.because : '';
  return again !== '' && cause.endsWith(`: ${again}`) ? cause.slice(0, -again.length - 2) : cause;
}

function requirementText(verdict: ReportedVerdict, report: Report): string {
  return requirementsOf(verdict, report)
    .map(({ id, text }) => `${id}: ${text}`)
    .join(' | ');
}

/** What was expected, what came, and who is to blame. Values of the parties may stand in both sentences. */
function findingLines({ finding }: ReportedVerdict): LabelledLine[] {
  if (finding.outcome === 'pass' || finding.outcome === 'not applicable') return [];
  const blame = { ...ofKit('to blame', finding.blame), firm: MAX_NAME_BYTES };
  if (finding.outcome === 'inconclusive') return [ofParty('could not be judged', finding.because), blame];
  return [ofParty('expected', finding.expected), ofParty('actual', finding.actual), blame];
}

/** The advice of the cause, else that of the check. */
function adviceLines({ cause }: ShownCause, { finding }: ReportedVerdict): LabelledLine[] {
  const advice = cause.advice ?? (finding.outcome === 'fail' ? finding.advice : undefined);
  return advice === undefined ? [] : [ofKit('to change', advice)];
}

/** Where in the flow it happened. */
function sceneLines({ step, before, after, place, steps }: Scene, { scenarios }: Report): LabelledLine[] {
  if (!step) return [];
  const { scenario } = step.step;
  const title = scenarios.find((each) => each.scenario === scenario)?.title;
  const isTold = title !== undefined && title !== scenario;
  return [
    ofKit('scenario', `${scenario}${isTold ? ` (${title})` : ''}, step ${place} of ${steps}`),
    ...softly(stepLine('step before', before)),
    ...stepLine('step', step),
    ...softly(stepLine('step after', after)),
  ];
}

const softly = (lines: LabelledLine[]): LabelledLine[] => lines.map((line) => ({ ...line, soft: true }));

const stepLine = (label: string, played: PlayedStep | undefined): LabelledLine[] =>
  played ? [ofParty(label, stepText(played))] : [];

/** A remark, with what the program under test wrote last. */
function remarkText(entry: RemarkEntry): string {
  const output = entry.kind === 'server' ? (entry.output ?? []) : [];
  return [remarkOf(entry), ...output].join(' / ');
}

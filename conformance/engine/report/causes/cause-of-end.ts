/** Tells the end of the program under test as the cause of what failed afterwards. */
import { describe } from '../../journal/describe-result.ts';
import type { JournalView } from '../../journal/view.ts';
import type { ReportedCause } from '../schema/schema.ts';
import type { Group } from './follows.ts';
import { methodIn } from './symptom.ts';

export function causeOfEnd(group: Group, journal: JournalView): ReportedCause {
  const [{ key, end, verdict }] = group;
  const checks = group.map((symptom) => symptom.verdict.check);
  if (!end) {
    const event = journal.serverEvents.find(({ seq }) => String(seq) === key);
    return { cause: `the server under test ${event?.ended ?? 'could not be reached any more'}`, checks };
  }
  const { step, result } = end;
  const blame = 'blame' in verdict.finding ? verdict.finding.blame : undefined;
  const how = result.kind === 'failed' ? describe(result) : 'from then on it shows an empty screen';
  const others = new Set(group.flatMap((each) => each.end?.step.seq ?? [])).size - 1;
  const often = others > 0 ? ` and in ${others} further ${others === 1 ? 'step' : 'steps'}` : '';
  return {
    cause: `the ${blame ?? 'program under test'} ended in the step "${step.label}" (${methodIn(end)}) of ${step.scenario}${often}: ${how}`,
    advice: ADVICE,
    blame,
    checks,
  };
}

const ADVICE =
  'Find in what it wrote last why it ended: no answer of a server may end it, whatever form the answer has.';

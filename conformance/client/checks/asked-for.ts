/** What a client does only when the person asks for it, in all scenarios (§4.6). */
import type { Check } from '../../checks/check.ts';
import { MAX_EVIDENCE } from '../../checks/judging.ts';
import { first } from '../../checks/red-change.ts';
import type { ExchangeEntry, StepEntry } from '../../journal/entry.ts';
import type { JournalView } from '../../journal/view.ts';
import type { Finding } from '../../verdict.ts';
import { EHR_METHODS } from '../messages.ts';

const ASKED_BY: ReadonlySet<string> = new Set(['disconnect', 'deleteAccount']);

/** Ends a link, or an account, that the person has not asked to end. */
export const linksEndWhenAsked: Check = {
  id: 'links-end-when-asked',
  title: 'The record is disconnected, and the account deleted, only when the person has asked for it',
  level: 'MUST',
  requirements: ['4.6-called-at-disconnect'],
  scenarios: ['errors-of-authenticate-told', 'form-after-refusal', 'logout-ehr-first', 'deletion-ehr-first'],
  watchable: false,
  judge,
  red: ({ exchanges, entries }) => {
    const { step } = first(exchanges('client->ehr', EHR_METHODS.disconnect));
    const asked = first(entries.filter((entry) => entry.kind === 'step' && entry.seq === step));
    Object.assign(asked, { step: 'readPatient' });
  },
};

function judge(journal: JournalView): Finding {
  const ends = [
    ...journal.exchanges('client->ehr', EHR_METHODS.disconnect),
    ...journal.exchanges('client->auth', 'auth.delete_user'),
  ];
  if (ends.length === 0) {
    return { outcome: 'inconclusive', because: 'the client ended no link, not even when asked to', blame: 'client' };
  }
  const steps = journal.entries.filter((entry): entry is StepEntry => entry.kind === 'step');
  const unasked = ends.filter((exchange) => !isAskedFor(exchange, steps));
  const [one] = unasked;
  if (!one) return { outcome: 'pass', evidence: ends.map(({ seq }) => seq).slice(0, MAX_EVIDENCE) };
  const during = steps.find(({ seq }) => seq === one.step)?.label;
  return {
    outcome: 'fail',
    expected: `no ${one.facts.call?.method} before the person asks to disconnect or to delete`,
    actual: `it is called during "${during}"`,
    evidence: unasked.map(({ seq }) => seq).slice(0, MAX_EVIDENCE),
    blame: 'client',
    advice: 'Tell the person what stands in the way, and let them decide whether to disconnect the record.',
  };
}

/** A call that is repeated later counts as asked for. A call outside all steps is of a client that ends. */
function isAskedFor({ seq, step, scenario }: ExchangeEntry, steps: readonly StepEntry[]): boolean {
  if (step === undefined) return true;
  return steps.some((each) => each.scenario === scenario && each.seq <= seq && ASKED_BY.has(each.step));
}

/** What a client does only when the person asks for it, in all scenarios (§4.6). */
import type { Check } from '../../../../engine/check/check.ts';
import { first } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry, StepEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { EHR_METHODS } from '../../servers/messages.ts';

const WITHOUT_SESSION = 'way-out-without-session';
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
    return {
      outcome: 'inconclusive',
      because: 'the client ended no link, not even when asked to',
      blame: 'client',
    };
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

/** Where the EHR server knows no session, the one of the authorization server is still to be ended. */
export const sessionEndedAtAuthServer: Check = {
  id: 'session-ended-at-auth-server',
  title:
    'A person whose session the EHR server does not know is logged out at the authorization server in the end',
  level: 'ADVICE',
  requirements: ['4.5-called-at-exit'],
  scenarios: [WITHOUT_SESSION],
  watchable: false,
  judge(journal) {
    const steps = journal.stepsOf({ id: WITHOUT_SESSION });
    const evidence = steps.flatMap((played) => played.evidence).slice(-MAX_EVIDENCE);
    if (!steps.some(({ result }) => result.kind === 'done' && result.values.sees === 'signedOut'))
      return { outcome: 'inconclusive', because: 'the person did not get out', blame: 'client' };
    const isCalled = journal
      .exchanges('client->auth', 'auth.logout')
      .some(({ seq }) => evidence.includes(seq));
    if (isCalled) return { outcome: 'pass', evidence };
    const actual = 'the client forgets the session, which goes on there';
    const advice =
      'Tell the person that there is no session at the EHR server, and call auth.logout when they go on.';
    return { outcome: 'fail', expected: 'auth.logout in the end', actual, evidence, blame: 'client', advice };
  },
};

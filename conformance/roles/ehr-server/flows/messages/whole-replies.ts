/** Checks that each reply of an EHR server in a run is whole, and that its output has no secrets. */
import type { Check } from '../../../../engine/check/check.ts';
import { outputCheck } from '../../../../engine/check/output-check.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { whyNotJson } from '../../../../engine/party/requests/why-not-json.ts';
import { checkOfAll, type EhrScenario } from '../../check.ts';
import { jsonIn } from '../../world/answer.ts';

/** Whether the answer has HTTP 200 and a body: an empty one is judged by its step. */
const hasBody = ({ response, fault }: ExchangeEntry): boolean =>
  fault === undefined && response?.status === 200 && response.body !== '';

/** The calls of methods: what the kit sends besides, to other paths say, may be answered by a page. */
export const callsIn = (journal: JournalView): ExchangeEntry[] =>
  [...journal.exchanges('client->ehr'), ...journal.exchanges('auth->ehr')].filter(
    (exchange) => (journal.stepOf(exchange)?.step.step ?? 'send') !== 'send',
  );

/** Creates the check, about the messages in these scenarios. */
export const wholeReplies = (played: readonly EhrScenario[]): Check =>
  checkOfAll({
    id: 'replies-are-whole',
    title: 'The body of every reply is JSON, whole and with nothing around it',
    requirements: ['4-json-rpc-reply'],
    scenarios: played.map(({ id }) => id),
    judge(journal) {
      const calls = callsIn(journal).filter(hasBody);
      if (calls.length === 0) return { notApplicable: 'no call was answered' };
      const shownBy = calls.filter(({ response }) => jsonIn(response?.body) === undefined);
      if (shownBy.length === 0) return { right: calls };
      const why = whyNotJson(shownBy[0]?.response?.body ?? '') ?? 'is not JSON';
      const actual = `a body that ${why} (${shownBy.length} of ${calls.length} replies)`;
      return { expected: 'JSON alone', actual, shownBy };
    },
    advice: 'Count Content-Length in bytes, not in letters, and write nothing but the reply into the body.',
  });

/**
 * The check that an EHR server writes no secrets and no patient data to its output. Judged with the notes of
 * all scenarios of a run; these are enough to see what a server writes.
 */
export const noSecretsInOutput = outputCheck({
  requirements: ['K-output-no-secrets'],
  scenarios: ['exchange-token-used-once', 'no-patient-no-session', 'save-digest-verified'],
  blame: 'EHR server',
});

/** Checks that each reply is whole and has its own id (§2.1), and that the output has no secrets. */
import type { Check } from '../../../../engine/check/check.ts';
import { outputCheck } from '../../../../engine/check/output-check.ts';
import type { Fault } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { whyNotJson } from '../../../../engine/party/requests/why-not-json.ts';
import { checkOfAll, type EhrScenario } from '../../check.ts';
import { jsonIn, membersOf } from '../../world/answer.ts';

/** Whether the answer has HTTP 200 and a body: an empty one is judged by its step. */
const hasBody = ({ response, fault }: ExchangeEntry): boolean =>
  fault === undefined && response?.status === 200 && response.body !== '';

/** The calls of methods: what the kit sends besides, to other paths say, may be answered by a page. */
const callsIn = (journal: JournalView): ExchangeEntry[] =>
  [...journal.exchanges('client->ehr'), ...journal.exchanges('auth->ehr')].filter(
    (exchange) => (journal.stepOf(exchange)?.step.step ?? 'send') !== 'send',
  );

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

/** These scenarios are enough to see what a server writes. */
export const noSecretsInOutput = outputCheck({
  requirements: ['K-output-no-secrets'],
  scenarios: ['exchange-token-used-once', 'no-patient-no-session', 'save-digest-verified'],
  blame: 'EHR server',
});

type Ids = { readonly sent: string; readonly returned: string };

/** A reply without an id is another fault: it is not taken for the reply to another call. */
function idsIn({ request, response }: ExchangeEntry): Ids | undefined {
  const sent = membersOf(jsonIn(request.body)).id;
  const returned = membersOf(jsonIn(response?.body)).id;
  const isId = typeof returned === 'number' || typeof returned === 'string';
  return Number.isSafeInteger(sent) && isId ? { sent: `${sent}`, returned: `${returned}` } : undefined;
}

function crossed(exchanges: readonly ExchangeEntry[]): Fault | undefined {
  const isOther = (exchange: ExchangeEntry) => {
    const ids = idsIn(exchange);
    return ids !== undefined && ids.sent !== ids.returned;
  };
  const shownBy = exchanges.filter(isOther);
  const [ids] = shownBy.flatMap((exchange) => idsIn(exchange) ?? []);
  if (!ids) return undefined;
  return {
    expected: 'the id of the call',
    actual: `the id ${ids.returned} in the reply to a call with the id ${ids.sent} (${shownBy.length} of ${exchanges.length} replies)`,
    shownBy,
  };
}

export const ownIds = (played: readonly EhrScenario[]): Check =>
  checkOfAll({
    id: 'replies-carry-own-id',
    title: 'No reply carries the id of another call',
    requirements: ['2.1-id-echoed'],
    scenarios: played.map(({ id }) => id),
    judge(journal) {
      const calls = callsIn(journal).filter(idsIn);
      if (calls.length === 0) return { notApplicable: 'no call was answered' };
      return crossed(calls) ?? { right: calls };
    },
    advice:
      'Keep the id of a call with the call: one that requests share is overwritten by the next before its reply is written.',
  });

/** How a server repeats calls, and how much of a failing EHR server reaches the client (§4.1, §5.1). */
import { errorTable } from '#protocol/wire/errors.ts';
import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notRun,
  pass,
  SAVE_AUTH_INFO,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
  wasTold,
} from '../../../../engine/check/judging.ts';
import { repeatedCall } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { gatewayStatuses, gatewayTrouble, oneLostReply } from '../../flows/requests/repeats.ts';
import { exchangeTokenTrouble, saveTrouble } from '../../flows/trouble/ehr-trouble.ts';

/** A first call with a few retries, and a newly drawn token. More calls look like retries within retries. */
const MAX_CALLS = 6;

/** Faults whose answer, or silence, makes a server try again. */
const TEMPTING = ['hang', 'http-500', 'down', 'reset'] as const;

function judgeRepeats(journal: JournalView): Finding {
  const labels = [
    ...gatewayStatuses.map((status) => gatewayTrouble.steps.during(status)),
    ...TEMPTING.map((fault) => exchangeTokenTrouble.steps.during(fault)),
  ];
  const met = labels
    .flatMap((label) => journal.step(label) ?? [])
    .map((played) => ({ played, calls: sentTo(played, SAVE_EXCHANGE_TOKEN).length }))
    .filter(({ calls }) => calls > 0);
  const [most] = met.toSorted((a, b) => b.calls - a.calls);
  if (!most) return notRun(journal, labels[0] as (typeof labels)[0]);
  if (most.calls > MAX_CALLS)
    return fail({
      expected: `at most ${MAX_CALLS} calls for one request of a client`,
      actual: `${most.calls} calls in the step "${most.played.step.label}"`,
      evidence: most.played.evidence.slice(0, MAX_CALLS),
      advice: 'Retry in one place alone, a few times, with growing pauses and within one timeout for the whole.',
    });
  return pass(met.flatMap(({ played }) => played.evidence).slice(0, 2 * MAX_CALLS));
}

const TOKEN_STORED = errorTable.token_already_stored.code;

/** Finds a save that repeated a token of the same step and was answered that it is stored already. */
function refusedRepeat(played: PlayedStep): PlayedStep['exchanges'][number] | undefined {
  const saves = sentTo(played, SAVE_AUTH_INFO);
  return saves.find(
    ({ facts: { call, reply } }, index) =>
      reply?.code === TOKEN_STORED &&
      saves.slice(0, index).some(({ facts }) => facts.call?.token === call?.token && facts.call?.user === call?.user),
  );
}

const OWN_REPEAT_ADVICE =
  'When a repeat of your own save, with the same user and token, is answered token_already_stored, the first one was carried out: answer the client with success.';

function judgeServersRepeat(journal: JournalView): Finding {
  const { save } = oneLostReply.steps;
  const played = journal.step(save);
  if (!played) return notRun(journal, save);
  if (!played.exchanges.some(({ fault }) => fault === 'reply-lost'))
    return inconclusive('save_auth_info was not sent, so no reply was lost', played.evidence);
  if (played.result.kind === 'done' || !refusedRepeat(played)) return pass(played.evidence);
  return fail({
    expected: 'success: the session is stored, by the first of the two calls',
    actual: `the server repeated its save, was answered token_already_stored, and the client was told a failure (${describe(played.result)})`,
    evidence: played.evidence,
    advice: OWN_REPEAT_ADVICE,
    timeSensitive: true,
  });
}

/** The client was told of the lost reply, and reports its link once more. */
function judgeClientsRepeat(journal: JournalView): Finding {
  const { during, afterwards } = saveTrouble.steps;
  const [first, again] = [journal.step(during('reply-lost')), journal.step(afterwards('reply-lost'))];
  if (!first || !again) return notRun(journal, afterwards('reply-lost'));
  const stored = sentTo(first, SAVE_AUTH_INFO).find(({ fault }) => fault === 'reply-lost');
  if (!stored) return inconclusive('save_auth_info was not sent, so no reply was lost', first.evidence);
  if (again.result.kind === 'done') return pass([stored.seq, ...again.evidence]);
  const last = sentTo(again, SAVE_AUTH_INFO).at(-1);
  const { call, reply } = last?.facts ?? {};
  const isRepeat = call?.token === stored.facts.call?.token && call?.user === stored.facts.call?.user;
  // Another failure, and no answer at all, is judged by the check of what comes after this trouble.
  if (!last || reply?.code !== TOKEN_STORED || !isRepeat || !wasTold(again))
    return inconclusive(`the repeat was not answered token_already_stored (${describe(again.result)})`, again.evidence);
  return fail({
    expected: 'success: the session is stored, by the report whose reply was lost',
    actual: `the client repeated its report, the EHR server answered token_already_stored, and the client was told a failure (${describe(again.result)})`,
    // The EHR server had answered, so the kit made nothing late.
    evidence: [stored.seq, again.step.seq, last.seq],
    advice: OWN_REPEAT_ADVICE,
  });
}

function judgeOwnRepeats(journal: JournalView): Finding {
  const [byServer, byClient] = [judgeServersRepeat(journal), judgeClientsRepeat(journal)];
  if (byServer.outcome === 'fail' || byClient.outcome === 'not applicable') return byServer;
  if (byClient.outcome !== 'pass' || byServer.outcome !== 'pass')
    return byClient.outcome === 'pass' ? byServer : byClient;
  return pass([...byServer.evidence, ...byClient.evidence]);
}

export const repeatChecks: readonly Check[] = [
  check({
    id: 'calls-in-trouble-bounded',
    title: 'An EHR server that answers with errors, or not at all, is called a few times at most for one request',
    level: 'SHOULD',
    requirements: ['K-repeats-bounded'],
    scenarios: [gatewayTrouble, exchangeTokenTrouble],
    judge: judgeRepeats,
    red: repeatedCall(gatewayTrouble.steps.during(503), MAX_CALLS),
  }),
  check({
    id: 'own-repeat-is-success',
    title: 'When a save whose reply was lost is repeated, token_already_stored of the own session is success',
    requirements: ['D38-own-repeat-succeeds'],
    scenarios: [oneLostReply, saveTrouble],
    judge: judgeOwnRepeats,
  }),
];

/** Unusual replies of the EHR server, duplicate tokens, redirects, and many users at once (§2, §4). */

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
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { crowd, firstLink, GUESSED } from '../../flows/links/linking.ts';
import { exchangeTokenTrouble } from '../../flows/trouble/ehr-trouble.ts';
import { duplicateToken, oddReplies, REDIRECT_PATH, redirect } from '../../flows/trouble/odd-replies.ts';
import { type Oddity, oddities, troubleWords } from '../../flows/trouble/troubles.ts';

const { steps: odd } = oddReplies;

const OF_IDS = { requirements: ['1-exchange-token-to-client', '4-id-as-string', 'D3-echo'] } as const;
const OF_TIME = { requirements: ['K-slow-reply-understood'] } as const;
const OF_MEMBERS = { requirements: ['K-save-reply-in-any-shape'], level: 'SHOULD' } as const;

const demandedBy: Readonly<Record<Oddity, Pick<Check, 'requirements'> & Partial<Pick<Check, 'level'>>>> = {
  'number-id': OF_IDS,
  'string-id': OF_IDS,
  late: OF_TIME,
  'split-reply': OF_TIME,
  'result-empty': OF_MEMBERS,
  'more-members': OF_MEMBERS,
};

function understands(name: Oddity): Check {
  return check({
    id: `understands-${name}`,
    title: `A right reply is understood when the EHR server ${troubleWords[name]}`,
    ...demandedBy[name],
    scenarios: [oddReplies],
    judge(journal) {
      const control = journal.step(odd.control(name));
      const ask = journal.step(odd.token(name));
      const save = journal.step(odd.report(name)) ?? journal.step(odd.returns(name));
      if (!control || !ask) return notRun(journal, odd.token(name));
      if (control.result.kind !== 'done')
        return inconclusive(
          `without it the same step did not succeed either (${describe(control.result)})`,
          control.evidence,
        );
      const both = [ask, ...(save ? [save] : [])];
      const evidence = both.flatMap((played) => played.evidence);
      const bad = both.find(({ result }) => result.kind !== 'done');
      if (bad)
        return fail({
          expected: 'the step succeeds, as it did a moment before',
          actual: describe(bad.result),
          evidence: bad.evidence,
          advice:
            'Compare the id of the reply as text, read the reply to its end, wait for the whole of the timeout, and take any object as result for success.',
          timeSensitive: true,
        });
      if (!both.some((played) => played.exchanges.some(({ fault }) => fault === name)))
        return inconclusive('the EHR server was not called, so there was no such reply', evidence);
      return pass(evidence);
    },
  });
}

/** Requires that the client does not get a token that the EHR server refused as known. */
function duplicateHandled(played: PlayedStep, kept: boolean) {
  if (wasTold(played)) return pass(played.evidence);
  const advice = 'Draw a new token and save that one, or answer with an error.';
  if (played.result.kind !== 'done')
    return fail({
      expected: 'another token, or an error',
      actual: describe(played.result),
      evidence: played.evidence,
      advice,
      timeSensitive: true,
    });
  if (!kept) return pass(played.evidence);
  return fail({
    expected: 'a token that the EHR server accepted, or an error',
    actual: 'the client was given the token that the EHR server refused',
    evidence: played.evidence,
    advice,
  });
}

export const replyChecks: readonly Check[] = [
  ...oddities.map(understands),
  check({
    id: 'duplicate-exchange-token-handled',
    title: 'When the EHR server knows the exchange token already, the client gets another one or an error',
    requirements: ['DE-exchange-token-already-stored', '2.4-known-to-both'],
    scenarios: [exchangeTokenTrouble],
    judge(journal) {
      const played = journal.step(exchangeTokenTrouble.steps.duplicate);
      if (!played) return notRun(journal, exchangeTokenTrouble.steps.duplicate);
      const sent = sentTo(played, SAVE_EXCHANGE_TOKEN);
      if (sent.length === 0) return inconclusive('the call did not reach the EHR server', played.evidence);
      const given = played.result.kind === 'done' ? played.result.values.exchangeToken : undefined;
      const accepted = sent.some(
        ({ facts, fault }) => facts.call?.exchangeToken === given && facts.reply?.result && fault === undefined,
      );
      return duplicateHandled(played, !accepted);
    },
  }),
  check({
    id: 'duplicate-session-token-handled',
    title: 'When the EHR server knows the session token already, the client gets another one or an error',
    requirements: ['DE-token-already-stored', '2.3-token-unique'],
    scenarios: [duplicateToken],
    judge(journal) {
      const played = journal.step(duplicateToken.steps.duplicate);
      if (!played) return notRun(journal, duplicateToken.steps.duplicate);
      const sent = sentTo(played, SAVE_AUTH_INFO);
      if (sent.length === 0) return inconclusive('save_auth_info was not sent', played.evidence);
      const refusedToken = sent.find(({ fault }) => fault === 'refuse')?.facts.call?.token;
      const given = played.result.kind === 'done' ? played.result.values.token : undefined;
      return duplicateHandled(played, given === refusedToken);
    },
  }),
  check({
    id: 'no-redirect-followed',
    title: 'Credentials of the internal channel follow no redirect',
    requirements: ['K-no-redirect'],
    scenarios: [redirect],
    judge: judgeRedirect,
  }),
  check({
    id: 'ids-differ',
    title: 'Calls that are under way at the same time have different ids',
    level: 'SHOULD',
    requirements: ['2.1-id-sent'],
    scenarios: [crowd],
    watchable: true,
    judge(journal) {
      const calls = journal.internalCalls.map((exchange) => ({ exchange, id: exchange.facts.call?.id }));
      if (calls.length === 0) return inconclusive('the server under test sent no call to the EHR server');
      const nextOf = nextOfSameId(calls);
      for (const { exchange } of calls) {
        const other = nextOf.get(exchange.seq);
        if (other && other.at < exchange.endedAt)
          return fail({
            expected: 'ids of their own',
            actual: 'two calls at the same time had the same id',
            evidence: [exchange.seq, other.seq],
            advice: 'Count the id up, or draw it, for every call.',
          });
      }
      return pass(calls.slice(0, 3).map(({ exchange }) => exchange.seq));
    },
  }),
  check({
    id: 'crowd-unharmed',
    title: 'Many users at once are all linked, each with their own record',
    requirements: ['1-pair-per-session', '4.2-asking-session'],
    scenarios: [firstLink, crowd],
    judge: judgeCrowd,
  }),
];

/** The call that comes next with the id of each, by the `seq` of that one. Later ones begin later. */
function nextOfSameId(calls: readonly { exchange: ExchangeEntry; id: string | undefined }[]) {
  const next = new Map<number, ExchangeEntry>();
  const last = new Map<string, ExchangeEntry>();
  for (const { exchange, id } of calls) {
    if (id === undefined) continue;
    const before = last.get(id);
    if (before) next.set(before.seq, exchange);
    last.set(id, exchange);
  }
  return next;
}

function judgeRedirect(journal: JournalView) {
  const { steps } = redirect;
  const [before, played] = [journal.step(steps.before), journal.step(steps.during)];
  if (!before || !played) return notRun(journal, steps.during);
  if (before.result.kind !== 'done')
    return inconclusive(`without the redirect it did not succeed either (${describe(before.result)})`, before.evidence);
  if (!played.exchanges.some(({ fault }) => fault === 'redirect'))
    return inconclusive('the EHR server was not called, so there was no redirect', played.evidence);
  const followed = journal.exchanges('auth->ehr').filter(({ request }) => request.path.startsWith(REDIRECT_PATH));
  if (followed.length > 0)
    return fail({
      expected: 'no request to the other address',
      actual: 'the call was sent there with its credentials',
      evidence: [...played.evidence, ...followed.map(({ seq }) => seq)],
      advice: 'Switch the following of redirects off for calls to the EHR server.',
    });
  if (played.result.kind === 'done')
    return fail({
      expected: 'an error to the client',
      actual: 'the client was told that it succeeded',
      evidence: played.evidence,
      advice: 'A redirect is no acknowledgement: answer with an error.',
    });
  return pass(played.evidence);
}

function judgeCrowd(journal: JournalView) {
  const ending = journal.ending(crowd.id);
  if (!ending || ending.absent) return notRun(journal, crowd.steps.read);
  // One user alone was linked before: if even that fails, the crowd shows nothing of its own.
  const played = journal.stepsOf(crowd).filter(({ step }) => step.user !== GUESSED);
  const signedIn = new Set(played.map(({ step }) => step.user));
  const read = new Set(
    journal.steps(crowd.steps.read).flatMap(({ result, step }) => (result.kind === 'done' ? [step.user] : [])),
  );
  const linkedAlone = journal
    .allSteps('authenticate')
    .some(({ step, result }) => step.scenario !== crowd.id && result.kind === 'done');
  if (!linkedAlone) return inconclusive('no user who was alone could be linked either');
  if (signedIn.size > 0 && read.size === signedIn.size) return pass(journal.step(crowd.steps.read)?.evidence ?? []);
  const bad = played.find(({ result, step }) => result.kind !== 'done' && step.label !== crowd.steps.returns.label);
  return fail({
    expected: `${signedIn.size} users read their record`,
    actual: `${read.size} did; ${bad ? `"${bad.step.label}" of ${bad.step.user}: ${describe(bad.result)}` : (ending.stopped?.because ?? 'the others did not come so far')}`,
    evidence: bad?.evidence ?? [],
    advice: 'Keep nothing of a request in variables that requests share.',
    timeSensitive: true,
  });
}

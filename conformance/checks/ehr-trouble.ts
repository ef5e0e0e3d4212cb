/** How the authorization server takes an EHR server that refuses, fails, hangs or answers oddly (§4.1, §4.2, §7). */
import type { FaultName } from '../journal/entry.ts';
import type { JournalView } from '../journal/view.ts';
import { failures, oddities, REDIRECT_PATH, refusals } from '../scenarios/ehr-trouble.ts';
import { describe } from '../stage/stage.ts';
import type { Finding } from '../verdict.ts';
import type { Check } from './check.ts';
import { words } from './fault-words.ts';
import { failed, inconclusive, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN, sentTo, unplayed } from './judging.ts';

type Trouble = { scenario: 'exchange-token-trouble' | 'save-trouble'; control: string; method: string };
const onExchange: Trouble = {
  scenario: 'exchange-token-trouble',
  control: 'before any trouble',
  method: SAVE_EXCHANGE_TOKEN,
};
const onSave: Trouble = { scenario: 'save-trouble', control: 'without trouble: report', method: SAVE_AUTH_INFO };

/** The client must be told by an error: neither a success nor an endless wait. */
function told(journal: JournalView, { scenario, control, method }: Trouble, label: string, fault: FaultName): Finding {
  const [good, bad] = [journal.step(scenario, control), journal.step(scenario, label)];
  if (!good || !bad) return unplayed(journal, scenario);
  if (good.result.kind !== 'done')
    return inconclusive(`without trouble it did not succeed either (${describe(good.result)})`, good.evidence);
  if (!sentTo(bad, method).some(({ fault: met }) => met === fault))
    return inconclusive('the call did not reach the EHR server, so its fault was never met', bad.evidence);
  const advice =
    'When the EHR server gives no acknowledgement, answer the client with an error and give out nothing; set a timeout on the call.';
  if (bad.result.kind === 'done')
    return failed('an error to the client', 'the client was told that it succeeded', bad.evidence, advice);
  if (bad.result.kind === 'failed' && bad.result.what !== 'server-error') {
    return failed('an error to the client, in bounded time', describe(bad.result), bad.evidence, advice);
  }
  return { outcome: 'pass', evidence: bad.evidence };
}

function survives(journal: JournalView, { scenario, control, method }: Trouble, name: FaultName): Finding {
  const [good, bad] = [journal.step(scenario, control), journal.step(scenario, `while: ${name}`)];
  const next = journal.step(scenario, `after: ${name}`);
  if (!good || !bad || !next) return unplayed(journal, scenario);
  if (good.result.kind !== 'done')
    return inconclusive(`without trouble it did not succeed either (${describe(good.result)})`, good.evidence);
  if (sentTo(bad, method).length === 0)
    return inconclusive('the call did not reach the EHR server, so there was nothing to survive', bad.evidence);
  if (next.result.kind === 'done') return { outcome: 'pass', evidence: next.evidence };
  return failed(
    'the next attempt succeeds',
    describe(next.result),
    next.evidence,
    'Keep no state of a failed call: no broken connection, no half-made session, no lock.',
  );
}

function pairs(trouble: Trouble, prefix: string, what: string): Check[] {
  return failures.flatMap((name): Check[] => {
    const scenarios = [trouble.scenario];
    const level = name === 'hang' ? 'SHOULD' : 'MUST';
    return [
      {
        id: `${prefix}-told-${name}`,
        title: `The client is told by an error when the EHR server ${words[name]} while ${what}`,
        level,
        requirements: level === 'SHOULD' ? ['K-failure-bounded'] : ['K-failure-told', '2.4-known-to-both'],
        scenarios,
        watchable: false,
        judge: (journal) => told(journal, trouble, `while: ${name}`, name),
      },
      {
        id: `${prefix}-survives-${name}`,
        title: `The next attempt succeeds after the EHR server ${words[name]} while ${what}`,
        level: 'MUST',
        requirements: ['K-failure-survived'],
        scenarios,
        watchable: false,
        judge: (journal) => survives(journal, trouble, name),
      },
    ];
  });
}

function refusalChecks(trouble: Trouble, prefix: string, what: string): Check[] {
  return refusals
    .filter(({ reason }) => trouble !== onSave || reason !== 'token_already_stored')
    .map(({ reason }) => ({
      id: `${prefix}-told-${reason.replaceAll('_', '-')}`,
      title: `The client is told by an error when the EHR server answers ${reason} while ${what}`,
      level: 'MUST' as const,
      requirements: ['K-failure-told'] as const,
      scenarios: [trouble.scenario],
      watchable: false,
      judge: (journal: JournalView) => told(journal, trouble, `refused: ${reason}`, 'refuse'),
    }));
}

function oddCheck(name: FaultName): Check {
  return {
    id: `understands-${name}`,
    title: `A right reply is understood when the EHR server ${words[name]}`,
    level: 'MUST',
    requirements: name.endsWith('-id')
      ? ['1-exchange-token-to-client', '4-id-as-string', 'D3-echo']
      : ['K-slow-reply-understood'],
    scenarios: ['odd-replies'],
    watchable: false,
    judge(journal) {
      const [ask, report] = [
        journal.step('odd-replies', `exchange token: ${name}`),
        journal.step('odd-replies', `report: ${name}`),
      ];
      const bad = [ask, report].find((played) => played && played.result.kind !== 'done');
      if (!ask || (!report && !bad)) return unplayed(journal, 'odd-replies');
      const evidence = [...ask.evidence, ...(report?.evidence ?? [])];
      if (bad)
        return failed(
          'the step succeeds',
          describe(bad.result),
          bad.evidence,
          'Compare the id of the reply as text, read the reply to its end, and wait for the whole of the timeout.',
        );
      if (![ask, report].some((played) => played?.exchanges.some(({ fault }) => fault === name)))
        return inconclusive('the EHR server was not called, so there was no such reply', evidence);
      return { outcome: 'pass', evidence };
    },
  };
}

export const ehrTrouble: readonly Check[] = [
  ...pairs(onExchange, 'exchange', 'an exchange token is saved'),
  ...refusalChecks(onExchange, 'exchange', 'an exchange token is saved'),
  ...pairs(onSave, 'save', 'a session is saved'),
  ...refusalChecks(onSave, 'save', 'a session is saved'),
  ...oddities.map(oddCheck),
  {
    id: 'duplicate-exchange-token-handled',
    title: 'When the EHR server knows the exchange token already, the client gets another one or an error',
    level: 'MUST',
    requirements: ['DE-exchange-token-already-stored', '2.4-known-to-both'],
    scenarios: ['exchange-token-trouble'],
    watchable: false,
    judge(journal) {
      const played = journal.step('exchange-token-trouble', 'duplicate exchange token');
      if (!played) return unplayed(journal, 'exchange-token-trouble');
      const sent = sentTo(played, SAVE_EXCHANGE_TOKEN);
      if (sent.length === 0) return inconclusive('the call did not reach the EHR server', played.evidence);
      if (
        played.result.kind === 'refused' ||
        (played.result.kind === 'failed' && played.result.what === 'server-error')
      )
        return { outcome: 'pass', evidence: played.evidence };
      if (played.result.kind !== 'done')
        return failed(
          'another token, or an error',
          describe(played.result),
          played.evidence,
          'Treat the refusal as a failure of this one token.',
        );
      const { exchangeToken } = played.result.values;
      const accepted = sent.some(
        ({ facts, fault }) => facts.call?.exchangeToken === exchangeToken && facts.reply?.result && fault === undefined,
      );
      if (accepted) return { outcome: 'pass', evidence: played.evidence };
      return failed(
        'a token that the EHR server accepted',
        'the client was given the token that the EHR server refused',
        played.evidence,
        'Draw a new token and save that one, or answer with an error.',
      );
    },
  },
  {
    id: 'duplicate-session-token-handled',
    title: 'When the EHR server knows the session token already, the client gets another one or an error',
    level: 'MUST',
    requirements: ['DE-token-already-stored', '2.3-token-unique'],
    scenarios: ['duplicate-token'],
    watchable: false,
    judge(journal) {
      const played = journal.step('duplicate-token', 'returns with a duplicate token');
      if (!played) return unplayed(journal, 'duplicate-token');
      const sent = sentTo(played, SAVE_AUTH_INFO);
      if (sent.length === 0) return inconclusive('save_auth_info was not sent', played.evidence);
      if (played.result.kind !== 'done') {
        const understandable =
          played.result.kind === 'refused' ||
          (played.result.kind === 'failed' && played.result.what === 'server-error');
        return understandable
          ? { outcome: 'pass', evidence: played.evidence }
          : failed(
              'another token, or an error',
              describe(played.result),
              played.evidence,
              'Treat the refusal as a failure of this one token.',
            );
      }
      const refusedToken = sent.find(({ fault }) => fault === 'refuse')?.facts.call?.token;
      const { token } = played.result.values;
      if (token !== refusedToken) return { outcome: 'pass', evidence: played.evidence };
      return failed(
        'another token, or an error',
        'the client was given the token that the EHR server refused',
        played.evidence,
        'Draw a new token and save that one, or answer with an error.',
      );
    },
  },
  {
    id: 'no-redirect-followed',
    title: 'Credentials of the internal channel follow no redirect',
    level: 'SHOULD',
    requirements: ['K-no-redirect'],
    scenarios: ['redirect'],
    watchable: false,
    judge(journal) {
      const played = journal.step('redirect', 'while redirected');
      if (!played) return unplayed(journal, 'redirect');
      if (!played.exchanges.some(({ fault }) => fault === 'redirect'))
        return inconclusive('the EHR server was not called, so there was no redirect', played.evidence);
      const followed = played.exchanges.filter(
        ({ link, request }) => link === 'auth->ehr' && request.path.startsWith(REDIRECT_PATH),
      );
      if (followed.length > 0)
        return failed(
          'no request to the other address',
          'the call was sent there with its credentials',
          played.evidence,
          'Switch the following of redirects off for calls to the EHR server.',
        );
      if (played.result.kind === 'done')
        return failed(
          'an error to the client',
          'the client was told that it succeeded',
          played.evidence,
          'A redirect is no acknowledgement: answer with an error.',
        );
      return { outcome: 'pass', evidence: played.evidence };
    },
  },
  {
    id: 'ids-differ',
    title: 'Calls that are under way at the same time have different ids',
    level: 'SHOULD',
    requirements: ['2.1-id-sent'],
    scenarios: ['crowd'],
    watchable: true,
    judge(journal) {
      const calls = journal.internalCalls.map((exchange) => ({ exchange, id: exchange.facts.call?.id }));
      if (calls.length === 0) return inconclusive('the server under test sent no call to the EHR server');
      for (const { exchange, id } of calls) {
        const other = calls.find(
          (each) =>
            id !== undefined &&
            each.exchange.seq > exchange.seq &&
            each.id === id &&
            each.exchange.at < exchange.endedAt,
        );
        if (other)
          return failed(
            'ids of their own',
            'two calls at the same time had the same id',
            [exchange.seq, other.exchange.seq],
            'Count the id up, or draw it, for every call.',
          );
      }
      return { outcome: 'pass', evidence: calls.slice(0, 3).map(({ exchange }) => exchange.seq) };
    },
  },
  {
    id: 'crowd-unharmed',
    title: 'Fifty users at once are all linked, each with their own record',
    level: 'MUST',
    requirements: ['1-pair-per-session', '4.2-asking-session'],
    scenarios: ['crowd'],
    watchable: false,
    judge(journal) {
      const ending = journal.ending('crowd');
      const read = journal.steps('crowd', 'crowd: get patient');
      if (!ending || ending.absent) return unplayed(journal, 'crowd');
      const good = read.filter(({ result }) => result.kind === 'done');
      if (good.length === 50) return { outcome: 'pass', evidence: good[0]?.evidence ?? [] };
      const bad = journal.steps('crowd').find(({ result }) => result.kind !== 'done');
      return failed(
        '50 users read their record',
        `${good.length} did; ${bad ? `"${bad.step.label}" of ${bad.step.actor}: ${describe(bad.result)}` : (ending.stopped?.because ?? 'the others did not come so far')}`,
        bad?.evidence ?? [],
        'Keep nothing of a request in variables that requests share.',
      );
    },
  },
];

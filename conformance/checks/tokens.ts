/** Exchange tokens and session tokens: who has them, when, and whether anybody could guess them (§1, §2.3, §2.4). */
import type { ExchangeEntry } from '../journal/entry.ts';
import type { JournalView } from '../journal/view.ts';
import type { Check } from './check.ts';
import { entropy } from './entropy.ts';
import { failed, inconclusive, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN, sentTo, unplayed } from './judging.ts';

/** Steps that gave a client an exchange token, with the save that belongs to it. */
function given(journal: JournalView) {
  return journal
    .allSteps('exchangeToken')
    .filter(({ result }) => result.kind === 'done')
    .map((played) => {
      const token = played.result.kind === 'done' ? (played.result.values.exchangeToken ?? '') : '';
      const saves = journal
        .exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN)
        .filter(({ facts }) => facts.call?.exchangeToken === token);
      return {
        played,
        token,
        saves,
        accepted: saves.find(({ facts, fault }) => facts.reply?.result && fault !== 'truncate'),
      };
    });
}

const NONE_GIVEN = 'no exchange token was given to any client';

/** Sessions as clients were given them. */
function sessions(journal: JournalView) {
  return journal
    .allSteps('confirmOtp')
    .flatMap((played) =>
      played.result.kind === 'done'
        ? [{ played, user: played.result.values.user ?? '', token: played.result.values.token ?? '' }]
        : [],
    );
}

export const tokens: readonly Check[] = [
  {
    id: 'exchange-token-known-to-ehr',
    title: 'Each exchange token that a client is given was sent to the EHR server with the same value',
    level: 'MUST',
    requirements: ['1-exchange-token-to-ehr', '2.4-known-to-both'],
    scenarios: ['first-link', 'many-tokens', 'crowd'],
    watchable: false,
    judge(journal) {
      const all = given(journal);
      if (all.length === 0) return inconclusive(NONE_GIVEN);
      const unknown = all.filter(({ accepted }) => !accepted);
      if (unknown.length === 0) return { outcome: 'pass', evidence: all[0]?.played.evidence ?? [] };
      const [first] = unknown;
      const actual = `${unknown.length} of ${all.length} tokens were never accepted by the EHR server: ${first?.saves.length ? 'it refused or failed' : 'it was never sent that value'}`;
      return failed(
        'save_exchange_token with this very token, accepted',
        actual,
        first?.played.evidence ?? [],
        'Give the client a token only after the EHR server has acknowledged that very value.',
      );
    },
  },
  {
    id: 'exchange-token-ehr-first',
    title: 'The EHR server has acknowledged the exchange token before the client is given it',
    level: 'SHOULD',
    requirements: ['1-exchange-token-ehr-first'],
    scenarios: ['first-link', 'many-tokens'],
    watchable: false,
    judge(journal) {
      const all = given(journal).filter(({ saves, played }) => saves.length > 0 && played.exchanges.length > 0);
      if (all.length === 0) return inconclusive(NONE_GIVEN);
      const early = all.filter(({ played, saves }) => {
        const answered = played.exchanges.find(({ link }) => link === 'client->auth')?.endedAt ?? 0;
        return saves.every(({ endedAt, seq }) => endedAt > answered || !played.evidence.includes(seq));
      });
      if (early.length === 0) return { outcome: 'pass', evidence: all[0]?.played.evidence ?? [] };
      const evidence = [...(early[0]?.played.evidence ?? []), ...(early[0]?.saves.map(({ seq }) => seq) ?? [])];
      return failed(
        'the EHR server answers before the client is answered',
        `${early.length} of ${all.length} tokens reached the client first`,
        evidence,
        'Await the reply of save_exchange_token before answering the client.',
      );
    },
  },
  {
    id: 'exchange-token-new-each-time',
    title: 'Every request is given an exchange token of its own',
    level: 'MUST',
    requirements: ['1-exchange-token-to-client', 'DE-exchange-token-already-stored'],
    scenarios: ['many-tokens', 'crowd'],
    watchable: false,
    judge(journal) {
      const all = given(journal);
      if (all.length < 2) return inconclusive('fewer than two exchange tokens were given');
      const seen = new Map<string, number[]>();
      for (const { token, played } of all) {
        const before = seen.get(token);
        if (before)
          return failed(
            'a new token each time',
            'the same token was given twice',
            [...before, ...played.evidence],
            'Draw a fresh random token for every request.',
          );
        seen.set(token, played.evidence);
      }
      return { outcome: 'pass', evidence: all[0]?.played.evidence ?? [] };
    },
  },
  {
    id: 'exchange-token-bound-to-asker',
    title: 'The authInfo sent with an exchange token is that of the session that asked for it',
    level: 'MUST',
    requirements: ['4.2-asking-session'],
    scenarios: ['first-link', 'crowd'],
    watchable: false,
    judge(journal) {
      const owners = new Map(sessions(journal).map(({ token, user }) => [token, user]));
      const bySession = given(journal).filter(({ accepted }) => accepted);
      if (bySession.length === 0) return inconclusive(NONE_GIVEN);
      const holders = holdersOf(journal);
      for (const { played, accepted } of bySession) {
        const call = accepted?.facts.call;
        const mine = holders(played.step.scenario, played.step.actor, played.step.seq);
        const right = call?.token !== undefined && mine === call.token && owners.get(call.token) === call.user;
        if (!right) {
          const evidence = [...played.evidence, accepted?.seq ?? 0];
          return failed(
            "authInfo has the asking client's own user and token",
            'authInfo is of another session',
            evidence,
            'Take user and token from the session that was verified for this very request; keep no session in a shared variable.',
          );
        }
      }
      return { outcome: 'pass', evidence: bySession[0]?.played.evidence ?? [] };
    },
  },
  {
    id: 'ttl-as-given',
    title: 'The ttl sent to the EHR server does not exceed the one told to the client',
    level: 'SHOULD',
    requirements: ['2.3-ttl'],
    scenarios: ['first-link', 'returning-user'],
    watchable: false,
    judge(journal) {
      const told = new Map(
        journal
          .allSteps('confirmOtp')
          .flatMap(({ result }) =>
            result.kind === 'done' && result.values.ttl
              ? [[result.values.token ?? '', Number(result.values.ttl)] as const]
              : [],
          ),
      );
      if (sessions(journal).length === 0) return inconclusive('nobody was signed in');
      const sent = journal.internalCalls.filter(
        ({ facts }) => facts.call?.token !== undefined && told.has(facts.call.token) && facts.call.ttl !== undefined,
      );
      if (told.size === 0)
        return { outcome: 'not applicable', because: 'the adapter extracts no ttl from the sign-in' };
      if (sent.length === 0) return inconclusive('no call carried the ttl of a session that a client was given');
      const wrong = sent.filter(({ facts }) => (facts.call?.ttl ?? 0) > (told.get(facts.call?.token ?? '') ?? 0));
      if (wrong.length === 0) return { outcome: 'pass', evidence: sent.slice(0, 3).map(({ seq }) => seq) };
      const [first] = wrong as [ExchangeEntry];
      return failed(
        `at most ${told.get(first.facts.call?.token ?? '')}, as the client was told`,
        `ttl is ${first.facts.call?.ttl}`,
        [first.seq],
        'Send the lifetime that the session has left, in minutes.',
      );
    },
  },
  {
    id: 'session-tokens-unique',
    title: 'No two sessions have the same token',
    level: 'MUST',
    requirements: ['2.3-token-unique'],
    scenarios: ['many-tokens', 'crowd', 'returning-user'],
    watchable: false,
    judge(journal) {
      const all = sessions(journal);
      if (all.length < 2) return inconclusive('fewer than two sessions were opened');
      const seen = new Map<string, number[]>();
      for (const { token, played } of all) {
        const before = seen.get(token);
        if (before)
          return failed(
            'a token of its own for each session',
            'two sessions were given the same token',
            [...before, ...played.evidence],
            'Draw a fresh random token at every sign-in.',
          );
        seen.set(token, played.evidence);
      }
      return { outcome: 'pass', evidence: all[0]?.played.evidence ?? [] };
    },
  },
  {
    id: 'users-stable',
    title: 'A phone is the same user at every sign-in, and no two phones are one user',
    level: 'MUST',
    requirements: ['2.3-user', '1-pair-at-sign-in'],
    scenarios: ['many-tokens', 'crowd', 'returning-user'],
    watchable: false,
    judge(journal) {
      const users = new Map<string, string>();
      const actors = new Map<string, string>();
      for (const { played, user } of sessions(journal)) {
        // A user who was deleted in between rightly becomes another one.
        if (played.step.scenario === 'deletion' || played.step.scenario === 'correspondence') continue;
        const actor = `${played.step.scenario}/${played.step.actor}`;
        if (users.get(actor) !== undefined && users.get(actor) !== user) {
          return failed(
            'one user for one phone',
            'the same phone became another user',
            played.evidence,
            'Find the user by the confirmed phone before making a new one.',
          );
        }
        if (actors.get(user) !== undefined && actors.get(user) !== actor) {
          return failed(
            'one user for each phone',
            'two phones became the same user',
            played.evidence,
            'Keep one user for each confirmed phone.',
          );
        }
        users.set(actor, user);
        actors.set(user, actor);
      }
      return users.size === 0 ? inconclusive('nobody was signed in') : { outcome: 'pass', evidence: [] };
    },
  },
  entropy('exchange-token-entropy', 'exchange-token', 'exchange tokens'),
  entropy('session-token-entropy', 'session-token', 'session tokens'),
  {
    id: 'link-recorded',
    title: 'When the client reports the link, the session is saved by save_auth_info',
    level: 'MUST',
    requirements: ['1-session-saved-after-link'],
    scenarios: ['first-link'],
    watchable: false,
    judge(journal) {
      const played = journal.step('first-link', 'link: report');
      if (!played)
        return journal.step('first-link', 'get patient after the link')
          ? { outcome: 'not applicable', because: 'the adapter declares that the server has no reportLink' }
          : unplayed(journal, 'first-link');
      const [save] = sentTo(played, SAVE_AUTH_INFO);
      if (save?.facts.reply?.result) return { outcome: 'pass', evidence: played.evidence };
      return failed(
        'save_auth_info for this user and token, accepted',
        save ? `it was refused (${save.facts.reply?.reason ?? 'no reply'})` : 'it was not sent',
        played.evidence,
        'Send save_auth_info when you learn that the EHR server has linked the user.',
      );
    },
  },
];

/** The session token that an actor held when a step began: the last one given to them before. */
function holdersOf(journal: JournalView) {
  const all = sessions(journal);
  return (scenario: string, actor: string, before: number): string | undefined =>
    all
      .filter(
        ({ played }) => played.step.scenario === scenario && played.step.actor === actor && played.step.seq < before,
      )
      .at(-1)?.token;
}

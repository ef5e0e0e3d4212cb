/** Exchange tokens: when they are given, and to whom (§1 rules 4 and 6, §2.4, §4.2). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  replyWords,
  SAVE_AUTH_INFO,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { twoSessions } from '../../flows/codes/devices.ts';
import { crowd, firstLink, manyTokens } from '../../flows/links/linking.ts';
import { part } from '../../flows/scenario.ts';
import { wrongSessions } from '../../flows/sessions/sessions.ts';
import { UNDISTURBED } from '../call-rule.ts';
import { sessionsOf } from '../given-values.ts';

/** Steps that gave a client an exchange token, each with the save of that token. */
function given(journal: JournalView) {
  const savesOf = new Map<string, ExchangeEntry[]>();
  for (const save of journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN)) {
    const token = save.facts.call?.exchangeToken ?? '';
    savesOf.set(token, [...(savesOf.get(token) ?? []), save]);
  }
  return journal
    .allSteps('exchangeToken')
    .filter(({ result }) => result.kind === 'done')
    .map((played) => {
      const token = played.result.kind === 'done' ? (played.result.values.exchangeToken ?? '') : '';
      const saves = savesOf.get(token) ?? [];
      return {
        played,
        token,
        saves,
        accepted: saves.find(({ facts, fault }) => facts.reply?.result && fault !== 'truncate'),
      };
    });
}

/** Finds two saves of one exchange token in different steps, where no fault causes a repetition. */
function savedForTwo(journal: JournalView): ExchangeEntry[] {
  const first = new Map<string, ExchangeEntry>();
  for (const save of journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN)) {
    const [token, step] = [save.facts.call?.exchangeToken, journal.stepOf(save)?.step];
    if (token === undefined || step === undefined || !UNDISTURBED.has(step.scenario)) continue;
    const earlier = first.get(token);
    if (earlier && journal.stepOf(earlier)?.step.seq !== step.seq) return [earlier, save];
    if (!earlier) first.set(token, save);
  }
  return [];
}

/** The first save of a step's session after the step had ended. */
function saveAfter(journal: JournalView, { step, endedAt }: PlayedStep) {
  const own = sessionsOf(journal)
    .filter(({ played }) => played.step.scenario === step.scenario && played.step.user === step.user)
    .map(({ token }) => token);
  return journal
    .exchanges('auth->ehr', SAVE_AUTH_INFO)
    .find(({ at, facts }) => at >= endedAt && own.includes(facts.call?.token ?? ''));
}

const NONE_GIVEN = 'no exchange token was given to any client';

const reported = part(firstLink.steps.link, 'report');

/** Says when the save of a report came, if not during the report. */
function whenReported(journal: JournalView, played: PlayedStep): string {
  const session = sessionsOf(journal)
    .filter(({ played: { step } }) => step.scenario === played.step.scenario && step.user === played.step.user)
    .at(-1);
  const save = journal.exchanges('auth->ehr', SAVE_AUTH_INFO).find(({ facts }) => facts.call?.token === session?.token);
  if (!save) return 'it was not sent';
  return save.seq < played.step.seq ? 'it came before the report' : 'it came after the client was answered';
}

export const exchangeChecks: readonly Check[] = [
  check({
    id: 'exchange-token-known-to-ehr',
    title: 'Each exchange token that a client is given was sent to the EHR server with the same value',
    requirements: ['1-exchange-token-to-ehr', '2.4-known-to-both'],
    scenarios: [firstLink, manyTokens, crowd],
    judge(journal) {
      const all = given(journal);
      if (all.length === 0) return inconclusive(NONE_GIVEN);
      const unknown = all.filter(({ accepted }) => !accepted);
      if (unknown.length === 0) return pass(all[0]?.played.evidence ?? []);
      const [first] = unknown;
      return fail({
        expected: 'save_exchange_token with this very token, accepted',
        actual: `${unknown.length} of ${all.length} tokens were never accepted by the EHR server: ${first?.saves.length ? 'it refused or failed' : 'it was never sent that value'}`,
        evidence: first?.played.evidence ?? [],
        advice: 'Give the client a token only after the EHR server has acknowledged that very value.',
      });
    },
  }),
  check({
    id: 'exchange-token-ehr-first',
    title: 'The EHR server has acknowledged the exchange token before the client is given it',
    level: 'SHOULD',
    requirements: ['1-exchange-token-ehr-first'],
    scenarios: [firstLink, manyTokens],
    judge(journal) {
      const all = given(journal).flatMap(({ saves, played }) => {
        const answered = played.exchanges.find(({ link }) => link === 'client->auth')?.endedAt;
        return saves.length > 0 && answered !== undefined ? [{ saves, played, answered }] : [];
      });
      if (all.length === 0) return inconclusive(NONE_GIVEN);
      const early = all.filter(({ played, saves, answered }) =>
        saves.every(({ endedAt, at }) => endedAt > answered || at > played.endedAt),
      );
      if (early.length === 0) return pass(all[0]?.played.evidence ?? []);
      return fail({
        expected: 'the EHR server answers before the client is answered',
        actual: `${early.length} of ${all.length} tokens reached the client first`,
        evidence: [...(early[0]?.played.evidence ?? []), ...(early[0]?.saves.map(({ seq }) => seq) ?? [])],
        advice: 'Await the reply of save_exchange_token before answering the client.',
      });
    },
  }),
  check({
    id: 'exchange-token-new-each-time',
    title: 'Every request is given an exchange token of its own',
    requirements: ['1-exchange-token-to-client', 'DE-exchange-token-already-stored'],
    scenarios: [manyTokens, crowd],
    judge(journal) {
      const twice = savedForTwo(journal);
      if (twice.length > 0)
        return fail({
          expected: 'a new token each time',
          actual: 'the EHR server was sent the same token for two requests of clients',
          evidence: twice.map(({ seq }) => seq),
          advice: 'Draw a fresh random token for every request; make it of no time and of no other value.',
        });
      const all = given(journal);
      if (all.length < 2) return inconclusive('fewer than two exchange tokens were given');
      const seen = new Map<string, number[]>();
      for (const { token, played } of all) {
        const before = seen.get(token);
        if (before)
          return fail({
            expected: 'a new token each time',
            actual: 'the same token was given twice',
            evidence: [...before, ...played.evidence],
            advice: 'Draw a fresh random token for every request.',
          });
        seen.set(token, played.evidence);
      }
      return pass(all[0]?.played.evidence ?? []);
    },
  }),
  check({
    id: 'exchange-token-bound-to-asker',
    title: 'The authInfo sent with an exchange token is that of the session that asked for it',
    requirements: ['4.2-asking-session'],
    scenarios: [firstLink, crowd, manyTokens, twoSessions],
    judge(journal) {
      const sessions = sessionsOf(journal);
      const owners = new Map(sessions.map(({ token, user }) => [token, user]));
      // The check of a deliberately wrong session judges what it was given.
      const bySession = given(journal).filter(
        ({ accepted, played: { step } }) =>
          accepted && !(step.scenario === wrongSessions.id && step.defect !== undefined),
      );
      if (bySession.length === 0) return inconclusive(NONE_GIVEN);
      for (const { played, accepted } of bySession) {
        const info = accepted?.facts.call;
        const mine = sessions
          .filter(
            ({ played: { step } }) =>
              step.scenario === played.step.scenario && step.user === played.step.user && step.seq < played.step.seq,
          )
          .at(-1)?.token;
        if (info?.token === undefined || mine !== info.token || owners.get(info.token) !== info.user)
          return fail({
            expected: "authInfo has the asking client's own user and token",
            actual: 'authInfo is of another session',
            evidence: [...played.evidence, accepted?.seq ?? 0],
            advice:
              'Take user and token from the session that was verified for this very request; keep no session in a shared variable.',
          });
      }
      return pass(bySession[0]?.played.evidence ?? []);
    },
  }),
  check({
    id: 'link-recorded',
    title: 'When the client reports the link, the session is saved by save_auth_info',
    requirements: ['1-session-saved-after-link'],
    scenarios: [firstLink],
    judge(journal) {
      const played = journal.step(reported);
      if (!played)
        return journal.step(firstLink.steps.after)
          ? notApplicable('the adapter declares that the server has no reportLink')
          : notRun(journal, reported);
      const [save] = sentTo(played, SAVE_AUTH_INFO);
      if (save?.facts.reply?.result) return pass(played.evidence);
      const late = save ? undefined : saveAfter(journal, played);
      if (late?.facts.reply?.result)
        return fail({
          expected: 'save_auth_info before the client is told that the link is known',
          actual: 'it was sent, and accepted, after the client had been answered',
          evidence: [...played.evidence, late.seq],
          advice:
            'Answer the report when the EHR server has acknowledged the session: a client that reads the record at once would be refused, and learns nothing of a save that fails.',
          timeSensitive: true,
        });
      return fail({
        expected: 'save_auth_info for this user and token, accepted',
        actual: save ? `it was ${replyWords(save)}` : whenReported(journal, played),
        evidence: played.evidence,
        advice: 'Send save_auth_info when you learn that the EHR server has linked the user.',
        timeSensitive: true,
      });
    },
  }),
];

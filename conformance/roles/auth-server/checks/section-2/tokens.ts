/** Users, session tokens, lifetimes, and whether tokens can be guessed (§2.3, §2.4). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, pass } from '../../../../engine/check/judging.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { spellings, twoSessions } from '../../flows/codes/devices.ts';
import { otherSpelling } from '../../flows/codes/other-spelling.ts';
import { crowd, firstLink, manyTokens, returningUser } from '../../flows/links/linking.ts';
import { sessionsOf } from '../given-values.ts';
import { personOf } from '../whose-save.ts';

/**
 * Tokens with fewer bits can be guessed: 64-bit tokens and counters. Identifiers that begin with a time have
 * more (a UUIDv7 74, a ULID 80 bits) although their beginnings agree; so does a UUIDv4 with 122.
 */
const MIN_BITS = 72;

type TokenKind = 'exchange-token' | 'session-token';

function entropy(id: string, kind: TokenKind, name: string): Check {
  return check({
    id,
    title: `The ${name} carry at least ${MIN_BITS} bits that cannot be guessed`,
    requirements: ['K-token-entropy'],
    scenarios: [manyTokens],
    watchable: true,
    judge(journal) {
      const fresh = journal.internalCalls.flatMap(({ seq, facts }) =>
        Object.values(facts.fresh ?? {})
          .filter((each) => each.kind === kind)
          .map(({ bits = 0, ...each }) => ({ seq, ...each, bits })),
      );
      if (fresh.length === 0) return inconclusive(`no ${name} crossed the wire`);
      const weakest = fresh.reduce((least, each) => (each.bits < least.bits ? each : least));
      if (weakest.bits >= MIN_BITS) return pass(fresh.slice(0, 3).map(({ seq }) => seq));
      return fail({
        expected: `at least ${MIN_BITS} bits`,
        actual: weakest.source
          ? `a token is ${weakest.source}`
          : `at most ${weakest.bits} bits in ${weakest.length} characters, as they look beside each other`,
        evidence: [weakest.seq],
        advice: 'Draw tokens from a cryptographic generator: 32 random bytes in base64url.',
      });
    },
  });
}

export const tokenChecks: readonly Check[] = [
  check({
    id: 'ttl-as-given',
    title: 'The ttl sent to the EHR server does not exceed the one told to the client',
    requirements: ['2.3-ttl'],
    scenarios: [firstLink, returningUser],
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
      if (sessionsOf(journal).length === 0) return inconclusive('nobody was signed in');
      if (told.size === 0) return notApplicable('the adapter extracts no ttl from the sign-in');
      const sent = journal.internalCalls.filter(
        ({ facts }) => facts.call?.token !== undefined && told.has(facts.call.token) && facts.call.ttl !== undefined,
      );
      if (sent.length === 0) return inconclusive('no call carried the ttl of a session that a client was given');
      const [wrong] = sent.filter(({ facts }) => (facts.call?.ttl ?? 0) > (told.get(facts.call?.token ?? '') ?? 0));
      return wrong ? longerThanTold(wrong, told) : pass(sent.slice(0, 3).map(({ seq }) => seq));
    },
  }),
  check({
    id: 'session-tokens-unique',
    title: 'No two sessions have the same token',
    requirements: ['2.3-token-unique'],
    scenarios: [manyTokens, crowd, returningUser],
    judge(journal) {
      const all = sessionsOf(journal);
      if (all.length < 2) return inconclusive('fewer than two sessions were opened');
      const seen = new Map<string, number[]>();
      for (const { token, played } of all) {
        const before = seen.get(token);
        if (before)
          return fail({
            expected: 'a token of its own for each session',
            actual: 'two sessions were given the same token',
            evidence: [...before, ...played.evidence],
            advice: 'Draw a fresh random token at every sign-in.',
          });
        seen.set(token, played.evidence);
      }
      const people = new Set(all.map(({ played }) => personOf(played)));
      if (people.size === all.length) return inconclusive('nobody signed in twice', all[0]?.played.evidence ?? []);
      return pass(all[0]?.played.evidence ?? []);
    },
  }),
  check({
    id: 'users-stable',
    title: 'A phone is the same user at every sign-in, and no two phones are one user',
    requirements: ['2.3-user', '1-pair-at-sign-in'],
    scenarios: [manyTokens, crowd, returningUser, spellings, otherSpelling, twoSessions],
    judge(journal) {
      const deleted = ENDING_STEPS.flatMap((name) => journal.allSteps(name)).map(({ step }) => step);
      const users = new Map<string, string>();
      const phones = new Map<string, string>();
      for (const { played, user } of sessionsOf(journal)) {
        // The check of a deliberately wrong request judges what it opened.
        if (played.step.defect !== undefined) continue;
        const { phone = played.step.user, seq } = played.step;
        // A user deleted in between may rightly become another one.
        const deletions = deleted.filter((step) => step.phone === phone && step.seq < seq).length;
        const before = users.get(`${phone}/${deletions}`);
        if (before !== undefined && before !== user)
          return fail({
            expected: 'one user for one phone',
            actual: 'the same phone became another user',
            evidence: played.evidence,
            advice: 'Find the user by the confirmed phone before making a new one.',
          });
        if (phones.get(user) !== undefined && phones.get(user) !== phone)
          return fail({
            expected: 'one user for each phone',
            actual: 'two phones became the same user',
            evidence: played.evidence,
            advice: 'Keep one user for each confirmed phone.',
          });
        users.set(`${phone}/${deletions}`, user);
        phones.set(user, phone);
      }
      const shown = sessionsOf(journal)
        .slice(0, MAX_SHOWN_SESSIONS)
        .flatMap(({ played }) => played.evidence);
      return shown.length === 0 ? inconclusive('nobody was signed in') : pass(shown);
    },
  }),
  entropy('exchange-token-entropy', 'exchange-token', 'exchange tokens'),
  entropy('session-token-entropy', 'session-token', 'session tokens'),
];

/** Limits the sign-ins that the evidence names. */
const MAX_SHOWN_SESSIONS = 2;

/** Steps after which a phone may rightly become another user. */
const ENDING_STEPS = ['deleteUser', 'removeCorrespondence'] as const;

function longerThanTold({ seq, facts }: ExchangeEntry, told: ReadonlyMap<string, number>) {
  return fail({
    expected: `at most ${told.get(facts.call?.token ?? '')}, as the client was told`,
    actual: `ttl is ${facts.call?.ttl}`,
    evidence: [seq],
    advice: 'Send the lifetime that the session has left, in minutes.',
  });
}

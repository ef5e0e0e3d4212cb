/** Rules for sessions: one user a phone, tokens of their own, the told lifetime (§2.3, §2.4). */
import type { Check } from '../../../engine/check/check.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { spellings } from '../flows/codes/spellings.ts';
import { crowd } from '../flows/links/crowd.ts';
import { manyTokens } from '../flows/links/many-tokens.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { twoSessions } from '../flows/sessions/two-sessions.ts';
import { fault, unclear } from '../flows/step-values.ts';
import { rule, ruleOfAll } from './rule.ts';
import { personOf, sessionsOf } from './whose-save.ts';

/** 64 bits and counters can be guessed; a UUIDv7 has 74, a ULID 80, a UUIDv4 122, its time apart. */
const MIN_BITS = 72;

function entropy(kind: 'exchange-token' | 'session-token'): Check {
  const name = `${kind.replace('-', ' ')}s`;
  return ruleOfAll({
    id: `${kind}-entropy`,
    title: `The ${name} carry at least ${MIN_BITS} bits that cannot be guessed`,
    requirements: ['K-token-entropy'],
    scenarios: [manyTokens],
    of: (journal) =>
      journal.internalCalls.flatMap(({ seq, facts }) =>
        Object.values(facts.fresh ?? {})
          .filter((each) => each.kind === kind)
          .map(({ bits = 0, ...each }) => ({ seq, ...each, bits })),
      ),
    nothing: `no ${name} crossed the wire`,
    judge(fresh) {
      const weakest = fresh.reduce((least, each) => (each.bits < least.bits ? each : least));
      if (weakest.bits >= MIN_BITS) return undefined;
      return fault(
        `at least ${MIN_BITS} bits`,
        weakest.source
          ? `a token is ${weakest.source}`
          : `at most ${weakest.bits} bits in ${weakest.length} characters, as they look beside each other`,
        weakest,
      );
    },
    advice: 'Draw tokens from a cryptographic generator: 32 random bytes in base64url.',
  });
}

const signIns = (journal: JournalView): PlayedStep[] => sessionsOf(journal).map(({ played }) => played);

/** Finds two sessions with the same token. Inconclusive unless somebody signed in twice. */
function tokensDiffer(_all: unknown, journal: JournalView): Judgement {
  const all = sessionsOf(journal);
  const [first] = all;
  if (!first || all.length < 2) return { unclear: 'fewer than two sessions were opened' };
  const seen = new Map<string, PlayedStep>();
  for (const { token, played } of all) {
    const before = seen.get(token);
    if (before)
      return {
        expected: 'a token of its own for each session',
        actual: 'two sessions were given the same token',
        shownBy: [before, played],
        // The EHR server refuses the second save of a token.
        explains: ['calls-accepted'],
      };
    seen.set(token, played);
  }
  const people = new Set(all.map(({ played }) => personOf(played)));
  return people.size === all.length ? unclear('nobody signed in twice', first.played) : undefined;
}

/** Steps that end a user: the same phone may rightly become another user afterwards. */
const ENDING_STEPS = ['deleteUser', 'removeCorrespondence'] as const;

function usersStable(_all: unknown, journal: JournalView): Judgement {
  const deleted = ENDING_STEPS.flatMap((name) => journal.allSteps(name)).map(({ step }) => step);
  const users = new Map<string, string>();
  const phones = new Map<string, string>();
  for (const { played, user } of sessionsOf(journal)) {
    // A sign-in with a mistake on purpose has a check of its own.
    if (played.step.defect !== undefined) continue;
    const { phone = played.step.user, seq } = played.step;
    // Each life of a phone, between two deletions, may be another user.
    const life = `${phone}/${deleted.filter((step) => step.phone === phone && step.seq < seq).length}`;
    if ((users.get(life) ?? user) !== user)
      return {
        ...fault('one user for one phone', 'the same phone became another user', played),
        advice: 'Find the user by the confirmed phone before making a new one.',
      };
    if ((phones.get(user) ?? phone) !== phone)
      return fault('one user for each phone', 'two phones became the same user', played);
    users.set(life, user);
    phones.set(user, phone);
  }
  return undefined;
}

const withTtl = (journal: JournalView) =>
  journal.internalCalls.filter(({ facts }) => facts.call?.ttl !== undefined);
const NO_TTL = 'no call carried a ttl that is a number';

/** The years from 2020 to 2037 in seconds since 1970: a ttl between them is a date, or its milliseconds. */
const [DATES_FROM, DATES_TO] = [1_577_836_800, 2_145_916_800];

const isDate = (ttl: number): boolean =>
  [ttl, ttl / 1_000].some((seconds) => seconds >= DATES_FROM && seconds <= DATES_TO);

export const sessionRules: readonly Check[] = [
  rule({
    id: 'ttl-sane',
    title: 'ttl is a lifetime greater than 0, and no date',
    requirements: ['2.3-ttl'],
    expected: 'a ttl of at least 1, counted from now',
    advice: 'ttl counts minutes: a session of one day is 1440.',
    of: withTtl,
    nothing: NO_TTL,
    wrong: ({ facts: { call } }) => {
      const ttl = call?.ttl ?? 0;
      return ttl > 0 && !isDate(ttl) ? undefined : `ttl is ${ttl}`;
    },
  }),
  ruleOfAll({
    id: 'session-tokens-unique',
    title: 'No two sessions have the same token',
    requirements: ['2.3-token-unique'],
    scenarios: [manyTokens, crowd, returningUser],
    watchable: false,
    of: signIns,
    nothing: 'fewer than two sessions were opened',
    judge: tokensDiffer,
    advice: 'Draw a fresh random token at every sign-in.',
  }),
  ruleOfAll({
    id: 'users-stable',
    title: 'A phone is the same user at every sign-in, and no two phones are one user',
    requirements: ['K-user-of-phone'],
    scenarios: [manyTokens, crowd, returningUser, spellings, twoSessions],
    watchable: false,
    of: signIns,
    nothing: 'nobody was signed in',
    judge: usersStable,
    advice: 'Keep one user for each confirmed phone.',
  }),
  entropy('exchange-token'),
  entropy('session-token'),
];

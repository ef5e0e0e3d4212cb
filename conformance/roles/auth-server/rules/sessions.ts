/** Rules of the sessions that the server saves at the EHR server: whose they are, and when. */
import type { Check } from '../../../engine/check/check.ts';
import { rule } from '../../../engine/check/rule.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { spellings } from '../flows/codes/spellings.ts';
import { crowd, manyTokens } from '../flows/links/crowd.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { twoSessions } from '../flows/sessions/two-sessions.ts';
import { whoseSession } from '../flows/sessions/whose-session.ts';
import { fault, isDone, unclear } from '../flows/step-values.ts';
import { disconnectedElsewhere } from '../flows/trouble/disconnected-elsewhere.ts';
import { SAVE_AUTH_INFO, sentTo } from '../internal-calls.ts';
import { saves, USUAL } from './usual.ts';
import { type GivenSession, isAcceptedSave, isLate, personOf, sessionsOf } from './whose-save.ts';

/** Says how a save differs from each of the sessions `own`; undefined where it fits one, or there is none. */
function differenceFrom(
  own: readonly GivenSession[],
  { facts: { call } }: ExchangeEntry,
  all: readonly GivenSession[],
) {
  if (own.length === 0 || own.some(({ user, token }) => user === call?.user && token === call?.token))
    return undefined;
  if (own.every(({ user }) => user !== call?.user)) return 'authInfo.user is not the user of the session';
  if (own.some(({ token }) => token === call?.token))
    return 'authInfo names the user of one session and the token of another';
  return all.some(({ token }) => token === call?.token)
    ? 'authInfo.token is that of another session'
    : 'authInfo.token was given to no client';
}

/** Steps by which a user asks for something, so that a save at that moment has a reason. */
const ASKING = ['requestOtp', 'confirmOtp', 'exchangeToken', 'reportLink', 'logout', 'deleteUser'] as const;

/** A save that comes late is excepted; any other was made because somebody else asked. */
function unaskedSave(journal: JournalView, all: readonly GivenSession[]): ExchangeEntry | undefined {
  return saves(journal).find((save) => {
    const session = all.find(({ token }) => token === save.facts.call?.token);
    if (!session || journal.stepOf(save) || save.seq < session.played.step.seq) return false;
    const person = personOf(session.played);
    const asks = ASKING.flatMap((name) => journal.allSteps(name)).some(
      (each) =>
        personOf(each) === person && each.step.seq < save.seq && save.seq < Math.max(...each.evidence),
    );
    return !asks && !isLate(journal, save, person);
  });
}

/** A save in a step, and the sessions that the step may save. */
type SaveInStep = { played: PlayedStep; save: ExchangeEntry; own: readonly GivenSession[] };

/** A sign-in may save the sessions that the person was given meanwhile. */
function savesAtSignIns(journal: JournalView, all: readonly GivenSession[]): SaveInStep[] {
  const isMeanwhile = ({ played: { step, evidence } }: GivenSession, { seq }: ExchangeEntry) =>
    step.seq < seq && seq < Math.max(...evidence);
  return journal.allSteps('confirmOtp').flatMap((played) => {
    // A sign-in draws another token after a save that failed, so only the accepted save of a success counts.
    const saved = isDone(played) ? sentTo(played, SAVE_AUTH_INFO).filter(isAcceptedSave) : [];
    const mine = all.filter((session) => personOf(session.played) === personOf(played));
    return saved.map((save) => ({ played, save, own: mine.filter((each) => isMeanwhile(each, save)) }));
  });
}

/** A report may save the last session of its user. */
function savesAtReports(journal: JournalView, all: readonly GivenSession[]): SaveInStep[] {
  return journal.allSteps('reportLink').flatMap((played) => {
    const { user, seq } = played.step;
    const last = all.findLast(
      (each) =>
        personOf(each.played) === personOf(played) &&
        each.played.step.user === user &&
        each.played.step.seq < seq,
    );
    return sentTo(played, SAVE_AUTH_INFO).map((save) => ({ played, save, own: last ? [last] : [] }));
  });
}

function savesGivenSessions(journal: JournalView): Judgement {
  const all = sessionsOf(journal);
  const unasked = unaskedSave(journal, all);
  if (unasked)
    return {
      expected: 'the user and the token of the session for which the client asked',
      actual: 'the session of a user was saved who asked for nothing',
      shownBy: [unasked],
    };
  const judged = [...savesAtSignIns(journal, all), ...savesAtReports(journal, all)];
  for (const { played, save, own } of judged) {
    const actual = differenceFrom(own, save, all);
    if (actual)
      return {
        expected: 'the user and the token that the client was given for this session',
        actual: `${actual} (at "${played.step.label}")`,
        shownBy: [played, save],
      };
  }
  return judged.length > 0 ? undefined : NOTHING;
}

const NOTHING = { unclear: 'no session was saved at a sign-in or a report' };

export const savedSessionIsGivenOne: Check = rule({
  ...USUAL,
  id: 'saved-session-is-the-given-one',
  title: 'authInfo of each save_auth_info is user and token of the session that its step belongs to',
  requirements: ['2.3-user', '2.3-token'],
  // In the last one a user reports a link while an older session is there.
  scenarios: [returningUser, whoseSession, disconnectedElsewhere],
  watchable: false,
  of: saves,
  nothing: NOTHING,
  judge: (_all, journal) => savesGivenSessions(journal),
  advice:
    'Save at the EHR server the very user and token that this client is told, and keep no session of a request in a variable that requests share.',
});

/** 64 bits and counters can be guessed; a UUIDv7 has 74, a ULID 80, a UUIDv4 122, its time apart. */
const MIN_BITS = 72;

function entropy(kind: 'exchange-token' | 'session-token'): Check {
  const name = `${kind.replace('-', ' ')}s`;
  return rule({
    ...USUAL,
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
    nothing: { unclear: `no ${name} crossed the wire` },
    judge(fresh) {
      const [weakest] = fresh.toSorted((one, other) => one.bits - other.bits);
      if (!weakest || weakest.bits >= MIN_BITS) return undefined;
      return {
        expected: `at least ${MIN_BITS} bits`,
        actual: weakest.source
          ? `a token is ${weakest.source}`
          : `at most ${weakest.bits} bits in ${weakest.length} characters, as they look beside each other`,
        shownBy: [weakest],
      };
    },
    advice: 'Draw tokens from a cryptographic generator: 32 random bytes in base64url.',
  });
}

const signIns = (journal: JournalView): PlayedStep[] => sessionsOf(journal).map(({ played }) => played);

const TOO_FEW = { unclear: 'fewer than two sessions were opened' };

/** Finds two sessions with the same token. Inconclusive unless somebody signed in twice. */
function tokensDiffer(_all: unknown, journal: JournalView): Judgement {
  const all = sessionsOf(journal);
  const [first] = all;
  if (!first || all.length < 2) return TOO_FEW;
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

/** Steps after which a phone may become another user. */
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

/** The years from 2020 to 2037 in seconds since 1970: a ttl between them is a date, or its milliseconds. */
const [DATES_FROM, DATES_TO] = [1_577_836_800, 2_145_916_800];

const isDate = (ttl: number): boolean =>
  [ttl, ttl / 1_000].some((seconds) => seconds >= DATES_FROM && seconds <= DATES_TO);

const SECONDS_IN_MINUTE = 60;

export const sessionRules: readonly Check[] = [
  rule({
    ...USUAL,
    id: 'ttl-sane',
    title: 'ttl is a lifetime greater than 0, in one unit in both calls, and no date',
    requirements: ['2.3-ttl'],
    expected: 'a ttl of at least 1, counted from now, in the same unit for one session',
    advice: 'ttl counts minutes: a session of one day is 1440.',
    of: withTtl,
    nothing: { unclear: 'no call carried a ttl that is a number' },
    wrong: ({ facts: { call } }, journal) => {
      const ttl = call?.ttl ?? 0;
      if (ttl <= 0 || isDate(ttl)) return `ttl is ${ttl}`;
      const inSeconds = withTtl(journal).find(
        ({ facts }) => facts.call?.token === call?.token && facts.call?.ttl === ttl * SECONDS_IN_MINUTE,
      );
      return inSeconds && `ttl is ${ttl} and, in another call of the session, ${inSeconds.facts.call?.ttl}`;
    },
  }),
  rule({
    ...USUAL,
    id: 'session-tokens-unique',
    title: 'No two sessions have the same token',
    requirements: ['2.3-token-unique'],
    scenarios: [manyTokens, crowd, returningUser],
    watchable: false,
    of: signIns,
    nothing: TOO_FEW,
    judge: tokensDiffer,
    advice: 'Draw a fresh random token at every sign-in.',
  }),
  rule({
    ...USUAL,
    id: 'users-stable',
    title: 'A phone is the same user at every sign-in, and no two phones are one user',
    requirements: ['K-user-of-phone'],
    scenarios: [manyTokens, crowd, returningUser, spellings, twoSessions],
    watchable: false,
    of: signIns,
    nothing: { unclear: 'nobody was signed in' },
    judge: usersStable,
    advice: 'Keep one user for each confirmed phone.',
  }),
  entropy('exchange-token'),
  entropy('session-token'),
];

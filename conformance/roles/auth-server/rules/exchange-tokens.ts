/** Rules for exchange tokens: new, known to the EHR server first, and of their own session. */
import type { Check } from '../../../engine/check/check.ts';
import { rule } from '../../../engine/check/rule.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import { groupBy } from '../../../engine/journal/group-by.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { crowd, manyTokens } from '../flows/links/crowd.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { twoSessions } from '../flows/sessions/two-sessions.ts';
import { askedBy, fault, isDone, yielded } from '../flows/step-values.ts';
import { isOwnRepeat, SAVE_EXCHANGE_TOKEN, tokenOf } from '../internal-calls.ts';
import { saves, tokenSaves, UNDISTURBED, USUAL } from './usual.ts';
import { type GivenSession, sessionsOf } from './whose-save.ts';

const isSameSession = ({ facts: { call: one } }: ExchangeEntry, { facts: { call: two } }: ExchangeEntry) =>
  one?.user === two?.user && one?.token === two?.token;

function savedForTwoSessions(all: readonly ExchangeEntry[]): Judgement {
  const firsts = new Map<string, ExchangeEntry>();
  for (const save of all) {
    const key = `${save.facts.call?.method} ${tokenOf(save)}`;
    const before = firsts.get(key) ?? save;
    firsts.set(key, before);
    if (!isSameSession(before, save))
      return {
        expected: 'a token that was sent before comes again only for the same session, unchanged',
        actual: `one ${save.facts.call?.exchangeToken === undefined ? 'session' : 'exchange'} token was sent for two sessions, with another user or token in authInfo`,
        shownBy: [before, save],
        // The EHR server refuses the second save of a token.
        explains: ['calls-accepted'],
      };
  }
  return undefined;
}

export const tokenNotSavedForTwo: Check = rule({
  ...USUAL,
  id: 'token-not-saved-for-two',
  title: 'A token is saved at the EHR server for one session alone',
  requirements: ['2.3-token-unique'],
  scenarios: [firstLink, manyTokens, crowd, twoSessions],
  of: (journal) => [...saves(journal), ...tokenSaves(journal)].filter((save) => tokenOf(save) !== undefined),
  nothing: { unclear: 'no token was sent to the EHR server' },
  judge: savedForTwoSessions,
  advice:
    'Draw a token for each session and for each request, and send it with the authInfo of that session.',
});

/** A step that gave a token: `saves` are the calls that sent it, `accepted` the first that was accepted. */
type Given = PlayedStep & { token: string; saves: ExchangeEntry[]; accepted: ExchangeEntry | undefined };

function given(journal: JournalView): Given[] {
  const savesOf = groupBy(tokenSaves(journal), ({ facts }) => facts.call?.exchangeToken ?? '');
  return journal
    .allSteps('exchangeToken')
    .filter(isDone)
    .map((played) => {
      const token = yielded(played, 'exchangeToken') ?? '';
      const saves = savesOf.get(token) ?? [];
      return { ...played, token, saves, accepted: saves.find((save) => isAccepted(save, saves)) };
    });
}

/** Accepted now, or by an earlier save whose answer was lost; a truncated reply acknowledges nothing. */
function isAccepted(save: ExchangeEntry, saves: readonly ExchangeEntry[]): boolean {
  if (save.facts.reply?.result) return save.fault !== 'truncate';
  return isOwnRepeat(save, saves);
}

/** Whether each call that sent the token was answered with a numbered error. */
const isRefused = ({ accepted, saves }: Given) =>
  !accepted && saves.length > 0 && saves.every(({ facts }) => facts.reply?.code !== undefined);

const OF_GIVEN = {
  ...USUAL,
  watchable: false,
  of: given,
  nothing: { unclear: 'no exchange token was given to any client' },
} as const;

const OF_SEVERAL = {
  ...OF_GIVEN,
  control: (_journal: JournalView, { length }: readonly Given[]) =>
    length < 2 ? { unclear: 'fewer than two exchange tokens were given' } : undefined,
} as const;

export const exchangeTokenRules: readonly Check[] = [
  rule({
    ...OF_GIVEN,
    id: 'exchange-token-known-to-ehr',
    title: 'The EHR server was sent each exchange token of a client, and refused none',
    requirements: ['1-exchange-token-to-ehr', '2.4-known-to-both'],
    scenarios: [firstLink, manyTokens, crowd],
    judge(all) {
      const unsent = all.filter(({ saves }) => saves.length === 0);
      const refused = all.filter(isRefused);
      const [first] = [...unsent, ...refused];
      if (!first) return undefined;
      const counts = [
        unsent.length > 0 ? `was never sent ${unsent.length}` : '',
        refused.length > 0 ? `refused ${refused.length}` : '',
      ].filter(Boolean);
      return {
        expected: 'save_exchange_token with this very token, and no error in reply',
        actual: `the EHR server ${counts.join(', and ')} of ${all.length} tokens that clients were given`,
        shownBy: [first, ...first.saves],
      };
    },
    advice:
      'Send the EHR server the very token that the client is given, and give none out when the reply has an error: an error, too, comes with HTTP 200.',
  }),
  rule({
    ...OF_GIVEN,
    id: 'exchange-token-ehr-first',
    title: 'The EHR server has acknowledged the exchange token before the client is given it',
    requirements: ['1-exchange-token-ehr-first'],
    scenarios: [firstLink, manyTokens],
    of: (journal) => given(journal).filter((each) => each.saves.length > 0 && askedBy(each)),
    judge(all) {
      const early = all.filter((each) =>
        each.saves.every(({ endedAt, at }) => endedAt > (askedBy(each)?.endedAt ?? 0) || at > each.endedAt),
      );
      const [first] = early;
      if (!first) return undefined;
      return {
        expected: 'the EHR server answers before the client is answered',
        actual: `${early.length} of ${all.length} tokens reached the client first`,
        shownBy: [first, ...first.saves],
      };
    },
    advice: 'Await the reply of save_exchange_token before answering the client.',
  }),
  rule({
    ...OF_SEVERAL,
    id: 'exchange-token-new-each-time',
    title: 'Every request is given an exchange token of its own',
    requirements: ['K-exchange-token-fresh'],
    scenarios: [manyTokens, crowd],
    judge(all, journal) {
      const proof = savedForTwo(journal);
      if (proof) return proof;
      const again = all.find(({ token }, index) => all.findIndex((each) => each.token === token) < index);
      if (!again) return undefined;
      const shownBy = all.filter(({ token }) => token === again.token);
      return fault('a new token each time', 'the same token was given twice', ...shownBy);
    },
    advice: 'Draw a fresh random token for every request; make it of no time and of no other value.',
  }),
  rule({
    ...OF_SEVERAL,
    id: 'exchange-token-of-one-session',
    title: 'No exchange token is given to two sessions',
    requirements: ['K-exchange-token-new'],
    scenarios: [manyTokens, crowd, 'one-session-at-once'],
    judge: givenToTwo,
    advice: 'Draw a fresh random token for each session; make it of no time and of no other value.',
  }),
  rule({
    ...OF_GIVEN,
    id: 'exchange-token-bound-to-asker',
    title: 'The authInfo sent with an exchange token is that of the session that asked for it',
    requirements: ['4.2-asking-session'],
    // A link by such a token gives this user a signature for the session of another.
    explains: ['own-user-sign', 'trouble-survived-at-exchange-token'],
    scenarios: [firstLink, crowd, manyTokens, twoSessions],
    // Requests with a wrong session on purpose have a check of their own (wrong-sessions).
    of: (journal) =>
      given(journal).filter(
        ({ accepted, step }) =>
          accepted && !(step.scenario === 'wrong-sessions' && step.defect !== undefined),
      ),
    judge: foreignAuthInfo,
    advice:
      'Take user and token from the session that was verified for this very request; keep no session in a shared variable.',
  }),
];

/** Scenarios whose faults cause repetitions are not searched. */
function savedForTwo(journal: JournalView): Judgement {
  const first = new Map<string, ExchangeEntry>();
  for (const save of journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN)) {
    const [token, step] = [save.facts.call?.exchangeToken, journal.stepOf(save)?.step];
    if (token === undefined || step === undefined || !UNDISTURBED.has(step.scenario)) continue;
    const earlier = first.get(token);
    if (earlier && journal.stepOf(earlier)?.step.seq !== step.seq)
      return {
        expected: 'a new token each time',
        actual: 'the EHR server was sent the same token for two requests of clients',
        shownBy: [earlier, save],
      };
    if (!earlier) first.set(token, save);
  }
  return undefined;
}

/** Finds a token that was given to two sessions: of two people, or of one before and after a sign-in. */
function givenToTwo(all: readonly Given[], journal: JournalView): Judgement {
  const sessions = sessionsOf(journal);
  const first = new Map<string, Given>();
  for (const each of all) {
    const earlier = first.get(each.token);
    if (earlier && sessionOf(earlier, sessions)?.token !== sessionOf(each, sessions)?.token)
      return fault('a token for one session', 'two sessions were given one token', earlier, each);
    if (!earlier) first.set(each.token, each);
  }
  return undefined;
}

/** The session of the last sign-in of the user before this step. */
const sessionOf = ({ step: { scenario, user, seq } }: PlayedStep, sessions: readonly GivenSession[]) =>
  sessions.findLast(
    ({ played: { step } }) => step.scenario === scenario && step.user === user && step.seq < seq,
  );

function foreignAuthInfo(all: readonly Given[], journal: JournalView): Judgement {
  const sessions = sessionsOf(journal);
  const owners = new Map(sessions.map(({ token, user }) => [token, user]));
  for (const each of all) {
    const { user, token } = each.accepted?.facts.call ?? {};
    const isOwn = token !== undefined && sessionOf(each, sessions)?.token === token;
    if (!isOwn || owners.get(token) !== user)
      return {
        expected: "authInfo has the asking client's own user and token",
        actual: 'authInfo is of another session',
        shownBy: [each, ...(each.accepted ? [each.accepted] : [])],
      };
  }
  return undefined;
}

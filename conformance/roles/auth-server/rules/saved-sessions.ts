/** User and token of each save are those of the client whose step caused it (§1 rules 6 to 8). */
import type { Check } from '../../../engine/check/check.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { whoseSession } from '../flows/sessions/whose-session.ts';
import { fault, isDone } from '../flows/step-values.ts';
import { SAVE_AUTH_INFO, sentTo } from '../internal-calls.ts';
import { ruleOfAll, saves } from './rule.ts';
import { type GivenSession, isLate, personOf, sessionsOf } from './whose-save.ts';

const isAccepted = ({ facts, fault }: ExchangeEntry) => facts.reply?.result === true && fault === undefined;

/** What is wrong in a save that must be of one of the `own` sessions; without any, nothing. */
function foreign(
  { facts: { call } }: ExchangeEntry,
  own: readonly GivenSession[],
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

/** At a sign-in the sessions that were given meanwhile may be saved, at a report the last one. */
function savesOf(played: PlayedStep, all: readonly GivenSession[]) {
  const isSignIn = played.step.step === 'confirmOtp';
  // A sign-in draws another token after a save that failed, so only the accepted save of a success counts.
  const own = sentTo(played, SAVE_AUTH_INFO).filter(
    (save) => !isSignIn || (isDone(played) && isAccepted(save)),
  );
  const mine = all.filter((session) => personOf(session.played) === personOf(played));
  const ofUser = ({ played: { step } }: GivenSession) =>
    step.user === played.step.user && step.seq < played.step.seq;
  return own.map((save) => ({
    save,
    own: isSignIn
      ? mine.filter(
          ({ played: { step, evidence } }) => step.seq < save.seq && save.seq < Math.max(...evidence),
        )
      : mine.filter(ofUser).slice(-1),
  }));
}

function judgedSaves(journal: JournalView, all: readonly GivenSession[]) {
  const steps = [...journal.allSteps('confirmOtp'), ...journal.allSteps('reportLink')];
  return steps.flatMap((played) => savesOf(played, all).map((each) => ({ ...each, played })));
}

function savesGivenSessions(journal: JournalView): Judgement {
  const all = sessionsOf(journal);
  const unasked = unaskedSave(journal, all);
  if (unasked)
    return fault(
      'the user and the token of the session for which the client asked',
      'the session of a user was saved who asked for nothing',
      unasked,
    );
  const judged = judgedSaves(journal, all);
  for (const { played, save, own } of judged) {
    const actual = foreign(save, own, all);
    if (actual)
      return fault(
        'the user and the token that the client was given for this session',
        `${actual} (at "${played.step.label}")`,
        played,
        save,
      );
  }
  return judged.length > 0 ? undefined : { unclear: NOTHING };
}

const NOTHING = 'no session was saved at a sign-in or a report';

export const savedSessionRules: readonly Check[] = [
  ruleOfAll({
    id: 'saved-session-is-the-given-one',
    title: 'authInfo of each save_auth_info is user and token of the session that its step belongs to',
    requirements: ['2.3-user', '2.3-token'],
    scenarios: [returningUser, whoseSession],
    watchable: false,
    of: saves,
    nothing: NOTHING,
    judge: (_all, journal) => savesGivenSessions(journal),
    advice:
      'Save at the EHR server the very user and token that this client is told, and keep no session of a request in a variable that requests share.',
  }),
];

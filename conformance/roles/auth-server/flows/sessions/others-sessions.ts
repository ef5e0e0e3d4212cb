/** Reports, logouts and deletions are tried in the name of another user. */
import type { FlowChecks } from '../../../../engine/check/flow.ts';
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import type { StepName } from '../../../../engine/journal/entry.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_AUTH_INFO } from '../../internal-calls.ts';
import type { Driver, StepOptions, User } from '../../people/driver.ts';
import { flow, refused, unrefused } from '../flow.ts';
import { firstLink } from '../links/first-link.ts';
import { controlDone, fault, gotError, isDone, unclear, yielded } from '../step-values.ts';
import { deletion, logout } from './endings.ts';

/** How somebody acts for Vic without Vic's session. `named`: with a session of their own, naming Vic. */
const WAYS = {
  none: 'without a session',
  altered: 'with a session that is right in part',
  named: 'in the name of another user',
  bare: 'without the token and what carries it',
} as const;
const allWays = Object.values(WAYS);

// Labels of steps. Others (Max, Nia) act in the name of Vic. Pia has a session while Olaf logs out.
const VIC_BEFORE = 'Vic asks for an exchange token before';
const AFTER_LOGOUTS = 'Vic asks for an exchange token after the logouts';
const OTHER_VIC_BEFORE = 'the other Vic asks for an exchange token before the deletions';
const AFTER_DELETIONS = 'Vic asks for an exchange token after the deletions';
const NIA_DELETES = 'Nia, who was never linked, is deleted';
const AFTER_NIA = 'Vic asks for an exchange token after the deletion of Nia';
const MAX_LOGS_OUT = 'Max logs out';
const AFTER_MAX = 'Vic asks for an exchange token after the logout of Max';
const PIA_BEFORE = 'Pia asks for an exchange token';
const OLAF_LOGS_OUT = 'Olaf logs out';
const AFTER_OLAF = 'Pia asks for an exchange token after the logout of Olaf';

const NAMED = `report for Vic ${WAYS.named}`;
const UNNAMED = [WAYS.none, WAYS.altered, WAYS.bare].map((way) => `report for Vic ${way}`);

type Ending = {
  before: PlayedStep | undefined;
  tried: readonly PlayedStep[];
  after: PlayedStep;
  control: () => PlayedStep;
};

/** Judges whether Vic's session outlived what others tried in Vic's name. */
function judgeSurvival({ before, tried, after, control }: Ending): Judgement {
  if (!before || !isDone(before))
    return unclear(
      'the session gave no exchange token before the attempts either',
      ...(before ? [before] : []),
    );
  const accepted = tried.filter(isDone).map(({ step }) => `"${step.label}"`);
  if (after.result.kind === 'refused')
    return {
      expected: 'the session of the user lives on',
      actual: `it is refused after ${accepted.length > 0 ? `${accepted.join(' and ')} succeeded` : 'attempts that were all refused'}`,
      shownBy: [before, ...tried, after],
    };
  return isDone(after) ? controlDone(control()) : unclear(describe(after.result), after);
}

type Neighbour = { ended: PlayedStep; before: PlayedStep; after: PlayedStep; actual: string };

/** Judges whether a session goes on that another user's logout or deletion must leave alone. */
function judgeNeighbour({ ended, before, after, actual }: Neighbour): Judgement {
  const shownBy = [ended, after];
  // The other user tried before to log Vic out. A server may have ended the other user's session for that.
  if (ended.result.kind === 'refused') return { notApplicable: 'the other user had no session any more' };
  if (!isDone(ended)) return unclear(`it did not succeed (${describe(ended.result)})`, ...shownBy);
  if (!isDone(before)) return unclear('the session gave no exchange token before either', ...shownBy);
  if (isDone(after)) return undefined;
  if (after.result.kind !== 'refused') return unclear(describe(after.result), ...shownBy);
  return fault('the session of the other user goes on', `${actual} (${describe(after.result)})`, ...shownBy);
}

const LOGOUT_ENDED_ANOTHER = 'the logout of one user ended the session of another';

/** Of several labels in `before`, the first that was played counts. */
const NEIGHBOURS = [
  {
    ending: NIA_DELETES,
    before: [AFTER_DELETIONS],
    after: AFTER_NIA,
    actual: 'the deletion of one user ended the session of another',
  },
  {
    ending: MAX_LOGS_OUT,
    before: [AFTER_DELETIONS, AFTER_LOGOUTS],
    after: AFTER_MAX,
    actual: LOGOUT_ENDED_ANOTHER,
  },
  { ending: OLAF_LOGS_OUT, before: [PIA_BEFORE], after: AFTER_OLAF, actual: LOGOUT_ENDED_ANOTHER },
] as const;

function judgeNeighbours(steps: Steps, journal: JournalView): Judgement {
  const judged = NEIGHBOURS.flatMap(({ ending, before: labelsBefore, after: label, actual }) => {
    const [ended, after] = [steps.find(ending), steps.find(label)];
    const before = labelsBefore.map((each) => steps.find(each)).find((each) => each !== undefined);
    return ended && before && after ? [judgeNeighbour({ ended, before, after, actual })] : [];
  });
  const wrong = judged.find(isFault);
  if (wrong) return wrong;
  const missing = NEIGHBOURS.map(({ after }) => after).find((label) => !steps.find(label));
  const isStopped = journal.ending(othersSessions.id)?.stopped !== undefined;
  if (missing !== undefined && (judged.length === 0 || isStopped)) steps.of(missing);
  const undecided = judged.find((each) => each && 'unclear' in each);
  return undecided ?? (judged.includes(undefined) ? undefined : judged[0]);
}

function savedForVic(journal: JournalView, vic: PlayedStep | undefined) {
  const user = vic && yielded(vic, 'user');
  return journal.exchanges('auth->ehr', SAVE_AUTH_INFO).find((exchange) => {
    const step = journal.stepOf(exchange)?.step;
    return (
      exchange.facts.call?.user === user && step?.scenario === othersSessions.id && step.step !== 'confirmOtp'
    );
  });
}

const OWN = ['K-session-of-its-own', 'K-session-ends'] as const;
const END_VERIFIED =
  'End the session that was verified for this very request, and its user, whoever else the request names.';

const othersSessionsChecks: FlowChecks = {
  'report-needs-session': {
    title: 'A report without a session, or with one that is right in part alone, is refused',
    requirements: ['K-session-required', 'K-session-compared-whole'],
    also: [firstLink],
    judge(steps) {
      const isRefused = refused('the report is refused', { nothingSent: true });
      const judged = UNNAMED.map((label) => unrefused(steps.all(label), isRefused));
      const proof = judged.find((each) => isFault(each) && each.isProof);
      if (proof) return proof;
      for (const label of UNNAMED) steps.of(label);
      const control = controlDone(steps.in(firstLink).of('link: report'));
      return control ?? judged.find(isFault) ?? judged.find((each) => each !== undefined);
    },
    advice:
      'Verify the session of a report as that of every other request, before anything is sent to the EHR server.',
  },
  'report-for-own-session': {
    title: 'A report in the name of another user does not save the session of that user',
    requirements: ['K-session-of-its-own'],
    also: [firstLink],
    judge(steps, journal) {
      if (!steps.find(NAMED) && steps.find(`report for Vic ${WAYS.none}`))
        return { notApplicable: 'a report of this server names no user beside its session' };
      const played = steps.of(NAMED);
      const save = savedForVic(journal, steps.find('Vic signs in'));
      if (save)
        return {
          expected: 'the session that the request shows, or a refusal',
          actual: 'the session of the user who was merely named was saved',
          shownBy: [played, save],
        };
      const control = steps.in(firstLink).find('link: report');
      if (!control || !isDone(control)) return unclear('no report succeeded in this run', played);
      if (journal.exchanges('auth->ehr', SAVE_AUTH_INFO).length === 0)
        return unclear('no session was saved after any report', control);
      return isDone(played) || gotError(played) ? undefined : unclear(describe(played.result), played);
    },
    advice: 'Take the user of a report from the verified session, and from nothing else in the request.',
  },
  'logout-of-own-session': {
    title: "A user's session outlives the logouts that others try in their name",
    requirements: OWN,
    also: [logout],
    judge: (steps) =>
      judgeSurvival({
        tried: allWays.flatMap((way) => steps.all(`log out Vic ${way}`)),
        after: steps.of(AFTER_LOGOUTS),
        before: steps.find(VIC_BEFORE),
        control: () => steps.in(logout).of('log out'),
      }),
    advice: END_VERIFIED,
  },
  'deletion-of-own-user': {
    title: "A user's session outlives the deletions that others try in their name",
    requirements: OWN,
    also: [deletion],
    judge: (steps) =>
      judgeSurvival({
        tried: allWays.flatMap((way) => steps.all(`delete Vic ${way}`)),
        after: steps.of(AFTER_DELETIONS),
        before: steps.find(OTHER_VIC_BEFORE) ?? steps.find(AFTER_LOGOUTS) ?? steps.find(VIC_BEFORE),
        control: () => steps.in(deletion).of('delete'),
      }),
    advice: END_VERIFIED,
  },
  'endings-leave-others': {
    title: 'The logout or the deletion of one user leaves the sessions of others',
    requirements: OWN,
    judge: judgeNeighbours,
    advice: 'End the sessions of the user who asks, by user or by token, and no others.',
  },
};

export const othersSessions = flow({
  id: 'others-sessions',
  title:
    'A report, a logout and a deletion are tried in the name of a user by others, then made by them for themselves, and the session is tried afterwards',
  people: 3,
  async play(driver) {
    const { adapter } = driver;
    if (!(['reportLink', 'logout', 'deleteUser'] as const).some((name) => adapter.has(name))) return;
    let vic = await driver.signedIn('Vic');
    const max = await driver.signedIn('Max');
    await driver.mustSucceed(vic, 'exchangeToken', VIC_BEFORE);
    if (adapter.has('reportLink')) {
      await driver.linkUnreported(max, 'Max');
      await tryAll(driver, { step: 'reportLink', vic, other: max, label: 'report for Vic' });
    }
    if (adapter.has('logout')) {
      await tryAll(driver, { step: 'logout', vic, other: max, label: 'log out Vic' });
      const { kind } = await driver.perform(vic, 'exchangeToken', AFTER_LOGOUTS);
      // A server that ended Vic's session would spoil the next attempts, so another user takes Vic's place.
      if (kind !== 'done') vic = (await anotherVic(driver)) ?? vic;
    }
    if (adapter.has('deleteUser')) {
      // Not Max: he tried to log Vic out, and the server may have ended his session for that.
      const nia = await driver.signedIn('Nia');
      await tryAll(driver, { step: 'deleteUser', vic, other: nia, label: 'delete Vic' });
      await driver.perform(vic, 'exchangeToken', AFTER_DELETIONS);
      await driver.perform(nia, 'deleteUser', NIA_DELETES);
      await driver.perform(vic, 'exchangeToken', AFTER_NIA);
    }
    if (adapter.has('logout')) {
      const { kind } = await driver.perform(max, 'logout', MAX_LOGS_OUT);
      await driver.perform(vic, 'exchangeToken', AFTER_MAX);
      if (kind !== 'done') await logOutBeside(driver);
    }
  },
  checks: othersSessionsChecks,
});

/** Somebody takes Vic's place whose session has ended; undefined where it cannot be. */
async function anotherVic(driver: Driver): Promise<User | undefined> {
  const user = driver.adapter.has('deleteUser') ? await driver.newcomer('another Vic') : undefined;
  const label = 'another Vic signs in, where an attempt ended the session';
  if (!user || (await driver.trySignIn(user, label)).kind !== 'done') return undefined;
  return (await driver.perform(user, 'exchangeToken', OTHER_VIC_BEFORE)).kind === 'done' ? user : undefined;
}

/** Logs out Olaf, while Pia has a session. Plays nothing where phones are few. */
async function logOutBeside(driver: Driver): Promise<void> {
  const [olaf, pia] = [await driver.newcomer('Olaf'), await driver.newcomer('Pia')];
  if (!olaf || !pia) return;
  await driver.trySignIn(olaf, 'Olaf signs in, where Max had no session any more');
  await driver.trySignIn(pia, 'Pia signs in, where Max had no session any more');
  await driver.perform(pia, 'exchangeToken', PIA_BEFORE);
  await driver.perform(olaf, 'logout', OLAF_LOGS_OUT);
  await driver.perform(pia, 'exchangeToken', AFTER_OLAF);
}

type Attempts = { step: StepName; vic: User; other: User; label: string };

/** Tries the step for Vic in each way; `other` names Vic beside a session of their own. */
async function tryAll(driver: Driver, { step, vic, other, label }: Attempts): Promise<void> {
  const sign = step === 'reportLink' && other.userSign !== undefined ? { userSign: other.userSign } : {};
  const perform = (user: User, way: keyof typeof WAYS, options: StepOptions) =>
    driver.perform({ ...user }, step, `${label} ${WAYS[way]}`, { ...sign, ...options });
  await perform(vic, 'none', { defect: 'there is no session at all', withoutSession: true });
  await perform(vic, 'bare', { defect: 'there is no token', withoutToken: true });
  const altered = driver.spoiltSession(vic, 'changed');
  await perform(vic, 'altered', { defect: 'one character of the token is another', ...altered });
  const defect = 'the session is not that of the user who is named';
  if (driver.whoCalls(step).user) await perform(other, 'named', { defect, user: vic.user as string });
}

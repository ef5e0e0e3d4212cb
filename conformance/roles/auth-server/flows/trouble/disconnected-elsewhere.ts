/** Users who disconnected at the EHR server come back to the authorization server. */
import type { FlowChecks } from '../../../../engine/check/flow.ts';
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { keepsNone, SIGN_ADVICE, savedAtSignIn, signedInAllTheSame } from '../signed-in.ts';
import { faultUnlessSlow, gotError, isDone, part, partsOfLink } from '../step-values.ts';
import { tryLink, withSign } from './save-trouble.ts';

// Eva sends the old signature, Finn none. Gita, with a newer link, sends that of her first link.
const EVA = {
  disconnects: 'Eva disconnects at the EHR server',
  returns: 'Eva signs in with the signature of the link that is gone',
  again: 'Eva signs in again, without a signature',
  reads: 'Eva: get patient',
  linksAgain: 'Eva links again',
  linked: 'Eva signs in with the new signature',
} as const;
const FINN = {
  disconnects: 'Finn disconnects at the EHR server',
  returns: 'Finn signs in without a signature',
  again: 'Finn signs in again, without a signature',
  reads: 'Finn: get patient',
  linksAgain: 'Finn links again',
  linked: 'Finn signs in after the new link, without a signature',
} as const;
const GITA = {
  returns: 'Gita signs in with the signature of her first link',
  again: 'Gita signs in again, without a signature',
} as const;

type Person = { readonly returns: string; readonly again: string };
type LinkingAgain = typeof EVA | typeof FINN;

/** The first fault of several users; without one, a step that was not played ends the judgement. */
function judgeEach<T>(
  steps: Steps,
  rows: readonly T[],
  { label, judge }: { label: (row: T) => string; judge: (row: T) => Judgement },
): Judgement {
  const found = rows.filter((row) => steps.find(label(row))).map(judge);
  const fault = found.find(isFault);
  if (fault) return fault;
  for (const row of rows) steps.of(label(row));
  return found.find((each) => each !== undefined);
}

/** A success is right only if the EHR server had removed the links. */
function judgeTold(steps: Steps, { returns, ...tried }: LinkingAgain): Judgement {
  const played = steps.of(returns);
  const isGone = [EVA, FINN].every(({ disconnects }) => steps.all(disconnects).some(isDone));
  if (gotError(played)) return isGone ? undefined : { unclear: 'the users were never disconnected' };
  if (!isDone(played))
    return faultUnlessSlow('an answer to the client in bounded time', describe(played.result), played);
  const found = signedInAllTheSame(steps, played, tried);
  // A fault that depends on time is a new link that failed, and another check judges that.
  return isFault(found) && found.timeSensitive ? undefined : found;
}

function lockedOut(steps: Steps, labels: readonly string[]): Judgement {
  const played = labels.flatMap((label) => steps.find(label) ?? []);
  const last = played.at(-1);
  if (!last || played.some(isDone)) return undefined;
  return {
    expected: 'the sign-in succeeds, unlinked',
    actual: `"${last.step.label}": ${describe(last.result)}`,
    shownBy: played,
    timeSensitive: true,
  };
}

const tokenLabel = ({ linksAgain }: LinkingAgain) => part(linksAgain, 'exchange token');

function notLinkedAgain(steps: Steps, { linksAgain }: LinkingAgain): Judgement {
  const bad = partsOfLink(steps, linksAgain).find((each) => !isDone(each));
  return (
    bad &&
    faultUnlessSlow('the whole link succeeds again', `"${bad.step.label}": ${describe(bad.result)}`, bad)
  );
}

const FORGET_ADVICE =
  'When the EHR server answers save_auth_info of a sign-in with not_authorized or user_unknown, forget the signature and open a session that is not linked.';

const disconnectedChecks: FlowChecks = {
  'disconnected-user-told': {
    title:
      'The sign-in of a user who disconnected elsewhere ends unlinked, or with an error, and is never called linked',
    requirements: ['K-failure-told'],
    judge: (steps) =>
      judgeEach(steps, [EVA, FINN], {
        label: ({ returns }) => returns,
        judge: (person) => judgeTold(steps, person),
      }),
    advice:
      'Take not_authorized and user_unknown at a sign-in for a link that is gone, and go on without it.',
  },
  'disconnected-user-not-locked-out': {
    title: 'A user who disconnected elsewhere can sign in again',
    requirements: ['K-not-locked-out'],
    judge: (steps) =>
      judgeEach<Person>(steps, [EVA, FINN, GITA], {
        label: ({ returns }) => returns,
        judge: ({ returns, again }) => lockedOut(steps, [returns, again]),
      }),
    advice: FORGET_ADVICE,
  },
  'disconnected-user-links-anew': {
    title: 'A user who disconnected elsewhere can link again',
    requirements: ['K-not-locked-out'],
    judge: (steps) =>
      judgeEach(steps, [EVA, FINN], { label: tokenLabel, judge: (person) => notLinkedAgain(steps, person) }),
    advice: 'Treat a user whose link is gone like one who was never linked.',
  },
  'new-signature-used': {
    title: 'After a new link the sign-in is saved with the new signature',
    requirements: ['K-link-kept'],
    judge(steps: Steps, journal) {
      const [eva, finn] = [steps.of(EVA.linked), steps.of(FINN.linked)];
      if ([EVA, FINN].some((person) => !steps.find(tokenLabel(person)) || notLinkedAgain(steps, person)))
        return { unclear: 'the users could not link again' };
      const isNone = keepsNone(journal) && sentTo(finn, SAVE_AUTH_INFO).length === 0;
      return savedAtSignIn(eva) ?? (isNone ? undefined : savedAtSignIn(finn));
    },
    advice: SIGN_ADVICE,
  },
} as const;

export const disconnectedElsewhere = flow({
  id: 'disconnected-elsewhere',
  title:
    'Users disconnect at the EHR server from another device, one of them with a new link, sign in with the old signature, and link again',
  people: 3,
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const [eva, finn] = [await driver.user('Eva'), await driver.user('Finn')];
    await driver.signIn(eva, 'Eva signs in first');
    await driver.link(eva, 'Eva links');
    await driver.mustCallEhr(eva, 'removeAuthentication', EVA.disconnects);
    await driver.signIn(finn, 'Finn signs in first');
    await driver.link(finn, 'Finn links');
    await driver.mustCallEhr(finn, 'removeAuthentication', FINN.disconnects);
    const gita = await driver.user('Gita');
    const first = await linkTwice(driver, gita);
    const defect = 'the EHR server knows the link no more';
    if (!(await driver.time.passResendPause())) return;
    const gitas = await driver.trySignIn(gita, GITA.returns, {
      userSign: first,
      defect: 'the EHR server has another link',
    });
    const evas = await driver.trySignIn(eva, EVA.returns, { ...withSign(eva), defect });
    if (evas.kind === 'done') await driver.callEhr(eva, 'getPatient', EVA.reads, { defect });
    const finns = await driver.trySignIn(finn, FINN.returns, { defect });
    if (finns.kind === 'done') await driver.callEhr(finn, 'getPatient', FINN.reads, { defect });
    if (!(await driver.time.passResendPause())) return;
    // Where the sign-in failed, the client drops the signature and tries again.
    if (evas.kind !== 'done') await driver.trySignIn(eva, EVA.again);
    if (gitas.kind !== 'done') await driver.trySignIn({ ...gita }, GITA.again);
    await driver.trySignIn(finn, FINN.again);
    await tryLink(driver, eva, EVA.linksAgain);
    await tryLink(driver, finn, FINN.linksAgain);
    if (!(await driver.time.passResendPause())) return;
    await driver.trySignIn(eva, EVA.linked, withSign(eva));
    await driver.trySignIn(finn, FINN.linked);
  },
  checks: disconnectedChecks,
});

/** Links Gita twice, the second time without a report. Returns the signature of the first link. */
async function linkTwice(driver: Driver, gita: User): Promise<string> {
  await driver.signIn(gita, 'Gita signs in first');
  await driver.link(gita, 'Gita links');
  const first = gita.userSign as string;
  await driver.mustCallEhr(gita, 'removeAuthentication', 'Gita disconnects at the EHR server');
  const label = 'Gita links again without a report';
  const asked = await driver.perform(gita, 'exchangeToken', part(label, 'exchange token'));
  if (asked.kind === 'done') await driver.callEhr(gita, 'authenticate', part(label, 'authenticate'));
  return first;
}

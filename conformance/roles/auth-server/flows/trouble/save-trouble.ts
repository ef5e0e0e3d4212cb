/** The EHR server meets each trouble of the table while it is asked to save something. */
import type { FlowChecks } from '../../../../engine/check/flow.ts';
import { type Fault, isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { MAX_RETRIES, type Trouble, troubles } from '../../../../engine/wire/troubles.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import type { StepLabel } from '../../people/steps.ts';
import { controlOf, flow } from '../flow.ts';
import { savedAtSignIn, signedInAllTheSame } from '../signed-in.ts';
import { fault, faultUnlessSlow, gotError, isDone, part, unclear } from '../step-values.ts';

export const withSign = ({ userSign }: User) => (userSign === undefined ? {} : { userSign });

/** Links the user as {@link Driver.link} does, but lets the scenario go on when a part of the link fails. */
export async function tryLink(driver: Driver, user: User, label: StepLabel): Promise<void> {
  const asked = await driver.perform(user, 'exchangeToken', part(label, 'exchange token'));
  if (asked.kind !== 'done') return;
  const linked = await driver.callEhr(user, 'authenticate', part(label, 'authenticate'));
  if (linked.kind === 'done' && driver.adapter.has('reportLink'))
    await driver.perform(user, 'reportLink', part(label, 'report'));
}

/** Replies that are right in an unusual form have a scenario of their own, and so have redirects. */
const TROUBLES: readonly Trouble[] = troubles.filter(
  ({ id, right }) => right !== 'success' && id !== 'redirect',
);

/** Where the trouble is met: one of the calls of the authorization server. */
type Place = {
  readonly id: 'exchange-token' | 'link' | 'sign-in';
  readonly troubles: readonly Trouble[];
  /** The interrupted action, in the words of titles. */
  readonly what: string;
  readonly method: string;
  readonly during: (id: string) => string;
  readonly afterwards: (id: string) => string;
  /** Why the steps may be missing. Undefined: the set-up cannot play them. */
  readonly leftOut?: string;
  /** What the report says the client should get; "an error to the client" unless given. */
  readonly expected?: string;
  readonly toldAdvice: string;
  readonly surviveAdvice: string;
  readonly success?: (steps: Steps, played: PlayedStep, trouble: Trouble) => Judgement;
  /** Judges the next attempt. Unless given, it must succeed, and the EHR server must acknowledge it. */
  readonly next?: (played: PlayedStep) => Judgement;
};

const TELL_AN_ERROR =
  'When the EHR server gives no acknowledgement, answer the client with an error and give out nothing; set a timeout on the whole call, and a limit on the size of a reply.';

const toldAt = ({ id }: Pick<Place, 'id'>) => `trouble-told-at-${id}`;
const survivedAt = ({ id }: Pick<Place, 'id'>) => `trouble-survived-at-${id}`;

/** The checks of what the client is told at this place, and of the next attempt. */
const troubleChecks = (place: Place): FlowChecks => ({
  [toldAt(place)]: {
    title: `The client is told in bounded time when the EHR server fails or refuses while ${place.what}`,
    requirements: ['K-failure-told', 'K-failure-bounded', 'K-offered-coding'],
    leftOut: place.leftOut,
    judge: (steps, journal) =>
      judgeTroubles(steps, journal, place, (trouble, during) => {
        return notMet(during, place, trouble) ?? judgeTold(steps, during, place, trouble);
      }),
    advice: place.toldAdvice,
  },
  [survivedAt(place)]: {
    title: `The next attempt succeeds after the EHR server has failed or refused while ${place.what}`,
    requirements: ['K-failure-survived'],
    leftOut: place.leftOut,
    judge: (steps, journal) =>
      judgeTroubles(steps, journal, place, (trouble, during) => {
        const next = steps.find(place.afterwards(trouble.id));
        const broken = stillBroken(during, place) ?? notMet(during, place, trouble);
        if (broken) return broken;
        return next ? judgeNext(during, next, place, trouble) : unclear('no next attempt was made', during);
      }),
    advice: place.surviveAdvice,
  },
});

/** Judges each trouble of a place, and makes one judgement of theirs. */
function judgeTroubles(
  steps: Steps,
  journal: JournalView,
  place: Place,
  judge: (trouble: Trouble, during: PlayedStep) => Judgement,
): Judgement {
  const judged = place.troubles.map((trouble) => {
    const during = steps.find(place.during(trouble.id));
    return { trouble, during, found: during && judge(trouble, during) };
  });
  const faults = judged.flatMap(({ trouble, found }) => (isFault(found) ? [{ trouble, found }] : []));
  if (faults.length > 0) return oneFaultOf(faults);
  const missing = judged.find(({ during }) => !during)?.trouble;
  // `of` ends the judgement with the reason why nothing was played, or why the scenario stopped.
  if (missing && (judged.every(({ during }) => !during) || isStopped(journal, steps)))
    steps.of(place.during(missing.id));
  if (missing) return { unclear: `an earlier trouble stopped this user before ${missing.words}` };
  return judged.find(({ found }) => found !== undefined)?.found;
}

function isStopped(journal: JournalView, steps: Steps): boolean {
  const scenario = steps.own()[0]?.step.scenario;
  return scenario !== undefined && journal.ending(scenario)?.stopped !== undefined;
}

/** Limits the troubles whose messages one fault shows. */
const MAX_SHOWN = 3;

/** Makes one fault of those of several troubles: the troubles by what happened after them. */
function oneFaultOf(faults: readonly { trouble: Trouble; found: Fault }[]): Fault {
  const certain = faults.filter(({ found }) => !found.timeSensitive);
  const shown = certain.length > 0 ? certain : faults;
  const kinds = [...new Set(faults.map(({ found }) => found.actual))].map((actual) => {
    const after = faults.filter(({ found }) => found.actual === actual).map(({ trouble }) => trouble.words);
    return `${actual} after: ${after.join(', ')}`;
  });
  const [first] = shown as [(typeof shown)[number]];
  return {
    ...first.found,
    actual: kinds.join('; '),
    shownBy: shown.slice(0, MAX_SHOWN).flatMap(({ found }) => found.shownBy),
  };
}

function notMet(during: PlayedStep, { method }: Place, { fault, words }: Trouble): Judgement {
  if (sentTo(during, method).some((exchange) => exchange.fault === fault.name)) return undefined;
  return unclear(`the call did not reach the EHR server, so it did not meet ${words}`, during);
}

function judgeTold(steps: Steps, during: PlayedStep, place: Place, trouble: Trouble): Judgement {
  const { expected = 'an error to the client', success } = place;
  if (gotError(during)) return trouble.id === 'gzip' ? offeredGzip(during, place) : undefined;
  if (!isDone(during))
    return {
      expected: `${trouble.right === 'error' ? expected : 'an answer to the client'}, in bounded time`,
      actual: describe(during.result),
      shownBy: [during],
      timeSensitive: true,
    };
  if (trouble.right === 'either') return success?.(steps, during, trouble);
  // A server that retried until the call succeeded is right to answer with success.
  if (isAcknowledged(during, place)) return undefined;
  if (success) return success(steps, during, trouble);
  return fault(expected, 'the client was told that it succeeded', during);
}

/** Judges an error after a reply in gzip: a server that offers gzip must also understand it. */
function offeredGzip(during: PlayedStep, { method }: Place): Judgement {
  if (!sentTo(during, method).some(offersGzip)) return undefined;
  return {
    expected: 'the step succeeds: the request offered gzip by Accept-Encoding, and the reply came in gzip',
    actual: describe(during.result),
    shownBy: [during],
    timeSensitive: true,
    advice: 'Unpack replies in gzip, or leave Accept-Encoding out of the request.',
  };
}

/** Whether the request accepts gzip. A quality of 0 (`gzip;q=0`) means that it does not. */
function offersGzip({ request }: PlayedStep['exchanges'][number]): boolean {
  return request.headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'accept-encoding' && /\b(gzip|\*)(?!\s*;\s*q=0(\.0*)?\b)/i.test(value),
  );
}

/** After another trouble the server may have stopped calling, although the control succeeded. */
function stillBroken(during: PlayedStep, { method }: Place): Judgement {
  if (isDone(during) || sentTo(during, method).length > 0) return undefined;
  return {
    expected: 'the EHR server is called again after an earlier failure',
    actual: `${describe(during.result)}, and the EHR server was not called`,
    shownBy: [during],
    timeSensitive: true,
  };
}

/** Judges whether `next`, the attempt after the trouble in the step `bad`, succeeds. */
function judgeNext(bad: PlayedStep, next: PlayedStep, place: Place, { right }: Trouble): Judgement {
  if (place.next) return place.next(next);
  // The call in trouble was carried out. Whether its repeat must succeed then is an open point (decision 38).
  if (gotError(next) && isAcknowledged(next, place)) return undefined;
  if (!isDone(next)) return faultUnlessSlow('the next attempt succeeds', describe(next.result), next);
  // A strange reply that was understood left nothing to do.
  if (right === 'either' && isDone(bad)) return undefined;
  if ([bad, next].some((played) => isAcknowledged(played, place))) return undefined;
  return unclear('the next attempt succeeded, but the EHR server acknowledged no call for it', next);
}

function isAcknowledged(played: PlayedStep, { method }: Place): boolean {
  return sentTo(played, method).some(
    ({ fault, facts: { reply } }) =>
      fault === undefined && (reply?.result || reply?.reason === 'token_already_stored'),
  );
}

const AT_EXCHANGE_TOKEN: Place = {
  id: 'exchange-token',
  troubles: TROUBLES,
  what: 'an exchange token is saved',
  method: SAVE_EXCHANGE_TOKEN,
  during: (id) => `while: ${id}`,
  afterwards: (id) => `after: ${id}`,
  toldAdvice: TELL_AN_ERROR,
  surviveAdvice: 'Keep no state of a failed call: no broken connection, no half-made session, no lock.',
};

/** One user meets all troubles that end by themselves. Each other trouble has a user of its own. */
const GROUPS = [
  TROUBLES.filter(({ isEndless }) => !isEndless),
  ...TROUBLES.filter(({ isEndless }) => isEndless).map((trouble) => [trouble]),
];

export const exchangeTokenTrouble = flow({
  id: 'exchange-token-trouble',
  title: 'The EHR server fails in every way while an exchange token is being saved',
  people: 2,
  codes: 1 + GROUPS.length,
  meetsSilence: true,
  async play(driver) {
    const ann = await driver.signedIn('Ann');
    await driver.mustSucceed(ann, 'exchangeToken', 'before any trouble');
    await driver.forEach(
      GROUPS,
      ([first]) => `user of ${first?.id}`,
      async (user, group) => {
        await driver.signIn(user, `${user.name} signs in`);
        for (const { id, words, fault } of group) {
          const end = driver.fault(user, 'exchange-token', fault, MAX_RETRIES);
          await driver.perform(user, 'exchangeToken', AT_EXCHANGE_TOKEN.during(id), {
            defect: `the trouble: ${words}`,
          });
          end();
          const { kind } = await driver.perform(user, 'exchangeToken', AT_EXCHANGE_TOKEN.afterwards(id));
          if (kind !== 'done') return;
        }
      },
    );
  },
  checks: troubleChecks(AT_EXCHANGE_TOKEN),
});

const AT_LINK: Place = {
  id: 'link',
  troubles: TROUBLES,
  what: 'the session of a new link is saved',
  method: SAVE_AUTH_INFO,
  during: (id) => `while: ${id}`,
  afterwards: (id) => `after: ${id}`,
  leftOut: 'no link is reported to this server',
  toldAdvice: TELL_AN_ERROR,
  surviveAdvice:
    'Keep no state of a failed call. When the EHR server says token_already_stored of this very user and token, an earlier save of yours was carried out and its reply was lost: that is success.',
};

/** What a server may handle otherwise at a sign-in: its call is that of a report. */
const OF_SIGN_IN: ReadonlySet<string> = new Set([
  ...['down', 'trickle', 'not-json', 'http-500', 'reply-lost', 'no-result', 'result-null'],
  ...['not_authorized', 'user_unknown', 'internal_error'],
]);

const AT_SIGN_IN: Place = {
  id: 'sign-in',
  troubles: TROUBLES.filter(({ id }) => OF_SIGN_IN.has(id)),
  what: 'a linked user signs in',
  method: SAVE_AUTH_INFO,
  during: (id) => `sign in while: ${id}`,
  afterwards: (id) => `sign in after: ${id}`,
  expected: 'an error to the client, or a session that is not called linked and can be linked again',
  toldAdvice:
    'When the EHR server has not acknowledged save_auth_info, either answer the sign-in with an error, or open a session that is not linked and say so; set a timeout on the whole call.',
  surviveAdvice:
    'Keep no state of a failed call: the next sign-in of the user, with their user_sign, sends save_auth_info as if nothing had been.',
  success: (steps, played, { id }) =>
    signedInAllTheSame(steps, played, {
      reads: `get patient after: ${id}`,
      linksAgain: `link again after: ${id}`,
    }),
  next: savedAtSignIn,
};

/** A user meets a trouble at both places; an endless one has two users, who wait at the same time. */
const MEETINGS = TROUBLES.flatMap((trouble) => {
  const at = [AT_LINK, AT_SIGN_IN].filter(({ troubles }) => troubles.includes(trouble));
  const places = trouble.isEndless ? at.map((place) => [place]) : [at];
  return places.map((at) => ({ trouble, at, name: `${trouble.id} at ${at.map(({ id }) => id).join()}` }));
});

export const saveTrouble = flow({
  id: 'save-trouble',
  title: 'The EHR server fails in every way while a link is reported, and while a linked user signs in',
  people: 2,
  codes: 2 + MEETINGS.length + 2 * AT_SIGN_IN.troubles.length,
  meetsSilence: true,
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const rae = await driver.signedIn('Rae');
    await driver.link(rae, 'without trouble');
    if (await driver.time.passResendPause())
      await driver.trySignIn(rae, 'returns without trouble', {
        ...withSign(rae),
        expects: controlOf(toldAt(AT_SIGN_IN), survivedAt(AT_SIGN_IN)),
      });
    await driver.forEach(
      MEETINGS,
      ({ name }) => `user of ${name}`,
      async (user, { trouble, at, name }) => {
        await driver.signIn(user, `sign in for ${name}`);
        if (at.includes(AT_LINK)) await linkAmid(driver, user, trouble);
        else await driver.link(user, `link for ${name}`);
        if (at.includes(AT_SIGN_IN)) await signInAmid(driver, user, trouble);
      },
      MEETINGS.length,
    );
  },
  checks: {
    ...troubleChecks(AT_LINK),
    ...troubleChecks(AT_SIGN_IN),
    'code-kept-over-trouble': {
      title: 'A code whose sign-in failed with the EHR server confirms once more',
      requirements: ['K-code-kept'],
      judge(steps) {
        const during = steps.of(AT_SIGN_IN.during(BRIEF));
        if (isDone(during)) return { notApplicable: 'the sign-in succeeds without the EHR server' };
        const again = steps.of(SAME_CODE);
        if (isDone(again)) return undefined;
        return faultUnlessSlow('the same code confirms', describe(again.result), during, again);
      },
      advice:
        'Use the code up together with the opening of the session: who typed it right need not wait for another.',
    },
  },
});

/** The trouble after which the same code is typed again: it ends at once. */
const BRIEF = 'http-500';
const SAME_CODE = 'the same code once more, after the trouble';

async function linkAmid(driver: Driver, user: User, { id, words, fault }: Trouble): Promise<void> {
  await driver.linkUnreported(user, `link for ${id}`);
  if (!driver.adapter.has('reportLink')) return;
  const end = driver.fault(user, 'auth-info', fault, MAX_RETRIES);
  await driver.perform(user, 'reportLink', AT_LINK.during(id), { defect: `the trouble: ${words}` });
  end();
  await driver.perform(user, 'reportLink', AT_LINK.afterwards(id));
}

/** Signs in amid the trouble, links again if that left the user unlinked, and signs in without trouble. */
async function signInAmid(driver: Driver, user: User, { id, words, fault }: Trouble): Promise<void> {
  const defect = `the trouble: ${words}`;
  if (!(await driver.time.passResendPause())) return;
  const end = driver.fault(user, 'auth-info', fault, MAX_RETRIES);
  const label = AT_SIGN_IN.during(id);
  const code = await driver.code(user, part(label, 'request a code'));
  const { kind } = await driver.perform(user, 'confirmOtp', label, { code, ...withSign(user), defect });
  end();
  if (kind !== 'done' && id === BRIEF)
    await driver.perform(user, 'confirmOtp', SAME_CODE, { code, ...withSign(user) });
  if (kind === 'done') {
    const read = await driver.callEhr(user, 'getPatient', `get patient after: ${id}`, { defect });
    if (read.kind !== 'done') await tryLink(driver, user, `link again after: ${id}`);
  }
  if (await driver.time.passResendPause())
    await driver.trySignIn(user, AT_SIGN_IN.afterwards(id), withSign(user));
}

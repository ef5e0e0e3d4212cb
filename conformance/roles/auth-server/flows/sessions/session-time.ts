/** Exchange tokens and sessions are tried shortly before their end and after it. */
import { EXCHANGE_TOKEN_LIFETIME_MS } from '#protocol/limits.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow, refused } from '../flow.ts';
import { fault, gotError, isDone, unclear, yielded } from '../step-values.ts';

export const exchangeTokenTime = flow({
  id: 'exchange-token-time',
  title:
    'Exchange tokens are asked for a second before and a second after the ten minutes of the first have run out',
  async play(driver) {
    const ben = await driver.signedIn('Ben');
    // The session must live a minute longer than an exchange token; without a ttl it is taken to.
    if (
      !driver.time.canAdvance ||
      Number(ben.ttl ?? Number.POSITIVE_INFINITY) * MINUTE_MS < EXCHANGE_TOKEN_LIFETIME_MS + MINUTE_MS
    ) {
      driver.note(
        'The ten minutes of an exchange token were not waited for: the clock cannot be moved so far.',
      );
      return;
    }
    await driver.mustSucceed(ben, 'exchangeToken', 'exchange token');
    await driver.time.advance(EXCHANGE_TOKEN_LIFETIME_MS - 1_000);
    await driver.perform(ben, 'exchangeToken', 'exchange token after 9:59');
    await driver.time.advance(2_000);
    await driver.perform(ben, 'exchangeToken', 'exchange token after 10:01');
  },
  checks: {
    'exchange-token-not-given-again': {
      title: 'An exchange token is not given again after its ten minutes',
      requirements: ['K-exchange-token-new'],
      leftOut:
        'the adapter has no step advanceClock, or sessions live shorter: the ten minutes of an exchange token are not waited for',
      judge(steps) {
        const earlier = [steps.of('exchange token'), ...steps.all('exchange token after 9:59')];
        const later = steps.of('exchange token after 10:01');
        const shownBy = [...earlier, later];
        if (!isDone(later)) return unclear('no exchange token was given after ten minutes', ...shownBy);
        const known = earlier.filter(isDone).map((played) => yielded(played, 'exchangeToken'));
        if (!known.includes(yielded(later, 'exchangeToken'))) return undefined;
        return fault('a new token, as ten minutes have passed', 'a token was given again', ...shownBy);
      },
      advice: 'Keep no exchange token longer than its ten minutes: draw a fresh random one then.',
    },
  },
});

const MINUTE_BEFORE = 'a minute before the end of the session';
const SECONDS_BEFORE = 'a minute before the end, if the ttl counts seconds';
const SECONDS_AFTER = 'a minute after the end, if the ttl counts seconds';
const AT_LINK = 'Abe links: exchange token';
const SIGN_IN = 'Abe signs in';

function toldTtl(journal: JournalView): number | undefined {
  const signIn = journal.step({ scenario: sessionTime.id, label: SIGN_IN });
  const ttl = signIn && yielded(signIn, 'ttl');
  return ttl === undefined ? undefined : Number(ttl);
}

function whyNotTried(journal: JournalView): string {
  return toldTtl(journal) === undefined
    ? 'the adapter extracts no ttl from the sign-in and has no step expireSession, so nobody knows when the session ends'
    : 'the adapter has neither a step advanceClock nor expireSession, and a whole session is not waited for';
}

function toldInSeconds(steps: Steps): boolean {
  const [before, after] = [steps.all(SECONDS_BEFORE), steps.all(SECONDS_AFTER)];
  return before.some(isDone) && after.some(gotError);
}

function livesAsTold(steps: Steps, journal: JournalView): Judgement {
  const before = steps.of(MINUTE_BEFORE);
  if (!steps.all(AT_LINK).some(isDone))
    return { unclear: 'the session got no exchange token at its beginning either' };
  if (isDone(before)) return undefined;
  const isInTime = steps.observed(MINUTE_BEFORE)?.isInTime === true;
  if (before.result.kind !== 'refused' || !isInTime)
    return unclear(`a minute before the end of the session: ${describe(before.result)}`, before);
  const countsSeconds = toldInSeconds(steps);
  const ttl = toldTtl(journal) ?? 0;
  return {
    expected: `a session that lives ${ttl} minutes, as its client was told`,
    actual: countsSeconds
      ? `it lives ${ttl} seconds: the ttl that is told counts seconds`
      : 'a minute before that it was refused',
    shownBy: [before, ...steps.all(SECONDS_BEFORE), ...steps.all(SECONDS_AFTER)],
    // If the kit was held up, the server's clock went on, and the session may have ended rightly.
    timeSensitive: true,
    ...(countsSeconds && {
      advice: 'A ttl counts minutes: divide what the client is told by 60, or call it otherwise.',
    }),
  };
}

/** What can be said where no ttl was told: the sign-in itself may have failed. */
const untold = (steps: Steps): Judgement =>
  isDone(steps.of(SIGN_IN))
    ? { notApplicable: 'the adapter extracts no ttl from the sign-in' }
    : unclear('the sign-in that tells the ttl did not succeed', steps.of(SIGN_IN));

/** Another number than the client was told may be right, but not another unit. */
function countsMinutes(steps: Steps, journal: JournalView): Judgement {
  const played = steps.of(AT_LINK);
  const told = toldTtl(journal);
  if (told === undefined) return untold(steps);
  const save = savedWithTtl(played);
  if (!save) return unclear('no call carried the ttl of the session', played);
  const real = toldInSeconds(steps) ? told / 60 : told;
  const unit = unitOf(save.ttl / real, save.ttl, steps.all(MINUTE_BEFORE).some(isDone));
  if (unit === undefined) return undefined;
  return fault(`about ${Math.ceil(real)}, the minutes of the session`, `ttl is ${save.ttl}: ${unit}`, played);
}

/** `isTrue`: the session was seen to live as many minutes as were told. */
function unitOf(factor: number, ttl: number, isTrue: boolean): string | undefined {
  const isNear = (other: number) => Math.abs(factor / other - 1) < MARGIN;
  if (isNear(60)) return 'it counts seconds';
  if (factor >= 1_000) return 'it counts milliseconds, or is a date';
  // A lower ttl may be the bound of a server, but hardly one of less than an hour at just this part.
  return isTrue && ttl < 60 && isNear(1 / 60) ? 'it counts hours' : undefined;
}

/** How much a ttl may be off a unit: a begun hour or minute is counted. */
const MARGIN = 0.1;

/** The ttl (minutes) that a step sent, with the time and number of the call. */
export function savedWithTtl(played: PlayedStep): { ttl: number; at: number; seq: number } | undefined {
  return sentTo(played, SAVE_EXCHANGE_TOKEN)
    .map(({ at, seq, facts }) => ({ at, seq, ttl: facts.call?.ttl as number }))
    .find(({ ttl }) => ttl !== undefined);
}

const MINUTE_MS = 60_000;

export const sessionTime = flow({
  id: 'session-time',
  title: 'A session is tried a minute before its told end and a minute after it',
  waits: ({ resend }) => resend,
  async play(driver) {
    const abe = await driver.user('Abe');
    // Earlier tries count from the first of these moments, later ones from the second.
    const began = driver.time.now();
    await driver.signIn(abe, SIGN_IN);
    const ended = driver.time.now();
    await driver.link(abe, 'Abe links');
    const lifetime = Number(abe.ttl ?? Number.NaN) * MINUTE_MS;
    let endsEarly = false;
    if (driver.time.canAdvance && Number.isFinite(lifetime)) {
      await driver.time.advance(began + lifetime - MINUTE_MS - driver.time.now());
      const result = await driver.perform(abe, 'exchangeToken', MINUTE_BEFORE);
      driver.observe(MINUTE_BEFORE, { isInTime: driver.time.now() < began + lifetime });
      endsEarly = result.kind === 'refused';
      await driver.time.advance(ended + lifetime + MINUTE_MS - driver.time.now());
    } else if (!(await driver.expireSession(abe))) {
      driver.note('The end of a session was not tried: it can neither be ended early nor be waited for.');
      return;
    }
    const defect = 'the session has ended by its ttl';
    const over = (words: string, check: string) => [refused(words, { check, nothingSent: true })];
    await driver.perform(abe, 'exchangeToken', 'after the end of the session', {
      defect,
      expects: over('the session is refused', 'expired-session-refused'),
    });
    if (driver.adapter.has('reportLink'))
      await driver.perform(abe, 'reportLink', 'report after the end of the session', {
        defect,
        expects: over('the report is refused', 'expired-session-not-saved'),
      });
    if (endsEarly && lifetime > 60 * MINUTE_MS) await trySeconds(driver, abe, lifetime / 60);
  },
  checks: {
    'expired-session-refused': {
      title: 'After its ttl a session gets no exchange token',
      requirements: ['K-session-expires'],
      leftOut: whyNotTried,
      advice: 'Compare the end of the session with your clock wherever a session is verified.',
    },
    'expired-session-not-saved': {
      title: 'After its ttl a session is not saved at the EHR server',
      requirements: ['K-session-expires'],
      leftOut: (journal) =>
        journal.step({ scenario: 'session-time', label: 'after the end of the session' })
          ? 'the adapter declares that the server has no reportLink'
          : whyNotTried(journal),
      advice: 'Compare the end of the session with your clock wherever a session is verified.',
    },
    'session-lives-as-told': {
      title: 'A session lives for as many minutes as its client was told',
      requirements: ['K-ttl-as-told'],
      leftOut: whyNotTried,
      judge: livesAsTold,
      advice: 'Tell the client, and send to the EHR server, the minutes that the session really lives.',
    },
    'ttl-counts-minutes': {
      title: 'The ttl that is sent to the EHR server counts minutes',
      requirements: ['D9-ttl-minutes'],
      judge: countsMinutes,
      advice: 'Send the lifetime in minutes: a session of one day is 1440.',
    },
  },
});

async function trySeconds(driver: Driver, abe: User, lifetime: number) {
  await driver.time.passResendPause();
  const began = driver.time.now();
  await driver.signIn(abe, 'Abe signs in again');
  const ended = driver.time.now();
  await driver.time.advance(began + lifetime - MINUTE_MS - driver.time.now());
  await driver.perform(abe, 'exchangeToken', SECONDS_BEFORE);
  await driver.time.advance(ended + lifetime + MINUTE_MS - driver.time.now());
  await driver.perform(abe, 'exchangeToken', SECONDS_AFTER);
}

/** A code is confirmed for another phone, requested for two phones at once, and for phones that end alike. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { type RequestChange, withMembers, withValueInPlace } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { notRecorded } from '../links/correspondence.ts';
import {
  doubledMembers,
  doubledPlaces,
  isSessionOf,
  NOTHING_TO_DOUBLE,
  performChanged,
  requestForTwo,
  requestOfBoth,
} from '../requests/doubled-members.ts';
import { isDone, unclear, yielded } from '../step-values.ts';

/** The ways to write two phones as one value, by their name in labels. */
const TOGETHER = {
  'a comma between them': (first: string, second: string) => `${first},${second}`,
  'a semicolon between them': (first: string, second: string) => `${first};${second}`,
  'a line break between them': (first: string, second: string) => `${first}\n${second}`,
  'a list of both': (first: string, second: string) => [first, second],
} as const;

const requestOf = (way: string) => `a code for the phones of both, ${way}`;

/** The labels of the steps that request a code for two phones in one value. */
export const REQUESTS_FOR_BOTH = Object.keys(TOGETHER).map(requestOf);

const OTHER = "confirms her own code with Max's phone";
const OWN = 'confirms her own code with her own phone';

export const severalPhones = flow({
  id: 'several-phones',
  title: "A code is confirmed for another user's phone, and codes are requested for two phones in one value",
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  codes: 7,
  waits: ({ resend }) => resend,
  async play(driver) {
    const [lea, max] = [await driver.signedIn('Lea'), await driver.signedIn('Max')];
    if (!(await driver.time.passResendPause())) return;
    const code = await driver.code(lea, 'Lea requests a code');
    const named = withValueInPlace(lea.phone, max.phone);
    // A confirmation that names no phone, as where a challenge does, is given one.
    const change: RequestChange = (request) => {
      const changed = named(request);
      return changed.body === request.body && changed.path === request.path
        ? withMembers({ phone: max.phone })(request)
        : changed;
    };
    const defect = 'the phone is of another user, everything else her own';
    const tried = await performChanged(driver, lea, 'confirmOtp', OTHER, { change, defect, code });
    driver.observe(OTHER, { isChanged: tried.isChanged, isForeign: isSessionOf(max, tried.result) });
    await driver.perform({ ...lea }, 'confirmOtp', OWN, { code });
    if (!driver.adapter.countsMessages) return;
    for (const [way, together] of Object.entries(TOGETHER)) {
      const change = withValueInPlace(max.phone, together(max.phone, lea.phone));
      const asked = await requestOfBoth(driver, [max, lea], requestOf(way), change);
      // Where nothing was sent there is no pause to wait for.
      if (asked && !(await driver.time.passResendPause())) return;
    }
  },
  checks: {
    'code-confirms-own-phone': {
      title: 'A code confirms the phone it was sent to, whatever phone the confirmation names',
      requirements: ['1-phone-confirmed'],
      judge(steps) {
        const [tried, control] = [steps.of(OTHER), steps.of(OWN)];
        const seen = steps.observed(OTHER);
        if (seen?.isForeign === true)
          return {
            expected: 'a refusal, or the session of the one to whom the code was sent',
            actual:
              'a code that was sent to one phone opened a session of the user of another, who was named beside it',
            shownBy: [tried],
          };
        if (seen?.isChanged !== true)
          return { notApplicable: 'the confirmation has no members, so it cannot name another phone' };
        const user = yielded(steps.of('Lea signs in'), 'user');
        if (isDone(tried) && yielded(tried, 'user') !== user)
          return unclear('it opened a session of neither of the two', tried);
        // A server that looks at the code alone opens the right session and uses the code up.
        if (isDone(tried) || isDone(control)) return undefined;
        return unclear(
          `the same confirmation with the right phone, which ought to succeed, did not (${describe(control.result)})`,
          control,
        );
      },
      advice:
        'Take the phone from where the code is stored, never from the confirmation; refuse a confirmation that names another one.',
    },
    'code-to-one-phone': {
      title: 'A request that names two phones does not send one code to both',
      requirements: ['K-code-to-one-phone'],
      also: [doubledMembers],
      judge: sentToBoth,
      advice:
        "Take exactly one phone from a request, as a text that is a phone from end to end, and send the code to the phone that it is stored for. Whoever adds a phone of their own would be sent the other user's code.",
    },
  },
});

function sentToBoth(steps: Steps): Judgement {
  const doubled = steps.in(doubledMembers);
  const requests = [
    ...REQUESTS_FOR_BOTH.map((label) => ({ own: steps, label })),
    ...doubledPlaces.map((place) => ({ own: doubled, label: requestForTwo(place) })),
  ];
  const played = requests.flatMap(({ own, label }) => own.all(label));
  if (played.length === 0) steps.of(requestOf('a comma between them'));
  const seen = requests.flatMap(({ own, label }) =>
    own.allObserved(label).map((values) => ({ own, label, values })),
  );
  const both = seen.filter(({ values }) => values.isSentToBoth === true);
  if (both.length > 0)
    return {
      expected: 'a refusal, or a code for one of the phones alone',
      actual: `the same code came to both phones, after ${both.map(({ label }) => `"${label}"`).join(', ')}`,
      shownBy: both.flatMap(({ own, label }) => own.all(label)),
    };
  if (!seen.some(({ values }) => values.isChanged === true)) return { notApplicable: NOTHING_TO_DOUBLE };
  const control = steps.find('Lea signs in') ?? doubled.find('Ivo signs in');
  if (!control || !isDone(control))
    return unclear('no code came for one phone either', ...(control ? [control] : []));
  const unanswered = played.find(({ result }) => result.kind === 'failed' && result.what !== 'server-error');
  if (unanswered) return unclear(describe(unanswered.result), unanswered);
  return { right: [control, ...played.slice(0, MAX_EVIDENCE)] };
}

/** The digits of a phone with a country code before its last ten digits, at least. */
const FULL_DIGITS = 11;

/** How long (ms) the kit waits for a message that a right server need not send. */
const MESSAGE_WAIT_MS = 1_500;

const ORA_REQUESTS = 'Ora requests a code';
const REQUESTS = "a code for the phone that ends as Nia's";
const CONFIRMS = "confirms the phone that ends as Nia's";

const REMOVED = "the entry of Ned's phone is removed";
const REPORTS = 'Ned reports a link without an entry';
const NIA_RETURNS = 'Nia returns with user_sign';
const NED_RETURNS = 'Ned returns with user_sign';

const KEY_ADVICE =
  'Compare and store whole phones with their country code, and send the code to the very phone that is stored.';

export const sameEnding = flow({
  id: 'same-ending',
  people: 2,
  title: 'A phone with the same last ten digits and another country code is confirmed',
  needs: ['requestOtp', 'confirmOtp'],
  codes: 3,
  waits: ({ resend }) => resend,
  async play(driver) {
    const { adapter } = driver;
    if (!adapter.countsMessages || Number.isFinite(adapter.phoneCount)) return;
    const [ora, nia] = [await driver.user('Ora'), await driver.user('Nia')];
    await driver.code(ora, ORA_REQUESTS);
    const earlier = await driver.messagesTo(ora);
    await driver.signIn(nia, 'Nia signs in');
    driver.observe(ORA_REQUESTS, { messagesMore: (await driver.messagesTo(ora)) - earlier });
    if (nia.phone.replace(/\D/g, '').length < FULL_DIGITS) return;
    // A server that confuses the two phones has one pause for both.
    if (!(await driver.time.passResendPause())) return;
    const before = await driver.messagesTo(nia);
    const other = await driver.userAt(
      'Ned',
      nia.phone.replace(/\d/, (digit) => (digit === '4' ? '5' : '4')),
    );
    const { code, messages } = await driver.codes.request(other, REQUESTS, { waitMs: MESSAGE_WAIT_MS });
    driver.observe(REQUESTS, { messages, messagesToOther: (await driver.messagesTo(nia)) - before });
    if (code === undefined) return;
    const result = await driver.perform(other, 'confirmOtp', CONFIRMS, { code });
    driver.observe(CONFIRMS, { isForeign: isSessionOf(nia, result) });
    if (result.kind === 'done') await linkWithoutEntry(driver, nia, other);
  },
  checks: {
    'same-ending-other-user': {
      title: 'Phones with the same last ten digits and different country codes are different users',
      requirements: ['1-phone-confirmed'],
      judge(steps) {
        const confirmed = steps.find(CONFIRMS);
        if (!confirmed) return withoutCode(steps);
        const signedIn = steps.of('Nia signs in');
        if (steps.allObserved(CONFIRMS).some(({ isForeign }) => isForeign === true))
          return {
            expected: 'a user of its own, or a refusal',
            actual:
              'the code that came to one phone opened a session of the user of another, whose last ten digits are the same',
            shownBy: [signedIn, confirmed],
          };
        if (isDone(confirmed) && isDone(signedIn)) return undefined;
        return unclear(
          `neither the same user nor another one came of it (${describe(confirmed.result)})`,
          confirmed,
        );
      },
      advice: KEY_ADVICE,
    },
    'entry-of-own-phone': {
      title: 'Who has no entry is not given that of a phone with the same last ten digits',
      requirements: ['1-no-correspondence-error', '1-internal-id-looked-up'],
      leftOut:
        'the file has no step removeCorrespondence, or names few phones, or the server sends no code to a phone of another country',
      judge(steps, journal) {
        const returned = steps.find(NED_RETURNS);
        return notRecorded(returned ?? steps.of(REPORTS), journal, () =>
          steps.of(returned ? NIA_RETURNS : 'Nia links: report'),
        );
      },
      advice: KEY_ADVICE,
    },
    'code-to-named-phone': {
      title: 'A code for one phone comes neither to one that asked before nor to one that ends alike',
      requirements: ['K-code-to-named-phone'],
      explains: ['codes-differ', 'messages-capped', 'pause-between-codes', 'code-to-one-phone'],
      judge(steps) {
        if (Number(steps.observed(ORA_REQUESTS)?.messagesMore) > 0)
          return {
            expected: 'a code to the phone that was named, and to no other',
            actual: 'a message for one phone came to another one too, to which a code had been sent before',
            shownBy: [steps.of(ORA_REQUESTS), steps.of('Nia signs in: request a code')],
          };
        const asked = steps.of(REQUESTS);
        const seen = steps.observed(REQUESTS);
        if (Number(seen?.messagesToOther) > 0)
          return {
            expected: 'a code to the phone that was named, or a refusal',
            actual: 'a code came to the phone of another user, whose last ten digits are the same',
            shownBy: [asked],
          };
        return Number(seen?.messages) > 0 ? undefined : withoutCode(steps);
      },
      advice: KEY_ADVICE,
    },
  },
});

function withoutCode(steps: Steps): Judgement {
  const asked = steps.of(REQUESTS);
  if (asked.result.kind === 'failed') return unclear(describe(asked.result), asked);
  return { notApplicable: 'the server sends no code to a phone of another country' };
}

/** Links both users, Ned after his entry was removed: by a report, or by a return with the signature. */
async function linkWithoutEntry(driver: Driver, nia: User, ned: User): Promise<void> {
  if (!driver.adapter.has('removeCorrespondence') || !driver.adapter.has('exchangeToken')) return;
  const defect = 'the phone has no entry in the correspondence table';
  await driver.link(nia, 'Nia links');
  if ((await driver.perform(ned, 'removeCorrespondence', REMOVED)).kind !== 'done') return;
  await driver.linkUnreported(ned, 'Ned');
  if (driver.adapter.has('reportLink')) {
    await driver.perform(ned, 'reportLink', REPORTS, { defect });
    return;
  }
  if (!(await driver.time.passResendPause())) return;
  await driver.signIn(nia, NIA_RETURNS, { userSign: nia.userSign as string });
  await driver.trySignIn(ned, NED_RETURNS, { defect, userSign: ned.userSign as string });
}

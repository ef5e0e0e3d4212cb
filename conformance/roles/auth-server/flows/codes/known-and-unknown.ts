/** Phones of users and of nobody are answered alike; phones that end alike are different users. */
import { type Fault, isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { headerOf } from '../../../../engine/journal/headers.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { mayBeLimit } from '../../people/codes/code-limits.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { correspondence, notRecorded } from '../sessions/two-sessions.ts';
import { askedBy, fault, isDone, timedFault, unclear } from '../step-values.ts';

// Labels of steps: each request is made twice for the first two phones, the second time within the pause.
const KNOWN = 'code for a known phone';
const UNKNOWN = 'code for an unknown phone';
const AGAIN = { known: 'another code for a known phone, at once', unknown: 'another for an unknown phone' };

export const knownAndUnknown = flow({
  id: 'known-and-unknown',
  title: 'Codes are requested for phones of users and for phones of nobody',
  needs: ['requestOtp', 'confirmOtp'],
  when: 'alone',
  people: 4,
  codes: 17,
  waits: ({ resend }) => resend,
  async play(driver) {
    const count = Math.min(5, Math.floor(driver.freePeople / 2));
    const known: User[] = [];
    for (let number = 1; number <= count; number++) known.push(await driver.user(`known ${number}`));
    await driver.time.together(known.map((user) => () => driver.signIn(user, 'becomes known')));
    await driver.time.passResendPause();
    const requestsOf = known.map((user, index) => async () => {
      await driver.perform(user, 'requestOtp', KNOWN);
      const stranger = driver.adapter.unknownPhone(index);
      // The file lists all phones, so it has no phone that the server does not know.
      if (stranger === undefined && Number.isFinite(driver.adapter.phoneCount)) return;
      const name = `un${user.name}`;
      const nobody = stranger === undefined ? await driver.user(name) : await driver.userAt(name, stranger);
      await driver.perform(nobody, 'requestOtp', UNKNOWN);
      if (index > 0) return;
      const defect = 'a code was sent a moment ago';
      await driver.perform(user, 'requestOtp', AGAIN.known, { defect });
      await driver.perform(nobody, 'requestOtp', AGAIN.unknown, { defect });
    });
    if (driver.serverWaits) return void (await driver.time.together(requestsOf));
    for (const request of requestsOf) await request();
  },
  checks: {
    'known-and-unknown-alike': {
      title: 'Known and unknown phones are answered alike',
      requirements: ['K-known-unknown-alike'],
      also: [correspondence],
      settled: (steps) => unlistedTold(steps.in(correspondence)),
      judge(steps) {
        steps.of(KNOWN);
        steps.of(UNKNOWN);
        const again = answersDiffer(steps.all(AGAIN.known), steps.all(AGAIN.unknown));
        const found = differenceOf(steps.all(KNOWN), steps.all(UNKNOWN));
        return isFault(found) ? found : (again ?? found);
      },
      advice: 'Answer a request for a code in the same way whether the phone is known or not.',
    },
  },
});

/** A server may refuse who has no entry, but only when the code came back. */
function unlistedTold(steps: Steps): Fault | undefined {
  const listed = steps.find('Ola signs in: request a code');
  const unlisted = steps.find('Pip signs in: request a code');
  // When the kit removes the entry of Pip only later, both phones have an entry at their code requests.
  const isBothListed = steps.find('the entry is removed') !== undefined;
  if (!listed || !isDone(listed) || unlisted?.result.kind !== 'refused' || isBothListed) return undefined;
  if (mayBeLimit(unlisted.result)) return undefined;
  return {
    ...fault(
      'the same answer',
      `known: it succeeded; without a correspondence entry: ${describe(unlisted.result)}`,
      listed,
      unlisted,
    ),
    advice:
      'Answer a request for a code in the same way whether the phone is known or not; refuse the user when the code came back.',
  };
}

function answersDiffer(known: readonly PlayedStep[], unknown: readonly PlayedStep[]): Fault | undefined {
  const [ours, theirs] = [known, unknown].map((all) => [...new Set(all.map(answerOf))].join(' / '));
  if (ours === theirs || unknown.length === 0) return undefined;
  const shownBy = [...known.slice(0, 1), ...unknown.slice(0, 1)];
  const again = known[0]?.step.label === AGAIN.known ? ', to a second request at once' : '';
  return fault(`the same answer${again}`, `known: ${ours}; unknown: ${theirs}`, ...shownBy);
}

/** Compares the answers: status and body first, then their length, then the medians of their times. */
function differenceOf(known: readonly PlayedStep[], unknown: readonly PlayedStep[]): Judgement {
  const shownBy = [...known.slice(0, 1), ...unknown.slice(0, 1)];
  const differ = answersDiffer(known, unknown);
  if (differ) return differ;
  if (!known.every(isDone)) return unclear('no code could be requested', ...shownBy);
  const [ours = [], theirs = []] = [known, unknown].map((all) => [...new Set(all.map(lengthOf))]);
  // A length that varies among answers of one kind shows nothing.
  if (known.length > 1 && ours.length === 1 && theirs.length === 1 && ours[0] !== theirs[0])
    return fault(
      'answers of the same length',
      `known: ${ours[0]} bytes; unknown: ${theirs[0]} bytes`,
      ...shownBy,
    );
  const medians = [known, unknown].map((all) => median(all.map(({ took }) => took)));
  const [fast, slow] = medians.sort((a, b) => a - b) as [number, number];
  // A server that is slow in any case must also be three times slower, because its times vary more.
  if (slow - fast <= TELLING_DIFFERENCE_MS || slow <= 3 * fast) return { right: shownBy };
  return timedFault('about the same time', `medians of ${fast} and ${slow} ms`, ...shownBy);
}

function answerOf(played: PlayedStep): string {
  const response = askedBy(played)?.response;
  return response ? `HTTP ${response.status}, ${shapeOf(response.body)}` : 'no answer';
}

/** The Content-Length of the answer in bytes; undefined when the answer does not state it. */
function lengthOf(played: PlayedStep): number | undefined {
  const stated = headerOf(askedBy(played)?.response?.headers, 'content-length');
  return stated === undefined ? undefined : Number(stated);
}

/** A difference of medians (ms) that a stranger can measure over a network. */
const TELLING_DIFFERENCE_MS = 100;

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A body with each number, each `id` and each digit replaced by 0, because these differ in any case. */
function shapeOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value: unknown) => {
      if (name === 'id' || typeof value === 'number') return 0;
      return typeof value === 'string' ? withoutNumbers(value) : value;
    });
  } catch {
    return withoutNumbers(body);
  }
}

const withoutNumbers = (text: string) =>
  text
    .replace(WORD_WITH_PSEUDONYM, (word) => (PSEUDONYM.test(word) ? word : '‹opaque 0›'))
    .replace(/\d+/g, '0');

const PSEUDONYM = /^‹[^›]*›$/;
/** A word with a pseudonym: tokens may begin alike, so that a part is masked and the rest is not. */
const WORD_WITH_PSEUDONYM = /[\w.~+/=-]*(?:‹[^›]*›[\w.~+/=-]*)+/g;

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
    driver.observe(CONFIRMS, { isForeign: result.kind === 'done' && result.values.user === nia.user });
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
          return fault(
            'a user of its own, or a refusal',
            'the code that came to one phone opened a session of the user of another, whose last ten digits are the same',
            signedIn,
            confirmed,
          );
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
          return fault(
            'a code to the phone that was named, and to no other',
            'a message for one phone came to another one too, to which a code had been sent before',
            steps.of(ORA_REQUESTS),
            steps.of('Nia signs in: request a code'),
          );
        const asked = steps.of(REQUESTS);
        const seen = steps.observed(REQUESTS);
        if (Number(seen?.messagesToOther) > 0)
          return fault(
            'a code to the phone that was named, or a refusal',
            'a code came to the phone of another user, whose last ten digits are the same',
            asked,
          );
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

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { notRecorded } from '../sessions/correspondence.ts';
import { fault, isDone, unclear } from '../step-values.ts';

/** The digits of a phone with a country code before its last ten digits, at least. */
const FULL_DIGITS = 11;

/** How long (ms) the kit waits for a message that a right server need not send. */
const MESSAGE_WAIT_MS = 1_500;

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
  title: 'A phone with the same last ten digits and another country code is confirmed',
  needs: ['requestOtp', 'confirmOtp'],
  codes: 2,
  waits: ({ resend }) => resend,
  async play(driver) {
    const { adapter } = driver;
    if (!adapter.countsMessages || Number.isFinite(adapter.phoneCount)) return;
    const nia = await driver.user('Nia');
    if (nia.phone.replace(/\D/g, '').length < FULL_DIGITS) return;
    await driver.signIn(nia, 'Nia signs in');
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
      title: 'A code for one phone does not come to another that has the same last ten digits',
      requirements: ['K-code-to-named-phone'],
      judge(steps) {
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

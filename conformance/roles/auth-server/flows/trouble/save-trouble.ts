import { MAX_RETRIES, type Trouble } from '../../../../engine/wire/troubles.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import type { StepLabel } from '../../people/steps.ts';
import { controlOf, flow } from '../flow.ts';
import { savedAtSignIn, signedInAllTheSame } from '../signed-in.ts';
import { part } from '../step-values.ts';
import { met, type Place, survivedAt, TELL_AN_ERROR, toldAt, troubleChecks } from './in-trouble.ts';

const PLACE: Place = {
  id: 'exchange-token',
  troubles: met,
  what: 'an exchange token is saved',
  method: SAVE_EXCHANGE_TOKEN,
  during: (id) => `while: ${id}`,
  afterwards: (id) => `after: ${id}`,
  toldAdvice: TELL_AN_ERROR,
  surviveAdvice: 'Keep no state of a failed call: no broken connection, no half-made session, no lock.',
};

/** One user meets all troubles that end by themselves. Each other trouble has a user of its own. */
const GROUPS = [
  met.filter(({ isEndless }) => !isEndless),
  ...met.filter(({ isEndless }) => isEndless).map((trouble) => [trouble]),
];

export const exchangeTokenTrouble = flow({
  id: 'exchange-token-trouble',
  title: 'The EHR server fails in every way while an exchange token is being saved',
  needs: ['confirmOtp', 'exchangeToken'],
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
          await driver.perform(user, 'exchangeToken', PLACE.during(id), { defect: `the trouble: ${words}` });
          end();
          const { kind } = await driver.perform(user, 'exchangeToken', PLACE.afterwards(id));
          if (kind !== 'done') return;
        }
      },
    );
  },
  checks: troubleChecks(PLACE),
});

const AT_LINK: Place = {
  id: 'link',
  troubles: met,
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
  troubles: met.filter(({ id }) => OF_SIGN_IN.has(id)),
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
      linksAnew: `link anew after: ${id}`,
    }),
  next: savedAtSignIn,
};

/** A user meets a trouble at both places; an endless one has two users, who wait at the same time. */
const MEETINGS = met.flatMap((trouble) => {
  const at = [AT_LINK, AT_SIGN_IN].filter(({ troubles }) => troubles.includes(trouble));
  const places = trouble.isEndless ? at.map((place) => [place]) : [at];
  return places.map((at) => ({ trouble, at, name: `${trouble.id} at ${at.map(({ id }) => id).join()}` }));
});

export const saveTrouble = flow({
  id: 'save-trouble',
  title: 'The EHR server fails in every way while a link is reported, and while a linked user signs in',
  needs: ['confirmOtp', 'exchangeToken'],
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
  checks: { ...troubleChecks(AT_LINK), ...troubleChecks(AT_SIGN_IN) },
});

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
  const { kind } = await driver.trySignIn(user, AT_SIGN_IN.during(id), { ...withSign(user), defect });
  end();
  if (kind === 'done') {
    const read = await driver.callEhr(user, 'getPatient', `get patient after: ${id}`, { defect });
    if (read.kind !== 'done') await tryLink(driver, user, `link anew after: ${id}`);
  }
  if (await driver.time.passResendPause())
    await driver.trySignIn(user, AT_SIGN_IN.afterwards(id), withSign(user));
}

export const withSign = ({ userSign }: User) => (userSign === undefined ? {} : { userSign });

/** Links the user as {@link Driver.link} does, but lets the scenario go on when a part of the link fails. */
export async function tryLink(driver: Driver, user: User, label: StepLabel): Promise<void> {
  const asked = await driver.perform(user, 'exchangeToken', part(label, 'exchange token'));
  if (asked.kind !== 'done') return;
  const linked = await driver.callEhr(user, 'authenticate', part(label, 'authenticate'));
  if (linked.kind === 'done' && driver.adapter.has('reportLink'))
    await driver.perform(user, 'reportLink', part(label, 'report'));
}

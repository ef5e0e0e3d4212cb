/** Checks of the ids and codes of replies, and of methods that an EHR server must not have. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../../../engine/check/check.ts';
import type { Fault } from '../../../../engine/check/steps.ts';
import type { Label } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { check, checkOfAll, done, type EhrCheck, entriesOf, labelled, refused } from '../../check.ts';
import { jsonIn, membersOf } from '../../world/answer.ts';
import { readCall } from '../../world/messages.ts';
import { replyIn } from '../../world/played.ts';

const REFUSED = 'a number, refused';
const REFUSED_ID = 4712;

const NUMBERS = {
  'a number': 4711,
  'the number 0': 0,
  'a number below 0': -1,
  'a number beyond 31 bits': 2_147_483_648,
  'the largest whole number': Number.MAX_SAFE_INTEGER,
} as const;

/** Other calls with an id of 0, which some languages take for no id. */
const ZEROS = {
  'authenticate with the id 0': 0,
  'save with the id 0': 0,
  'log out with the id 0': 0,
} as const;

const idIn = (played: PlayedStep) => `the id ${JSON.stringify(replyIn(played)?.id) ?? 'absent'}`;

function firstOtherId<L extends string>(
  of: (label: L) => PlayedStep,
  ids: Readonly<Record<L, string | number>>,
): Fault | undefined {
  for (const [label, wanted] of entriesOf(ids)) {
    const played = of(label);
    if (String(replyIn(played)?.id) !== String(wanted))
      return { expected: `the id ${wanted}`, actual: idIn(played), shownBy: [played] };
  }
  return undefined;
}

const phone = '79990000001';

const SIGN_INS = {
  'auth.login': readCall({ method: 'auth.login', params: { user: 'anybody' } }),
  'auth.request_otp': readCall({ method: 'auth.request_otp', params: { phone } }),
  'auth.confirm_otp': readCall({ method: 'auth.confirm_otp', params: { phone, code: '000000' } }),
} as const;

export const replyChecks: readonly EhrCheck[] = [
  check({
    id: 'id-returned',
    title: 'A call with any whole number as id is served, and the reply carries the id',
    requirements: ['2.1-id-echoed'],
    expect: { ...labelled(NUMBERS, done), ...labelled(ZEROS, done), [REFUSED]: refused() },
    async play(world) {
      const envelope = { id: 0 };
      const { session } = await world.signIn('authenticate with the id 0', {}, { envelope });
      for (const [label, id] of entriesOf(NUMBERS))
        await world.getPatient(label, session, { envelope: { id } });
      await world.getPatient(REFUSED, world.session(), { envelope: { id: REFUSED_ID } });
      const other = await world.linked();
      const next = world.session(other.session.user);
      await world.saveAuthInfo('save with the id 0', next, other.userSign, { envelope });
      await world.removeAuthInfo('log out with the id 0', next, { envelope });
    },
    judge: ({ of }) => firstOtherId(of, { ...NUMBERS, ...ZEROS, [REFUSED]: REFUSED_ID }),
    advice: 'Tell a number from an id that is absent, and copy it into the reply, in success and in error.',
  }),
  check({
    id: 'no-sign-in-of-its-own',
    title: 'The EHR server offers no method with which an end user signs in',
    requirements: ['1-no-own-sign-in'],
    // By any code: whether the method or the cred is looked at first is left to the server.
    expect: labelled(SIGN_INS, refused()),
    async play(world) {
      for (const [label, body] of entriesOf(SIGN_INS))
        await world.send(label, world.post(body), { mistake: label });
    },
    advice: 'Leave sign-in to the authorization server: a session comes from there alone.',
  }),
];

/** Codes of get_patient by which a client of the field begins to link. */
const LINK_CODES = ['-33000', '-33001', '-33002'];
const NO_SESSION: readonly (Reason | undefined)[] = ['not_authorized', 'session_expired'];

export function readCodeCheck(checks: readonly EhrCheck[]): Check {
  const steps = stepsFor(checks, NO_SESSION);
  return checkOfAll({
    id: 'code-of-read-without-session',
    title: 'A read with a cred that is no live session is refused by a code that lets the client link',
    requirements: ['DE-numbers'],
    scenarios: [...new Set(steps.map(({ scenario }) => scenario))],
    judge(journal) {
      const isRead = ({ step, exchanges }: PlayedStep) =>
        step.step === 'getPatient' && hasCred(exchanges[0]?.request.body);
      const refused = refusedIn(journal, steps).filter(isRead);
      if (refused.length === 0) return { notApplicable: 'no read was refused for want of a session' };
      const shownBy = refused.filter((each) => !LINK_CODES.includes(toldCode(each)));
      if (shownBy.length === 0) return { right: refused };
      return { expected: `one of ${LINK_CODES.join(', ')}`, actual: wordsOf(shownBy, refused), shownBy };
    },
    advice: 'Answer get_patient without a live session by -33000: clients show their form by that code.',
  });
}

/** Whether the cred of a call is an object: how another one is refused is left to the server. */
const hasCred = (body: string | undefined) => isObject(membersOf(jsonIn(body)).cred);

const stepsFor = (checks: readonly EhrCheck[], reasons: readonly (Reason | undefined)[]): Label[] =>
  checks.flatMap(({ scenario, expect }) =>
    Object.entries(expect)
      .filter(([, { reason }]) => reason !== undefined && reasons.includes(reason))
      .map(([label]) => ({ scenario: scenario.id, label })),
  );

/** Those of these steps that were refused. Where calls took too long, another refusal may be right. */
function refusedIn(journal: JournalView, steps: readonly Label[]): PlayedStep[] {
  const isInTime = ({ scenario }: Label) => journal.ending(scenario)?.stopped?.blame !== 'environment';
  const played = steps.filter(isInTime).flatMap((label) => journal.steps(label));
  return played.filter(({ result }) => result.kind === 'refused');
}

const wordsOf = (shownBy: readonly PlayedStep[], refused: readonly PlayedStep[]) =>
  `code ${[...new Set(shownBy.map(toldCode))].join(', ')} (${shownBy.length} of ${refused.length} refusals)`;

const toldCode = ({ result }: PlayedStep) =>
  result.kind === 'refused' ? (result.code ?? `HTTP ${result.status}`) : '';

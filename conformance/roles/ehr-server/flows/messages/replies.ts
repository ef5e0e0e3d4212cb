/**
 * Checks of the replies of an EHR server: their ids, and the answers to notifications and batches (§2.1,
 * decisions 3, 6).
 */

import type { Fault } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import {
  check,
  done,
  type EhrCheck,
  type EhrExpectation,
  ends,
  entriesOf,
  labelled,
  refused,
} from '../../check.ts';
import { readCall } from '../../world/messages.ts';
import { replyIn } from '../../world/played.ts';
import type { EhrWorld } from '../../world/world.ts';

const REFUSED = 'a number, refused';
const REFUSED_ID = 4712;

/** Numbers as ids of reads, by the label of the step. The reply must have the same id. */
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

/** Texts as ids of reads, by the label of the step. A server may refuse all but the plain one. */
const TEXTS = {
  'a text': 'b-4711',
  'an empty text': '',
  'capitals and zeros': 'ABC-007',
  'digits with zeros before them': '007',
  'letters beyond ASCII': 'заявка-№1-é-🙂',
  'a long text': 'x'.repeat(200),
} as const;

const idIn = (played: PlayedStep) => `the id ${JSON.stringify(replyIn(played)?.id) ?? 'absent'}`;

/** Names the first fault of replies to calls with these ids. A number may come back as its text. */
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

/** The part of a check that sends bodies, each of which must end as expected. */
const bodiesEnd = <L extends string>(expected: EhrExpectation, bodies: Readonly<Record<L, string>>) => ({
  expect: labelled(bodies, expected),
  async play(world: EhrWorld<L>) {
    for (const label of Object.keys(bodies) as L[])
      await world.send(label, world.post(bodies[label]), { mistake: label });
  },
});

const phone = '79990000001';

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
    id: 'text-ids-returned',
    title: 'A call with a text as id is served, and the reply carries every text as it was sent',
    requirements: ['D4-number-or-string'],
    expect: { ...labelled(TEXTS, ends), 'a text': done },
    async play(world) {
      const { session } = await world.linked();
      for (const [label, id] of entriesOf(TEXTS))
        await world.getPatient(label, session, { envelope: { id } });
    },
    judge: ({ of }) => firstOtherId(of, TEXTS),
    advice: 'Copy the id of the request into its reply, whatever its value: clients of the field send texts.',
  }),
  check({
    id: 'no-sign-in-of-its-own',
    title: 'The EHR server offers no method with which an end user signs in',
    requirements: ['1-no-own-sign-in'],
    // By any code: whether the method or the cred is looked at first is left to the server.
    ...bodiesEnd(refused(), {
      'auth.login': readCall({ method: 'auth.login', params: { user: 'anybody' } }),
      'auth.request_otp': readCall({ method: 'auth.request_otp', params: { phone } }),
      'auth.confirm_otp': readCall({ method: 'auth.confirm_otp', params: { phone, code: '000000' } }),
    }),
    advice: 'Leave sign-in to the authorization server: a session comes from there alone.',
  }),
];

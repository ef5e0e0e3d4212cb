/**
 * Checks of the replies of an EHR server: their ids, and the answers to notifications and batches (§2.1,
 * decisions 3, 6).
 */

import type { About } from '../../../../engine/check/flow.ts';
import type { Fault } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import {
  check,
  done,
  type EhrCheck,
  ends,
  entriesOf,
  http,
  labelled,
  nothingWrong,
  refused,
  refusedBy,
} from '../../check.ts';
import { callOf, METHODS, pairOf, readOf } from '../../world/messages.ts';
import { replyIn } from '../../world/played.ts';

const MAX_BATCH = 100;
const batchOf = (size: number) => Array.from({ length: size }, (_, id) => readOf({ id }));

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

/** Names the fault of a reply whose id, or the type of it, is another than wanted; undefined: it is right. */
function otherId(played: PlayedStep, wanted: string | number): Fault | undefined {
  if (replyIn(played)?.id === wanted) return undefined;
  return { expected: `the id ${JSON.stringify(wanted)}`, actual: idIn(played), shownBy: [played] };
}

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

/**
 * Creates a check for servers whose file states how ids come back: `string` as text, `echo` as they were
 * sent.
 * @param about says what names the check, and the number that is sent as an id
 */
function idForm(form: 'string' | 'echo', about: About & { number: number; advice: string }): EhrCheck {
  const { number, ...named } = about;
  return check({
    ...named,
    expect: { 'a number': done, 'a text of digits': done },
    async play(world) {
      const { replyId } = world.settings;
      world.needs(replyId === form, `the file states replyId: ${replyId}`);
      const { session } = await world.linked();
      await world.getPatient('a number', session, { envelope: { id: number } });
      await world.getPatient('a text of digits', session, { envelope: { id: `${number}` } });
    },
    judge: ({ of }) =>
      otherId(of('a number'), form === 'echo' ? number : `${number}`) ??
      otherId(of('a text of digits'), `${number}`),
  });
}

const IN_ORDER = 'first: result, second: error, third: result';

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
    id: 'null-id-returned',
    title: 'A request whose id is null is answered with the id null',
    requirements: ['D3-null-id'],
    expect: { 'an id of null': done },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('an id of null', session, { envelope: { id: null } });
    },
    judge: nothingWrong('the id null', ['an id of null'], (played) => {
      const reply = replyIn(played);
      return (!reply || reply.id !== null) && idIn(played);
    }),
    advice: 'Tell an id of null from an id that is absent: the first wants a reply.',
  }),
  idForm('string', {
    id: 'id-as-text',
    title: 'A number id comes back as text, where the server is said to do so',
    requirements: ['4-id-as-string'],
    number: 4713,
    advice: 'Return the id as text, or state replyId: echo in the file where your clients expect numbers.',
  }),
  idForm('echo', {
    id: 'id-as-sent',
    title: 'An id comes back in the type in which it came, where the server is said to do so',
    requirements: ['D3-echo'],
    number: 4714,
    advice: 'Return the id in its own type, or state replyId: string in the file.',
  }),
  check({
    id: 'notification-carried-out',
    title: 'A request without an id is carried out and answered with HTTP 204 and no body',
    requirements: ['D3-notification'],
    expect: {
      'log out without an id': http(204),
      'read the patient': refusedBy('not_authorized'),
      'a refused call without an id': http(204),
    },
    async play(world) {
      const { session } = await world.linked();
      await world.removeAuthInfo('log out without an id', session, { envelope: { id: undefined } });
      await world.getPatient('read the patient', session);
      await world.getPatient('a refused call without an id', session, { envelope: { id: undefined } });
    },
    judge: nothingWrong(
      'no body',
      ['log out without an id', 'a refused call without an id'],
      ({ exchanges }) => exchanges[0]?.response?.body !== '' && 'a body',
    ),
    advice: 'Carry out a call without id, and answer 204 with nothing else.',
  }),
  check({
    id: 'batch-in-order',
    title: 'A batch is carried out and answered with a list of replies, in the order of its calls',
    requirements: ['D6-batch', 'D6-batch-order'],
    expect: { 'a batch of three': http(200) },
    async play(world) {
      const { session } = await world.linked();
      const cred = pairOf(session);
      await world.sendJson('a batch of three', [
        readOf({ id: 'first', cred }),
        readOf({ id: 'second', method: 'no.method' }),
        readOf({ id: 'third', cred }),
      ]);
    },
    judge: nothingWrong(IN_ORDER, ['a batch of three'], (played) => {
      const replies = replyIn(played) as unknown;
      if (!Array.isArray(replies)) return 'no list';
      const kindOf = (reply: unknown) => ('result' in Object(reply) ? 'result' : 'error');
      const said = replies.map((reply) => `${Object(reply).id}: ${kindOf(reply)}`).join(', ');
      return said !== IN_ORDER && said;
    }),
    advice: 'Answer a list with a list, one reply for each call that has an id, in the order of the calls.',
  }),
  check({
    id: 'batch-limited',
    title: 'A batch of 100 calls is served; one of 101 is refused and none of its calls is carried out',
    requirements: ['D6-batch-limit'],
    control: ['read before'],
    expect: { 'a batch of 101': refusedBy('invalid_request'), 'read after': done },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('read before', session);
      const logout = callOf(METHODS.removeAuthInfo, {}, pairOf(session));
      await world.sendJson('a batch of 101', [logout, ...batchOf(MAX_BATCH)]);
      await world.getPatient('read after', session);
    },
    advice: 'Count the calls of a batch before the first is carried out.',
  }),
  check({
    id: 'batch-of-100-served',
    title: 'A batch of 100 calls is served',
    requirements: ['D6-batch-limit'],
    expect: { 'a batch of 100': http(200) },
    play: (world) => world.sendJson('a batch of 100', batchOf(MAX_BATCH)),
    judge: nothingWrong(`${MAX_BATCH} replies`, ['a batch of 100'], (played) => {
      const replies = replyIn(played) as unknown;
      return (!Array.isArray(replies) || replies.length !== MAX_BATCH) && 'other than that';
    }),
    advice: 'Serve batches of up to 100 calls.',
  }),
];

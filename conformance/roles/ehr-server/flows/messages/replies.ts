/** Replies: their id, notifications and batches (§2.1, decisions 3 and 6). */
import type { Fault } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { check, done, type EhrCheck, http, refusedBy } from '../../check.ts';
import { replyIn } from '../../world/reply-in.ts';
import { readCall } from './read-call.ts';

const MAX_BATCH = 100;
const batchOf = (size: number) =>
  JSON.stringify(Array.from({ length: size }, (_, id) => JSON.parse(readCall({ id }))));

/** The fault of a reply whose id is another one, or of another type. */
function otherId(played: PlayedStep, wanted: string | number): Fault | undefined {
  const id = replyIn(played)?.id;
  if (id === wanted) return undefined;
  return {
    expected: `the id ${JSON.stringify(wanted)}`,
    actual: `the id ${JSON.stringify(id) ?? 'absent'}`,
    shownBy: [played],
  };
}

export const replyChecks: readonly EhrCheck[] = [
  check({
    id: 'id-returned',
    title: 'The reply carries the id of its request, in success and in error',
    requirements: ['2.1-id-echoed', 'D4-number-or-string', 'D3-null-id'],
    expect: {
      'a number': done,
      'a text': done,
      null: done,
      'a number, refused': refusedBy('not_authorized'),
    },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('a number', session, { envelope: { id: 4711 } });
      await world.getPatient('a text', session, { envelope: { id: 'b-4711' } });
      await world.getPatient('null', session, { envelope: { id: null } });
      await world.getPatient('a number, refused', world.session(), { envelope: { id: 4712 } });
    },
    judge({ of }) {
      const wanted = {
        'a number': '4711',
        'a text': 'b-4711',
        null: 'null',
        'a number, refused': '4712',
      } as const;
      for (const label of Object.keys(wanted) as (keyof typeof wanted)[]) {
        const played = of(label);
        const id = replyIn(played)?.id;
        if (String(id) === wanted[label]) continue;
        return {
          expected: `the id ${wanted[label]}`,
          actual: `the id ${JSON.stringify(id) ?? 'absent'}`,
          shownBy: [played],
        };
      }
      return undefined;
    },
    advice: 'Copy the id of the request into its reply, also where the call is refused.',
  }),
  check({
    id: 'id-as-text',
    title: 'A number id comes back as text, where the server is said to do so',
    requirements: ['4-id-as-string'],
    expect: { 'a number': done, 'a text of digits': done },
    async play(world) {
      world.needReplyId('string');
      const { session } = await world.linked();
      await world.getPatient('a number', session, { envelope: { id: 4713 } });
      await world.getPatient('a text of digits', session, { envelope: { id: '4713' } });
    },
    judge: ({ of }) => otherId(of('a number'), '4713') ?? otherId(of('a text of digits'), '4713'),
    advice: 'Return the id as text, or state replyId: echo in the file where your clients expect numbers.',
  }),
  check({
    id: 'id-as-sent',
    title: 'An id comes back in the type in which it came, where the server is said to do so',
    requirements: ['D3-echo'],
    expect: { 'a number': done, 'a text of digits': done },
    async play(world) {
      world.needReplyId('echo');
      const { session } = await world.linked();
      await world.getPatient('a number', session, { envelope: { id: 4714 } });
      await world.getPatient('a text of digits', session, { envelope: { id: '4714' } });
    },
    judge: ({ of }) => otherId(of('a number'), 4714) ?? otherId(of('a text of digits'), '4714'),
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
    judge({ of }) {
      const silent = [of('log out without an id'), of('a refused call without an id')];
      const played = silent.find(({ exchanges }) => exchanges[0]?.response?.body !== '');
      return played && { expected: 'no body', actual: 'a body', shownBy: [played] };
    },
    advice: 'Carry out a call without id, and answer 204 with nothing else.',
  }),
  check({
    id: 'batch-in-order',
    title: 'A batch is carried out and answered with a list of replies, in the order of its calls',
    requirements: ['D6-batch', 'D6-batch-order'],
    expect: { 'a batch of three': http(200) },
    async play(world) {
      const { session } = await world.linked();
      const cred = { user: session.user, token: session.token };
      const calls = [
        JSON.parse(readCall({ id: 'first', cred })),
        JSON.parse(readCall({ id: 'second', method: 'no.method' })),
        JSON.parse(readCall({ id: 'third', cred })),
      ];
      await world.send('a batch of three', world.post(JSON.stringify(calls)));
    },
    judge({ of }) {
      const played = of('a batch of three');
      const replies = replyIn(played) as unknown;
      const said = Array.isArray(replies)
        ? replies
            .map((reply) => `${Object(reply).id}: ${'result' in Object(reply) ? 'result' : 'error'}`)
            .join(', ')
        : 'no list';
      const expected = 'first: result, second: error, third: result';
      return said === expected ? undefined : { expected, actual: said, shownBy: [played] };
    },
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
      const cred = { user: session.user, token: session.token };
      await world.getPatient('read before', session);
      const logout = { jsonrpc: '2.0', id: 1, method: 'embedded_storage.remove_auth_info', params: {}, cred };
      const calls = [logout, ...(JSON.parse(batchOf(MAX_BATCH)) as unknown[])];
      await world.send('a batch of 101', world.post(JSON.stringify(calls)));
      await world.getPatient('read after', session);
    },
    advice: 'Count the calls of a batch before the first is carried out.',
  }),
  check({
    id: 'batch-of-100-served',
    title: 'A batch of 100 calls is served',
    requirements: ['D6-batch-limit'],
    expect: { 'a batch of 100': http(200) },
    play: async (world) => void (await world.send('a batch of 100', world.post(batchOf(MAX_BATCH)))),
    judge({ of }) {
      const played = of('a batch of 100');
      const replies = replyIn(played) as unknown;
      if (Array.isArray(replies) && replies.length === MAX_BATCH) return undefined;
      return { expected: `${MAX_BATCH} replies`, actual: 'other than that', shownBy: [played] };
    },
    advice: 'Serve batches of up to 100 calls.',
  }),
];

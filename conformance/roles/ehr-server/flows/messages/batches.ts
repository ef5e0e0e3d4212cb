/** The calls of a batch are calls of their own: each with its cred, its params and its reply. */
import { isObject } from '#protocol/wire/envelope.ts';
import { check, done, type EhrCheck, ends, http, nothingNoted, refused } from '../../check.ts';
import { propertiesOf } from '../../world/patients.ts';
import { type Called, type EhrWorld, type Linked, recordIdIn } from '../../world/world.ts';
import { READ } from './read-call.ts';

/** What a reply in a batch must be: the id of a record, or an error. */
type Wanted = { id: number | null; record?: string };

const pairOf = ({ session: { user, token } }: Linked) => ({ user, token });

/** Says what is wrong with the replies of a batch; empty when they are right. */
function faultOf({ answer }: Called, wanted: readonly Wanted[]): string {
  const replies: unknown = answer.kind === 'answer' ? listIn(answer.text) : undefined;
  if (!Array.isArray(replies)) return 'no list of replies';
  if (replies.length !== wanted.length) return `${replies.length} replies instead of ${wanted.length}`;
  for (const [index, { id, record }] of wanted.entries()) {
    const reply: Record<string, unknown> = isObject(replies[index]) ? replies[index] : {};
    const place = `reply ${index + 1} of ${wanted.length}`;
    if (String(reply.id) !== String(id)) return `${place} has the id of another call`;
    if (record === undefined && 'result' in reply)
      return `${place} is a success, where its call has no right to one`;
    if (record !== undefined && recordIdIn(reply) !== record)
      return `${place} ${'result' in reply ? 'has the record of another user' : 'is an error'}`;
  }
  return '';
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: no list either.
    return undefined;
  }
}

const request = (id: number | undefined, method: string, params: object, cred?: unknown) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  method,
  params,
  ...(cred !== undefined && { cred }),
});

async function sendReads<L extends string>(
  world: EhrWorld<L>,
  label: L,
  [mine, other]: readonly [Linked, Linked],
) {
  const [own, others] = [pairOf(mine), pairOf(other)];
  const rows: readonly [cred: unknown, record?: string][] = [
    [own, mine.recordId],
    [undefined],
    [null],
    [others, other.recordId],
    [{ user: own.user }],
    [{ user: own.user, token: others.token }],
    [{ user: others.user, token: own.token }],
    [own, mine.recordId],
    [others, other.recordId],
  ];
  const calls = rows.map(([cred], index) => request(rows.length - index, READ, {}, cred));
  const silent = request(undefined, READ, {}, others);
  const body = JSON.stringify([calls[0], silent, ...calls.slice(1)]);
  const called = await world.send(label, world.post(body));
  world.observe(label, {
    fault: faultOf(
      called,
      rows.map(([, record], index) => ({ id: rows.length - index, ...(record !== undefined && { record }) })),
    ),
  });
}

async function sendAlike<L extends string>(
  world: EhrWorld<L>,
  label: L,
  [mine, other]: readonly [Linked, Linked],
) {
  const order = [mine, other, other, mine];
  const calls = order.map((linked) => request(7, READ, {}, pairOf(linked)));
  const called = await world.send(label, world.post(JSON.stringify(calls)));
  world.observe(label, {
    fault: faultOf(
      called,
      order.map(({ recordId }) => ({ id: 7, record: recordId })),
    ),
  });
}

/** An entry that is no call is answered by an error, and its neighbours as ever. */
async function sendBroken<L extends string>(world: EhrWorld<L>, label: L, linked: Linked) {
  const calls = [request(2, READ, {}, pairOf(linked)), 1, request(1, READ, {}, pairOf(linked))];
  const called = await world.send(label, world.post(JSON.stringify(calls)));
  const { recordId: record } = linked;
  world.observe(label, { fault: faultOf(called, [{ id: 2, record }, { id: null }, { id: 1, record }]) });
}

const ALONE = ['a batch of one', 'a batch of one that is refused'] as const;
const SILENT = 'a batch of notifications';

const BATCHES = ['reads of two users and of nobody', 'reads of one id', 'reads around no call'] as const;

export const batchChecks: readonly EhrCheck[] = [
  check({
    id: 'calls-of-batch-apart',
    title: 'Each call of a batch is judged by its own cred, and its reply is its own',
    requirements: ['D6-batch', 'D6-batch-order', '4.4-not-authenticated', '4.4-record-and-sign'],
    expect: Object.fromEntries(BATCHES.map((label) => [label, http(200)])),
    async play(world) {
      const both = [await world.linked(), await world.linked()] as const;
      await sendReads(world, 'reads of two users and of nobody', both);
      await sendAlike(world, 'reads of one id', both);
      await sendBroken(world, 'reads around no call', both[0]);
    },
    judge: nothingNoted('a reply for each call, about its own user', ...BATCHES),
    advice:
      'Handle each call of a batch from scratch: its cred, its params, its id; keep nothing from the one before.',
  }),
  check({
    id: 'small-batches-answered',
    title: 'A batch of one call is answered by a list of one reply, and a batch of notifications by nothing',
    requirements: ['D6-batch', 'D3-notification'],
    control: ['read before'],
    expect: { [ALONE[0]]: http(200), [ALONE[1]]: http(200), 'read after': done, [SILENT]: ends },
    async play(world) {
      const linked = await world.linked();
      const cred = pairOf(linked);
      await world.getPatient('read before', linked.session);
      for (const [label, pair] of [
        [ALONE[0], cred],
        [ALONE[1], { ...cred, token: world.session().token }],
      ] as const) {
        const called = await world.send(label, world.post(JSON.stringify([request(1, READ, {}, pair)])));
        const wanted = label === ALONE[0] ? { id: 1, record: linked.recordId } : { id: 1 };
        world.observe(label, { fault: faultOf(called, [wanted]) });
      }
      const silent = [request(undefined, READ, {}, cred), request(undefined, READ, {}, cred)];
      const { answer } = await world.send(SILENT, world.post(JSON.stringify(silent)));
      world.observe(SILENT, { fault: answer.kind === 'answer' && answer.text.trim() === '' ? '' : 'a body' });
      await world.getPatient('read after', linked.session);
    },
    judge: nothingNoted('a list of one reply; no body where every call is silent', ...ALONE, SILENT),
    advice:
      'Answer a list by a list, however short; answer 204 with no body where none of its calls has an id.',
  }),
  check({
    id: 'saves-of-batch-apart',
    title: 'Each internal call of a batch needs its own digest, and each authenticate its own properties',
    requirements: ['4.1-cred-required', '4.2-cred-required', '5.1-digest-verified', 'D6-batch'],
    expect: {
      'a batch of saves': http(200),
      'read with the session of the right save': done,
      'read with a session saved without cred': refused('not_authorized'),
      "read with a session saved over another's digest": refused('not_authorized'),
      'use the exchange token saved without cred': refused('exchange_token_unknown'),
    },
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      const next = (linked: Linked) => world.session(linked.session.user);
      const [right, bare, borrowed] = [next(mine), next(other), next(other)];
      const [saved, unsigned] = [world.invented('exchange-token'), world.invented('exchange-token')];
      const [save, announce] = ['embedded_storage.save_auth_info', 'embedded_storage.save_exchange_token'];
      const session = next(mine);
      const calls = [
        request(1, announce, { exchangeToken: saved, authInfo: session }, world.internalCred(saved)),
        request(2, announce, { exchangeToken: unsigned, authInfo: session }),
        request(3, save, { authInfo: right }, world.internalCred(mine.userSign)),
        request(4, save, { authInfo: bare }),
        request(5, save, { authInfo: borrowed }, world.internalCred(mine.userSign)),
      ];
      const body = { ...world.post(JSON.stringify(calls)), url: world.internalUrl };
      await world.send('a batch of saves', body, { isInternal: true });
      await world.getPatient('read with the session of the right save', right);
      await world.getPatient('read with a session saved without cred', bare);
      await world.getPatient("read with a session saved over another's digest", borrowed);
      const pending = { exchangeToken: unsigned, session };
      await world.authenticate(
        'use the exchange token saved without cred',
        pending,
        propertiesOf(mine.person),
      );
    },
    advice: 'Verify the digest of each call of a batch by itself, over the secret of that very call.',
  }),
];

/** Checks that a user reads only the own patient, whatever ids the call names and whoever calls meanwhile. */
import type { Reason } from '#protocol/wire/errors.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { type EhrFlow, flow, nothingNoted, samePatient } from '../../flow.ts';
import type { KnownPerson } from '../../settings.ts';
import type { Called } from '../../world/calls.ts';
import { type AuthInfo, pairOf, readCall, recordIn, signOf, valuesOf } from '../../world/messages.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';
import { failEach, inEachProperty } from '../linking/near-misses.ts';

/** How often all users read at once: one time alone may miss the moment at which a server errs. */
const ROUNDS = 4;

const IDS_OF_PATIENT = ['id', 'patientId', 'patient_id', 'patient', 'recordId'];
const IDS_OF_USER = ['user', 'userId', 'user_id', 'internalUserId', 'internal_user_id'];
const IDS_OF_LINK = ['token', 'cred', 'authInfo', 'user_sign', 'patientProperties'];
const IDS = [...IDS_OF_PATIENT, ...IDS_OF_USER, ...IDS_OF_LINK];
const byId = (name: string) => `with ${name}`;
const PROBES = [...IDS.map(byId), 'in the envelope', 'in headers', 'in the address'];

const NO_ID = 'the record has no id by which patients are told apart';

const recordIdOf = ({ reply }: Called): unknown => recordIn(reply).id;

const CONDITIONS = inEachProperty({
  'as {"$ne":null}': { $ne: null },
  'as {"$gt":""}': { $gt: '' },
  'as {"$regex":".*"}': { $regex: '.*' },
  'as [null]': [null],
  'as true': true,
});

export const othersPatientsFlows: readonly EhrFlow[] = [
  flow('conditions-match-nobody', {
    title: 'A property that is an object, a list or true matches nobody',
    requirements: ['4.3-patient-must-fit'],
    advice:
      'Check that each property is a text before it reaches a search: a database takes an object for a condition.',
    play: async (world) => failEach(world, CONDITIONS, await world.patient()),
  }),
  flow('ids-choose-nobody', {
    title: 'An id among the params of get_patient, in its envelope, headers or address chooses nobody else',
    requirements: ['4.4-record-and-sign'],
    judge: samePatient(PROBES, 'without an id'),
    advice: 'Take the patient from the link of the session, and nothing from the params of get_patient.',
    async play(world) {
      const [own, other] = [await world.linked(), await world.linked()];
      const foreign = recordIdOf(await world.control(world.getPatient('without an id', other.session)));
      await world.control(world.getPatient('without an id', own.session));
      world.needs(foreign !== undefined, NO_ID);
      const { user, token } = other.session;
      const values: Record<string, unknown> = {
        ...Object.fromEntries(IDS_OF_USER.map((name) => [name, user])),
        token,
        cred: { user, token },
        authInfo: other.session,
        user_sign: other.userSign,
        patientProperties: propertiesOf(other.person),
      };
      for (const name of IDS) {
        const params = { [name]: values[name] ?? foreign };
        await world.getPatient(byId(name), own.session, { params })();
      }
      const envelope = { user, token, userId: user, patientId: foreign };
      await world.getPatient('in the envelope', own.session, { envelope })();
      const headers = {
        'x-user': user,
        'x-user-id': user,
        'x-patient-id': String(foreign),
        authorization: `Bearer ${token}`,
      };
      await world.getPatient('in headers', own.session, { headers })();
      const request = world.post(readCall({ cred: pairOf(own.session) }));
      const query = new URLSearchParams({ user, token, patientId: String(foreign), id: String(foreign) });
      await world.send('in the address', { ...request, url: `${request.url}?${query}` })();
    },
  }),
  flow('own-patient-at-once', {
    title:
      'Several users who call with the same JSON-RPC id, in turn and at the same moment, read their own patients',
    requirements: ['4.4-record-and-sign'],
    judge: nothingNoted('each user reads their own patient', 'read at once'),
    advice:
      'Keep calls under way by their connection and never by their id, and cache by the user: ids repeat.',
    async play(world) {
      const linked = [await world.linked(), await world.linked(), await world.linked()];
      const own = new Map<Linked, unknown>();
      for (const each of linked)
        own.set(each, recordIdOf(await world.succeeds(world.getPatient('read alone', each.session))));
      const known = [...own.values()].filter((id) => id !== undefined);
      world.needs(known.length > 0, NO_ID);
      let others = known.length - new Set(known).size;
      const read = async (each: Linked) => {
        const step = world.getPatient('read at once', each.session, { envelope: { id: 1 } });
        const called = await world.succeeds(step);
        if (called.result.kind === 'done' && recordIdOf(called) !== own.get(each)) others++;
      };
      for (let round = 0; round < ROUNDS; round++) await Promise.all([...linked, ...linked].map(read));
      world.observe('read at once', { fault: others === 0 ? '' : `${others} reads of another` });
    },
  }),
];

/** Two who share a phone, where there are such: a cache or a search might use it as its key. */
export async function twoPatients(world: EhrWorld): Promise<[KnownPerson, KnownPerson]> {
  const { matching } = world.settings.people;
  const isSharing = ({ phone }: KnownPerson) => matching.filter((each) => each.phone === phone).length > 1;
  const first = await world.preferably(isSharing);
  return [first, await world.preferably(({ phone }) => isSharing(first) && phone === first.phone)];
}

const KEPT = 'the server keeps user and patient together after a disconnect';
const FORMER = 'read with the former session, announced again';

export const cacheFlows: readonly EhrFlow[] = [
  flow('read-follows-new-link', {
    title:
      'After a disconnect a user who links another patient reads that one, and another user of the first reads it',
    requirements: ['3-disconnect-ends-session', '4.4-record-and-sign'],
    judge: readsOfTheLink,
    advice:
      'Cache a record under the link it came by, and forget it with the link: users, patients and phones come again.',
    async play(world) {
      const [first, second] = await twoPatients(world);
      const { session } = await world.linked({ person: first, session: world.sessionFor(first) });
      for (const _ of [1, 2]) await world.control(world.getPatient('read the first patient', session));
      await world.control(world.removeAuthentication('disconnect', session));
      await world.refuses(world.getPatient('read after the disconnect', session), 'not_authorized');
      const again = { person: second, session: world.session(session.user) };
      const renewed = await world.control(world.signIn('link the second patient', again));
      world.needs(renewed.result.kind !== 'refused', KEPT);
      for (const _ of [1, 2])
        await world.succeeds(world.getPatient('read the second patient', renewed.session));
      const another = { person: first, session: world.session() };
      const other = await world.control(world.signIn('link the first as another user', another));
      world.needs(other.result.kind !== 'refused', KEPT);
      for (const _ of [1, 2])
        await world.succeeds(world.getPatient('read the first as another user', other.session));
      // A server may refuse to open a session again that was ended with its link.
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('announce the former session again', exchangeToken, session)();
      await world.authenticate('open it', { exchangeToken, session, person: second })();
      await world.getPatient(FORMER, session)();
    },
  }),
];

function readsOfTheLink({ of, all }: Steps): Judgement {
  const [second, other] = [of('link the second patient'), of('link the first as another user')];
  // It links the same patient again, maybe with another signature.
  const former = of('open it').result.kind === 'done' ? of('open it') : second;
  const reads = [
    ...all('read the second patient').map((read) => ({ read, link: second })),
    ...all(FORMER).map((read) => ({ read, link: former })),
    ...all('read the first as another user').map((read) => ({ read, link: other })),
  ];
  // A reply of authenticate may have no record: then the read must at least not be of the first link.
  const isOfLink = ({ read, link }: (typeof reads)[number]) =>
    signOf(link) === undefined
      ? signOf(read) !== signOf(of('read the first patient'))
      : valuesOf(read).patient === valuesOf(link).patient && signOf(read) === signOf(link);
  const told = reads.filter(({ read }) => valuesOf(read).patient !== undefined);
  const wrong = told.find((each) => !isOfLink(each));
  if (!wrong) return undefined;
  return {
    expected: 'the patient and the user_sign of the link that is there now',
    actual: 'those of a former link, or of another user',
    shownBy: [wrong.read, wrong.link],
  };
}

/** Each ending is repeated: one race alone may miss the moment at which a server errs. */
const ENDING_ROUNDS = 2;
const READS = 4;

type Ending = (world: EhrWorld, session: AuthInfo) => Promise<unknown>;

const ENDINGS: Readonly<Record<string, Ending>> = {
  'a logout': (world, session) => world.removeAuthInfo('end it', session)(),
  'a disconnection': (world, session) => world.removeAuthentication('end it', session)(),
  'a new link': async (world, session) => {
    await world.removeAuthentication('end it', session)();
    const again = { person: await world.patient(), session: world.session(session.user) };
    await world.signIn('end it', again)();
  },
};
const NAMES = Object.keys(ENDINGS);
const meanwhile = (name: string) => `read during ${name}`;
const afterwards = (name: string) => `read after ${name}`;

type Met = { name: string; session: AuthInfo; reason: Reason; check: string; end: () => Promise<unknown> };

async function readAtEnding(world: EhrWorld, { name, session, reason, check, end }: Met): Promise<void> {
  const readAfter = () => world.refuses(world.getPatient(afterwards(name), session), reason, check);
  const reads = Array.from({ length: READS }, () => world.getPatient(meanwhile(name), session)());
  await end();
  await readAfter();
  await Promise.all(reads);
  // What was under way may have written to a cache.
  await readAfter();
}

export const readEndingFlows: readonly EhrFlow[] = [
  flow('no-read-outlives-ending', {
    title: 'Reads that are under way when a session ends bring it back for nobody',
    requirements: ['3-logout-ends-session', '3-disconnect-ends-session'],
    advice: 'Let no read write a session or a record to a cache after the session has ended.',
    async play(world) {
      const refused = { reason: 'not_authorized', check: 'no-read-outlives-ending' } as const;
      for (const [name, end] of Object.entries(ENDINGS))
        for (let round = 0; round < ENDING_ROUNDS; round++) {
          const linked = await world.linked();
          await world.control(world.getPatient('read before', linked.session));
          // A cache may have the record of a session that was read before: one round has a new one.
          const session = round === 0 ? linked.session : await world.saved(linked);
          await readAtEnding(world, { name, session, ...refused, end: () => end(world, session) });
          await world.release();
        }
    },
    checks: {
      'reads-at-ending-of-own-patient': {
        title: 'A read that is under way when its session ends gives no other patient',
        requirements: ['4.4-record-and-sign'],
        judge: readsOfOwnPatient,
        advice: 'Read session, link and record in one transaction.',
      },
    },
  }),
  flow('no-read-outlives-expiry', {
    title: 'Reads that are under way when the ttl of a session is over do not keep it alive',
    requirements: ['K-session-over-at-ttl'],
    advice: 'Compare the end of the session with the clock at each call, whatever was cached of it.',
    async play(world) {
      world.needs(world.parts.canAdvance, 'nothing moves the clock of the server while calls are under way');
      const end = async () => {
        // Once this call is answered, the reads have reached the server.
        await world.send('a call beside the reads', world.post(readCall({ method: 'no.method' })))();
        await world.advance(1, 1);
      };
      const refused = { reason: 'session_expired', check: 'no-read-outlives-expiry' } as const;
      for (let round = 0; round < ENDING_ROUNDS; round++) {
        const linked = await world.linked();
        const session = await world.saved(linked, { ttl: world.ttl(1) });
        await world.control(world.getPatient('read before', session));
        await readAtEnding(world, { name: 'the end of the ttl', session, ...refused, end });
        await world.release();
      }
    },
  }),
];

function readsOfOwnPatient({ all }: Steps): Judgement {
  const before = all('read before');
  if (before.some((read) => valuesOf(read).patient === undefined)) return { notApplicable: NO_ID };
  for (const [place, name] of NAMES.entries())
    for (const [index, read] of all(meanwhile(name)).entries()) {
      const own = before[place * ENDING_ROUNDS + Math.floor(index / READS)];
      const { patient } = valuesOf(read);
      if (own && patient !== undefined && patient !== valuesOf(own).patient)
        return { expected: `${valuesOf(own).patient}`, actual: patient, shownBy: [own, read] };
    }
  return undefined;
}

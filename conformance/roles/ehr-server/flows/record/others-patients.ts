/** Checks that a user reads only the own patient, whatever ids the call names and whoever calls meanwhile. */
import { check, done, type EhrCheck, ends, labelled, nothingNoted, refused } from '../../check.ts';
import { recordIn } from '../../world/answer.ts';
import type { Called } from '../../world/calls.ts';
import { pairOf, readCall } from '../../world/messages.ts';
import { propertiesOf } from '../../world/patients.ts';
import { valuesOf } from '../../world/played.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';
import { type Changes, eachRefused, withValue } from '../linking/attempts.ts';

const USERS = 3;
const ROUNDS = 4;

const IDS_OF_PATIENT = ['id', 'patientId', 'patient_id', 'patient', 'recordId'] as const;
const IDS_OF_USER = ['user', 'userId', 'user_id', 'internalUserId', 'internal_user_id'] as const;
const IDS = [
  ...IDS_OF_PATIENT,
  ...IDS_OF_USER,
  'token',
  'cred',
  'authInfo',
  'user_sign',
  'patientProperties',
] as const;
const byId = (name: (typeof IDS)[number]) => `with ${name}` as const;
const PLACES = ['in the envelope', 'in headers', 'in the address'] as const;

const NO_ID = 'the record has no id by which patients are told apart';

const recordIdOf = ({ reply }: Called): unknown => recordIn(reply).id;

const CONDITIONS: Readonly<Record<string, unknown>> = {
  '{"$ne":null}': { $ne: null },
  '{"$gt":""}': { $gt: '' },
  '{"$regex":".*"}': { $regex: '.*' },
  '[null]': [null],
  true: true,
};

const CONDITIONS_OF_EACH: Changes = Object.fromEntries(
  ['name', 'surname', 'date', 'phone'].flatMap((name) =>
    Object.entries(CONDITIONS).map(([words, value]) => [`${name} as ${words}`, withValue(name, value)]),
  ),
);

const PROBES = [...IDS.map(byId), ...PLACES];

async function linkUsers(world: EhrWorld): Promise<Linked[]> {
  const linked = [];
  while (linked.length < USERS) linked.push(await world.linked());
  return linked;
}

export const othersPatientsChecks: readonly EhrCheck[] = [
  check({
    id: 'conditions-match-nobody',
    title: 'A property that is an object, a list or true matches nobody',
    requirements: ['4.3-patient-must-fit'],
    ...eachRefused(refused(), CONDITIONS_OF_EACH),
    advice:
      'Check that each property is a text before it reaches a search: a database takes an object for a condition.',
  }),
  check({
    id: 'ids-choose-nobody',
    title: 'An id among the params of get_patient, in its envelope, headers or address chooses nobody else',
    requirements: ['4.4-record-and-sign'],
    control: ['without an id'],
    expect: labelled(PROBES, ends),
    async play(world) {
      const [own, other] = [await world.linked(), await world.linked()];
      const foreign = recordIdOf(await world.getPatient('without an id', other.session));
      await world.getPatient('without an id', own.session);
      world.needs(foreign !== undefined, NO_ID);
      const { user, token } = other.session;
      const values: Partial<Record<(typeof IDS)[number], unknown>> = {
        ...Object.fromEntries(IDS_OF_USER.map((name) => [name, user])),
        token,
        cred: { user, token },
        authInfo: other.session,
        user_sign: other.userSign,
        patientProperties: propertiesOf(other.person),
      };
      for (const name of IDS)
        await world.getPatient(byId(name), own.session, { params: { [name]: values[name] ?? foreign } });
      const envelope = { user, token, userId: user, patientId: foreign };
      await world.getPatient('in the envelope', own.session, { envelope });
      const headers = {
        'x-user': user,
        'x-user-id': user,
        'x-patient-id': String(foreign),
        authorization: `Bearer ${token}`,
      };
      await world.getPatient('in headers', own.session, { headers });
      const call = readCall({ cred: pairOf(own.session) });
      const query = new URLSearchParams({ user, token, patientId: String(foreign), id: String(foreign) });
      const request = world.post(call);
      await world.send('in the address', { ...request, url: `${request.url}?${query}` });
    },
    judge({ all, of }) {
      const [, own] = all('without an id');
      const patientOf = (played: typeof own) => played && valuesOf(played).patient;
      const chosen = PROBES.map(of).find((played) => {
        const patient = patientOf(played);
        return patient !== undefined && patient !== patientOf(own);
      });
      const expected = `${patientOf(own)}, the patient of the session`;
      return chosen && { expected, actual: `${patientOf(chosen)}`, shownBy: [chosen] };
    },
    advice: 'Take the patient from the link of the session, and nothing from the params of get_patient.',
  }),
  check({
    id: 'own-patient-at-once',
    title:
      'Several users who call with the same JSON-RPC id, in turn and at the same moment, read their own patients',
    requirements: ['4.4-record-and-sign'],
    expect: { 'read alone': done, 'read at once': done },
    async play(world) {
      const linked = await linkUsers(world);
      const own = new Map<Linked, unknown>();
      for (const each of linked)
        own.set(each, recordIdOf(await world.getPatient('read alone', each.session)));
      const known = [...own.values()].filter((id) => id !== undefined);
      world.needs(known.length > 0, NO_ID);
      let others = known.length - new Set(known).size;
      const read = async (each: Linked) => {
        const called = await world.getPatient('read at once', each.session, { envelope: { id: 1 } });
        if (called.result.kind === 'done' && recordIdOf(called) !== own.get(each)) others++;
      };
      for (let round = 0; round < ROUNDS; round++) await Promise.all([...linked, ...linked].map(read));
      world.observe('read at once', { fault: others === 0 ? '' : `${others} reads of another` });
    },
    judge: nothingNoted('each user reads their own patient', 'read at once'),
    advice:
      'Keep calls under way by their connection and never by their id, and cache by the user: ids repeat.',
  }),
];

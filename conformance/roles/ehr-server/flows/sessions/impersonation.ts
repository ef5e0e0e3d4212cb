/** Checks that a call which names another user in a further member does not act for that user. */
import type { Fault, Steps } from '../../../../engine/check/steps.ts';
import { check, done, type EhrCheck, ends, labelled, refused } from '../../check.ts';
import type { CallOptions } from '../../world/calls.ts';
import { propertiesOf } from '../../world/patients.ts';
import { valuesOf } from '../../world/played.ts';
import type { Linked } from '../../world/world.ts';

type Disguise = (other: Linked) => CallOptions & { properties?: object };

/** The key says where the other user or patient is named. */
const DISGUISES: Readonly<Record<string, Disguise>> = {
  'user among the params': ({ session }) => ({ params: { user: session.user, token: session.token } }),
  'internal user id among the params': ({ session: { user } }) => ({
    params: { internalUserId: user, internal_user_id: user, userId: user, user_id: user },
  }),
  'authInfo among the params': ({ session }) => ({ params: { authInfo: session } }),
  'patient among the params': ({ recordId: id }) => ({
    params: { id, patientId: id, patient_id: id, patient: id },
  }),
  'user among the properties': ({ session: { user } }) => ({
    properties: { user, userId: user, internalUserId: user },
  }),
  'patient among the properties': ({ recordId: id }) => ({
    properties: { id, patientId: id, patient_id: id },
  }),
  'cred of another user': ({ session: { user, token } }) => ({ envelope: { cred: { user, token } } }),
  'user in the envelope': ({ session: { user }, recordId }) => ({
    envelope: { user, userId: user, patientId: recordId },
  }),
  'user in headers': ({ session: { user }, recordId }) => ({
    headers: { 'x-user': user, 'x-user-id': user, 'x-internal-user-id': user, 'x-patient-id': recordId },
  }),
};
const NAMES = Object.keys(DISGUISES);

const openedAs = (name: string) => `read as the other: ${name}`;
const readAfter = (name: string) => `read after: ${name}`;

function samePatient(labels: readonly string[], first: string): (steps: Steps<string>) => Fault | undefined {
  return ({ all, of }) => {
    const { patient } = valuesOf(of(first));
    const other = labels
      .flatMap(all)
      .find((played) => ![undefined, patient].includes(valuesOf(played).patient));
    if (!other) return undefined;
    const actual = `${valuesOf(other).patient}`;
    return { expected: `${patient}, the patient of the user`, actual, shownBy: [other] };
  };
}

/** Members that name the caller, in a save for another user whose digest is over the caller's user_sign. */
const NAMED_BESIDE: Readonly<Record<string, (mine: Linked) => Record<string, unknown>>> = {
  'own user among the params': ({ session: { user } }) => ({ user, userId: user, internalUserId: user }),
  'own signature among the params': ({ userSign }) => ({ user_sign: userSign, userSign }),
};

export const impersonationChecks: readonly EhrCheck[] = [
  check({
    id: 'nobody-linked-by-params',
    title:
      'authenticate links the user of the exchange token to the patient of the properties, whoever is named beside',
    requirements: ['D21-stored-user-only'],
    control: ['read the patient', 'the other reads'],
    // A server may refuse a call with such members: what it opens is judged.
    expect: { ...labelled(NAMES, ends), ...labelled(NAMES.map(openedAs), refused('not_authorized')) },
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      await world.getPatient('read the patient', mine.session);
      for (const [name, disguise] of Object.entries(DISGUISES)) {
        const { properties, ...beside } = disguise(other);
        const options = { ...beside, properties: { ...propertiesOf(mine.person), ...properties } };
        const { session } = await world.signIn(name, world.again(mine), options);
        await world.getPatient(openedAs(name), { user: other.session.user, token: session.token });
      }
      await world.getPatient('the other reads', other.session);
    },
    judge: samePatient(NAMES, 'read the patient'),
    advice:
      'Take the user from the authInfo saved with the exchange token, the patient from the properties, and ignore the rest.',
  }),
  check({
    id: 'nobody-saved-by-params',
    title:
      'save_auth_info is for the user of its authInfo and that user’s signature, whoever is named beside',
    requirements: ['5.3-own-sign-needed', '4.4-record-and-sign'],
    control: ['read the patient', 'save with no more'],
    // A server may refuse an authInfo with further members.
    further: ['with another internal user id', 'read with it'],
    expect: labelled(
      Object.keys(NAMED_BESIDE).flatMap((name) => [name, readAfter(name)]),
      refused('not_authorized'),
    ),
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      await world.getPatient('read the patient', mine.session);
      for (const [name, beside] of Object.entries(NAMED_BESIDE)) {
        const session = world.session(other.session.user);
        await world.saveAuthInfo(name, session, mine.userSign, { params: beside(mine) });
        await world.getPatient(readAfter(name), session);
      }
      const { user } = other.session;
      const next = { ...world.session(mine.session.user), internalUserId: user, patientId: other.recordId };
      await world.saveAuthInfo('with another internal user id', next, mine.userSign);
      await world.getPatient('read with it', next);
      await world.saveAuthInfo('save with no more', world.session(mine.session.user), mine.userSign);
    },
    judge: samePatient(['read with it'], 'read the patient'),
    advice:
      'Look user and user_sign up by authInfo.user alone; an internal user id is never a member of a call.',
  }),
  check({
    id: 'nobody-removed-by-params',
    title: 'A removal ends what its cred stands for, and nothing of a user who is named in its params',
    requirements: ['3-logout-ends-session', '3-disconnect-ends-session', '3-authenticated'],
    control: ['log out', 'disconnect'],
    expect: {
      'read after the logout': refused('not_authorized'),
      'the other reads after the logout': done,
      'read after the disconnect': refused('not_authorized'),
      'the other reads after the disconnect': done,
    },
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      const { user, token } = other.session;
      const params = { user, token, authInfo: other.session, cred: { user, token }, userId: user };
      // A server may refuse such params: then the call without them must end the session.
      const disguised = await world.removeAuthInfo('log out', mine.session, { params });
      if (disguised.result.kind !== 'done') await world.removeAuthInfo('log out', mine.session);
      await world.getPatient('read after the logout', mine.session);
      await world.getPatient('the other reads after the logout', other.session);
      const next = await world.saved(mine);
      const { result } = await world.removeAuthentication('disconnect', next, { params });
      if (result.kind !== 'done') await world.removeAuthentication('disconnect', next);
      await world.getPatient('read after the disconnect', next);
      await world.getPatient('the other reads after the disconnect', other.session);
    },
    advice: 'Take user and token of a removal from its cred; its params are an empty object.',
  }),
];

/**
 * Checks of sessions and links at an EHR server: how they are saved, and what they open (§2.3, §3, §4.1,
 * §4.4).
 */
import { check, checkOf, done, type EhrCheck, entriesOf, refused } from '../../check.ts';
import { propertiesOf } from '../../world/patients.ts';
import { sameValues, signOf } from '../../world/played.ts';

const saveOpensLinkedUser = check({
  id: 'save-opens-linked-user',
  title: 'save_auth_info opens a session of a user who was linked before, with the same patient',
  requirements: ['3-save-opens', '3-authenticated'],
  expect: { 'log out': done, 'save a new session': done, 'read before': done, 'read again': done },
  async play(world) {
    const { session, userSign } = await world.linked();
    await world.getPatient('read before', session);
    await world.removeAuthInfo('log out', session);
    const next = world.session(session.user);
    await world.saveAuthInfo('save a new session', next, userSign);
    await world.getPatient('read again', next);
  },
  judge: sameValues(['read before', 'read again'], ['patient']),
  advice: 'Keep the link when a session ends, and take it for the next one.',
});

export const sessionChecks: readonly EhrCheck[] = [
  saveOpensLinkedUser,
  checkOf(saveOpensLinkedUser, {
    id: 'link-stays-after-logout',
    title: 'After a logout the link stays, with the same user_sign',
    requirements: ['D19-link-stays'],
    control: ['log out'],
    expect: { 'read before': done, 'save a new session': done, 'read again': done },
    judge: sameValues(['read before', 'read again'], ['patient', 'userSign']),
    advice: 'Keep the link and its user_sign when a session ends, and take both for the next one.',
  }),
  check({
    id: 'first-save-records',
    title:
      'The first save_auth_info of the session that authenticate stored succeeds, and each further one is refused',
    requirements: ['D14-first-save-records', 'D14-second-save-refused', 'DE-token-already-stored'],
    expect: { 'first save': done, 'second save': refused('token_already_stored'), 'read the patient': done },
    async play(world) {
      const pending = await world.pending();
      const { userSign } = await world.link(pending);
      await world.saveAuthInfo('first save', pending.session, userSign);
      await world.saveAuthInfo('second save', pending.session, userSign);
      await world.getPatient('read the patient', pending.session);
    },
    advice:
      'Note on the session whether save_auth_info has recorded it: the first one succeeds, any other is refused.',
  }),
  check({
    id: 'repeated-save-refused',
    title: 'A repeated save_auth_info of a stored token is refused, and the session stays as it was',
    requirements: ['4.1-repeat-refused', '3-repeated-save-changes-nothing', '8-token-used-once'],
    control: ['first save'],
    expect: { 'second save': refused('token_already_stored'), 'read the patient': done },
    async play(world) {
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      await world.saveAuthInfo('first save', next, userSign);
      await world.saveAuthInfo('second save', { ...next, ttl: world.ttl(1) }, userSign);
      await world.getPatient('read the patient', next);
    },
    advice: 'Give the session token a unique index, and refuse a token that is there.',
  }),
  check({
    id: 'token-unique-across-users',
    title: "A token stored for one user is refused for another, and opens the first user's patient alone",
    requirements: ['4.1-token-unique'],
    control: ['the holder reads'],
    expect: {
      'another user saves it': refused('token_already_stored'),
      'the other user reads': refused('not_authorized'),
    },
    async play(world) {
      const holder = await world.linked();
      const other = await world.linked();
      const taken = { ...other.session, token: holder.session.token };
      await world.saveAuthInfo('another user saves it', taken, other.userSign);
      await world.getPatient('the other user reads', taken);
      await world.getPatient('the holder reads', holder.session);
    },
    advice: 'Make the token unique in the whole system, not for each user.',
  }),
  check({
    id: 'several-sessions-of-one-user',
    title: 'Several sessions of one user stand side by side, and a logout ends the one it is called with',
    requirements: ['K-several-devices', 'D19-one-session'],
    expect: {
      'log out of the first': done,
      'read with the first': refused('not_authorized'),
      'read with the second': done,
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const second = await world.saved({ session, userSign });
      await world.removeAuthInfo('log out of the first', session);
      await world.getPatient('read with the first', session);
      await world.getPatient('read with the second', second);
    },
    advice: 'Delete the one (user, token) pair of the cred at remove_auth_info, and no other of the user.',
  }),
  check({
    id: 'unknown-user-not-saved',
    title: 'save_auth_info for a user who was never linked is refused, and opens nothing',
    requirements: ['D18-ehr-own-table', 'DE-user-unknown'],
    expect: {
      'save a session': refused('user_unknown'),
      'save for the user in other letters': refused('user_unknown'),
      'save for the beginning of the user': refused('user_unknown'),
      'read the patient': refused('not_authorized'),
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const users = {
        'save a session': world.session().user,
        'save for the user in other letters': session.user.toUpperCase(),
        'save for the beginning of the user': session.user.slice(0, -1),
      };
      for (const [label, user] of entriesOf(users)) {
        const stranger = world.session(user);
        await world.saveAuthInfo(label, stranger, userSign);
        await world.getPatient('read the patient', stranger);
      }
    },
    advice:
      'Look the user up among the links that authenticate made; refuse a user who has none (code -34007).',
  }),
  check({
    id: 'new-link-new-signature',
    title: 'A link made after remove_authentication has a new user_sign, and the old one opens nothing',
    requirements: ['D15-sign-renewed'],
    control: ['disconnect', 'link again', 'save with the new signature'],
    expect: { 'save with the old signature': refused('not_authorized') },
    async play(world) {
      const linked = await world.linked();
      const { session, userSign } = linked;
      await world.removeAuthentication('disconnect', session);
      const again = await world.signIn('link again', world.again(linked));
      await world.saveAuthInfo('save with the old signature', world.session(session.user), userSign);
      await world.saveAuthInfo('save with the new signature', again.session, signOf(again) ?? '');
    },
    advice: 'Draw a new user_sign for each new link, and delete the old one with the old link.',
  }),
  check({
    id: 'signature-kept-at-relogin',
    title: 'A linked user who authenticates again as the same patient keeps the user_sign',
    requirements: ['D22-relogin-keeps-sign', 'D15-sign-per-link'],
    expect: { 'first link': done, 'link on another device': done, 'read on the first device': done },
    async play(world) {
      const first = await world.signIn('first link');
      await world.signIn('link on another device', world.again(first));
      await world.getPatient('read on the first device', first.session);
    },
    judge: sameValues(['first link', 'link on another device'], ['patient', 'userSign']),
    advice: 'Where the user is linked to this patient already, keep the link and return its user_sign.',
  }),
  check({
    id: 'other-patient-refused',
    title: 'A user who is linked to one patient cannot link another',
    requirements: ['DE-patient-already-matched'],
    control: ['the patient of the link'],
    expect: { 'another patient': refused('patient_already_matched') },
    async play(world) {
      const { person, session } = await world.linked();
      const other = await world.patient();
      const pending = await world.pending(world.again({ person, session }));
      await world.authenticate('another patient', pending, { properties: propertiesOf(other) });
      await world.authenticate('the patient of the link', pending);
    },
    advice: 'Compare the patient found with that of the user’s link, and refuse another (code -34000).',
  }),
  check({
    id: 'linked-patient-refused',
    title: 'A patient who is linked to one user cannot be linked by another',
    requirements: ['DE-patient-already-linked'],
    control: ['the first user reads'],
    expect: {
      'another user': refused('patient_already_linked'),
      'the other user reads': refused('not_authorized'),
    },
    async play(world) {
      const { person, session } = await world.linked();
      const pending = await world.signIn('another user', { person, session: world.session() });
      await world.getPatient('the other user reads', pending.session);
      await world.getPatient('the first user reads', session);
    },
    advice: 'Give the patient of a link a unique index, and refuse a second user (code -34009).',
  }),
];

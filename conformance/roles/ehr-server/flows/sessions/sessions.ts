/**
 * Checks of sessions and links at an EHR server: how they are saved, and what they open (§2.3, §3, §4.1,
 * §4.4).
 */
import { check, done, type EhrCheck, entriesOf, refused } from '../../check.ts';
import { sameValues } from '../../world/played.ts';

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
    id: 'unknown-user-not-saved',
    title: 'save_auth_info for a user who was never linked is refused, and opens nothing',
    requirements: ['5.1-digest-verified', '5.3-own-sign-needed'],
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
];

/** Checks of how sessions are saved, what they open, and that nothing opens without them. */
import { check, done, type EhrCheck, entriesOf, labelled, refused } from '../../check.ts';
import type { Cred } from '../../world/messages.ts';
import { sameValues, whatTells } from '../../world/played.ts';

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

const NO_CRED = ['no cred', 'no cred, after a right call'] as const;

const CREDS = {
  'another token': ({ user }: Cred, { token }: Cred) => ({ user, token }),
  'another user': ({ token }: Cred, { user }: Cred) => ({ user, token }),
  'the user in capitals': ({ user, token }: Cred) => ({ user: user.toUpperCase(), token }),
  'the first letter of the token': ({ user, token }: Cred) => ({ user, token: token.slice(0, 1) }),
  'the token without its last letter': ({ user, token }: Cred) => ({ user, token: token.slice(0, -1) }),
  'a condition of SQL': () => ({ user: "' or 1=1 --", token: "' or 1=1 --" }),
};

export const noSessionChecks: readonly EhrCheck[] = [
  check({
    id: 'no-session-no-data',
    title: 'Without a stored session patient data is refused',
    requirements: ['3-no-session', '4.4-not-authenticated'],
    control: ['a stored session'],
    expect: {
      'an unknown session': refused('not_authorized'),
      ...labelled(CREDS, refused('not_authorized')),
      ...labelled(NO_CRED, refused()),
    },
    async play(world) {
      const { session } = await world.linked();
      const unknown = world.session();
      await world.getPatient('an unknown session', unknown);
      await world.getPatient('no cred', unknown, { cred: undefined });
      for (const [label, change] of entriesOf(CREDS)) await world.getPatient(label, change(session, unknown));
      await world.getPatient('a stored session', session);
      await world.getPatient('no cred, after a right call', session, { cred: undefined });
    },
    explains: ['save-needs-cred', 'exchange-token-alone-opens-nothing'],
    advice: 'Answer get_patient with code -33000 unless a session of exactly this user and token is stored.',
  }),
  check({
    id: 'not-authenticated-told-apart',
    title: 'The error of a read without a session differs from that of another fault of the same call',
    requirements: ['7-not-authenticated'],
    expect: { 'no session': refused(), 'an unknown method': refused() },
    async play(world) {
      for (const _ of [1, 2]) await world.getPatient('no session', world.session());
      await world.getPatient('an unknown method', world.session(), { envelope: { method: 'no.method' } });
    },
    judge({ all, of }) {
      const [one, again] = all('no session');
      const other = of('an unknown method');
      if (!one || !again || whatTells([other], [one, again]) !== undefined) return undefined;
      const shownBy = [one, other];
      return { expected: 'an error of its own', actual: 'the error of "an unknown method"', shownBy };
    },
    advice: 'Answer a read without a session by -33000: the client shows its form by that code.',
  }),
];

/** Checks that an EHR server gives no data without a session, and says so by an error of its own (§3, §7). */
import { check, type EhrCheck, entriesOf, labelled, refused } from '../../check.ts';
import type { Cred } from '../../world/messages.ts';
import { whatTells } from '../../world/played.ts';

/** The labels of reads without a cred. */
const NO_CRED = ['no cred', 'no cred, after a right call'] as const;

/** Makes creds that resemble the cred of a stored session, from this cred and one that no server knows. */
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

/** Checks that an EHR server gives no data without a session, and says so by an error of its own (§3, §7). */
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { check, type EhrCheck, entriesOf, labelled, refused } from '../../check.ts';
import type { Cred } from '../../world/messages.ts';

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

/** What a client can tell the error of a step by: its code and its reason. */
const errorIn = ({ result }: PlayedStep) =>
  result.kind === 'refused' ? `${result.code ?? result.status} ${result.reason ?? ''}` : '';

export const noSessionChecks: readonly EhrCheck[] = [
  check({
    id: 'no-session-no-data',
    title: 'Without a stored session patient data is refused',
    requirements: ['3-no-session', '4.4-not-authenticated'],
    control: ['a stored session'],
    expect: labelled(
      ['an unknown session', ...NO_CRED, ...entriesOf(CREDS).map(([label]) => label)],
      refused('not_authorized'),
    ),
    async play(world) {
      const { session } = await world.linked();
      const unknown = world.session();
      await world.getPatient('an unknown session', unknown);
      await world.getPatient('no cred', unknown, { cred: undefined });
      for (const [label, change] of entriesOf(CREDS)) await world.getPatient(label, change(session, unknown));
      await world.getPatient('a stored session', session);
      await world.getPatient('no cred, after a right call', session, { cred: undefined });
    },
    advice: 'Answer get_patient with code -33000 unless a session of exactly this user and token is stored.',
  }),
  check({
    id: 'not-authenticated-told-apart',
    title: 'The error of a read without a session differs from the errors of other faults',
    requirements: ['7-not-authenticated'],
    expect: { 'no session': refused(), 'an unknown method': refused(), 'nobody fits': refused() },
    async play(world) {
      await world.getPatient('no session', world.session());
      await world.getPatient('an unknown method', world.session(), { envelope: { method: 'no.method' } });
      const pending = await world.pending();
      await world.authenticate('nobody fits', pending, { properties: world.strangersProperties() });
    },
    judge({ of }) {
      const own = errorIn(of('no session'));
      const same = (['an unknown method', 'nobody fits'] as const).find(
        (label) => errorIn(of(label)) === own,
      );
      if (same === undefined) return undefined;
      const shownBy = [of('no session'), of(same)];
      return { expected: 'an error of its own', actual: `the error of "${same}"`, shownBy };
    },
    advice: 'Answer a read without a session by -33000: the client shows its form by that code.',
  }),
];

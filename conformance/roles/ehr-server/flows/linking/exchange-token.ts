/** Checks that an EHR server takes an exchange token once, for its user (§2.4, §4.2, §4.3). */
import { check, done, type EhrCheck, ends, refused } from '../../check.ts';
import { pairOf } from '../../world/messages.ts';

export const exchangeTokenChecks: readonly EhrCheck[] = [
  check({
    id: 'exchange-token-opens',
    title: 'authenticate with a saved exchange token and a fitting patient opens a session at once',
    requirements: [
      '3-exchange-token-remembered',
      '3-authenticate-opens',
      '4.3-authenticates',
      '3-authenticated',
      '5.4-authenticate-identified',
    ],
    expect: { save: done, authenticate: done, 'read the patient': done },
    async play(world) {
      const person = await world.patient();
      const session = world.sessionFor(person);
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('save', exchangeToken, session);
      await world.authenticate('authenticate', { exchangeToken, session, person });
      await world.getPatient('read the patient', session);
    },
    advice:
      'Store the session of the saved authInfo when authenticate succeeds; get_patient answers from then on.',
  }),
  check({
    id: 'exchange-token-alone-opens-nothing',
    title: 'A pending exchange token does not itself open patient data',
    requirements: ['3-exchange-token-pending', '3-no-session'],
    control: ['after authenticate'],
    expect: { 'before authenticate': refused('not_authorized') },
    async play(world) {
      const pending = await world.pending();
      await world.getPatient('before authenticate', pending.session);
      await world.link(pending);
      await world.getPatient('after authenticate', pending.session);
    },
    advice:
      'Keep the authInfo beside the exchange token, and make it a session only when authenticate succeeds.',
  }),
  check({
    id: 'exchange-token-used-once',
    title: 'An exchange token cannot be used again',
    requirements: ['D13-exchange-token-used-up'],
    control: ['first use'],
    expect: { 'second use': refused('exchange_token_unknown') },
    async play(world) {
      const pending = await world.signIn('first use');
      await world.authenticate('second use', pending);
    },
    advice: 'Mark the exchange token as used in the same transaction that stores the session.',
  }),
  check({
    id: 'exchange-token-unknown',
    title: 'authenticate with an exchange token that was never saved is refused',
    requirements: ['7-exchange-token-unknown', '3-no-session'],
    control: ['saved'],
    expect: {
      'never saved': refused('exchange_token_unknown'),
      'read the patient': refused('not_authorized'),
    },
    async play(world) {
      const pending = await world.pending();
      const session = world.session();
      const unknown = { ...pending, exchangeToken: world.invented('exchange-token'), session };
      await world.authenticate('never saved', unknown);
      await world.getPatient('read the patient', session);
      await world.authenticate('saved', pending);
    },
    advice: 'Look the exchange token up among those that the authorization server saved; refuse any other.',
  }),
  check({
    id: 'exchange-token-opens-its-own-session',
    title: 'An exchange token opens the session that was saved with it, whatever user the client names',
    requirements: ['D21-stored-user-only'],
    expect: {
      // A server may refuse a cred and further params here: then the call without them must open.
      'with the cred of another user': ends,
      'its own session': done,
      "the other user's session": refused('not_authorized'),
    },
    further: ['without it'],
    async play(world) {
      const pending = await world.pending();
      const other = await world.pending();
      const params = { user: other.session.user, authInfo: other.session };
      const cred = pairOf(other.session);
      const { result } = await world.authenticate('with the cred of another user', pending, { cred, params });
      if (result.kind !== 'done') await world.authenticate('without it', pending);
      await world.getPatient('its own session', pending.session);
      await world.getPatient("the other user's session", other.session);
    },
    advice:
      'Take the user from the authInfo saved with the exchange token, and ignore a user in the call itself.',
  }),
  check({
    id: 'no-patient-no-session',
    title: 'An authenticate that fits no patient leaves the user without a session',
    requirements: ['3-authenticate-needs-patient'],
    control: ['read after another authenticate'],
    expect: { 'nobody fits': refused(), 'read the patient': refused('not_authorized') },
    async play(world) {
      const pending = await world.pending();
      await world.authenticate('nobody fits', pending, { properties: world.strangersProperties() });
      await world.getPatient('read the patient', pending.session);
      const linked = await world.linked(world.again(pending));
      await world.getPatient('read after another authenticate', linked.session);
    },
    advice: 'Store the session only where one patient fits.',
  }),
  check({
    id: 'foreign-session-not-opened',
    title: "authenticate for a token that has become another user's session is refused",
    requirements: ['2.3-token-of-one-session'],
    control: ['the holder reads'],
    expect: { 'authenticate too late': refused('token_already_stored') },
    async play(world) {
      const holder = await world.linked();
      const late = await world.pending();
      const taken = await world.saved(holder, { token: late.session.token });
      await world.authenticate('authenticate too late', late);
      await world.getPatient('the holder reads', taken);
    },
    advice: 'Look for the session token again when authenticate opens it, in the same transaction.',
  }),
];

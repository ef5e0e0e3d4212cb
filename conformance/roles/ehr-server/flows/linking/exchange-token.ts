/**
 * Checks of exchange tokens: an EHR server takes each once, for ten minutes, for its user (§2.4, §4.2, §4.3).
 */

import { check, done, type EhrCheck, ends, refused } from '../../check.ts';
import { pairOf } from '../../world/messages.ts';
import { sameValues } from '../../world/played.ts';

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
    id: 'exchange-token-not-saved-twice',
    title: 'An exchange token that is saved already is refused, and the first one stays as it was',
    requirements: ['DE-exchange-token-already-stored'],
    control: ['the first one opens'],
    expect: {
      'save again': refused('exchange_token_already_stored'),
      'the other user reads': refused('not_authorized'),
    },
    async play(world) {
      const pending = await world.pending();
      const other = world.session();
      await world.saveExchangeToken('save again', pending.exchangeToken, other);
      await world.authenticate('the first one opens', pending);
      await world.getPatient('the other user reads', other);
    },
    advice: 'Give the column of the exchange token a unique index, and refuse a value that is there.',
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
    id: 'failed-match-keeps-exchange-token',
    title: 'After four failed matches the right properties still succeed with the same exchange token',
    requirements: ['D13-failed-match-keeps-token'],
    expect: { 'nobody fits': refused('patient_not_matched'), 'right at last': done },
    async play(world) {
      const pending = await world.pending();
      for (let attempt = 1; attempt <= 4; attempt++)
        await world.authenticate('nobody fits', pending, { properties: world.strangersProperties() });
      await world.authenticate('right at last', pending);
    },
    advice: 'Count failed matches on the exchange token, and leave it usable until the fifth.',
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
    id: 'exchange-token-exhausted',
    title: 'After five failed matches an exchange token is refused even with the right properties',
    requirements: ['D13-five-failures', 'DE-exchange-token-exhausted'],
    control: ['another token of the user'],
    expect: {
      'nobody fits': refused('patient_not_matched'),
      'right, but too late': refused('exchange_token_exhausted'),
    },
    async play(world) {
      const pending = await world.pending();
      for (let attempt = 1; attempt <= 5; attempt++)
        await world.authenticate('nobody fits', pending, { properties: world.strangersProperties() });
      await world.authenticate('right, but too late', pending);
      await world.signIn('another token of the user', pending);
    },
    advice: 'Refuse an exchange token from its fifth failed match on, before the patient is looked for.',
  }),
  check({
    id: 'exchange-tokens-independent',
    title:
      'A session may have several exchange tokens pending, and each works whatever becomes of the others',
    requirements: ['D21a-tokens-independent', 'D21a-session-already-live', 'D22-relogin-keeps-sign'],
    expect: { 'the second token': done, 'the first token': done, 'read the patient': done },
    async play(world) {
      const first = await world.pending();
      await world.signIn('the second token', first);
      await world.authenticate('the first token', first);
      await world.getPatient('read the patient', first.session);
    },
    judge: sameValues(['the second token', 'the first token'], ['userSign']),
    advice:
      'Keep each exchange token as a row of its own; where its session is alive already, leave that as it is.',
  }),
  check({
    id: 'foreign-session-not-announced',
    title: "save_exchange_token for a token that is another user's session is refused",
    requirements: ['D21a-foreign-session-at-save'],
    control: ['own token'],
    expect: { "another user's token": refused('token_already_stored') },
    async play(world) {
      const { session } = await world.linked();
      const stranger = world.session();
      const announced = { ...stranger, token: session.token };
      await world.saveExchangeToken("another user's token", world.invented('exchange-token'), announced);
      await world.saveExchangeToken('own token', world.invented('exchange-token'), stranger);
    },
    advice: 'Look for the session token of the authInfo before you save the exchange token.',
  }),
  check({
    id: 'foreign-session-not-opened',
    title: "authenticate for a token that has become another user's session is refused",
    requirements: ['D21a-foreign-session-at-authenticate'],
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
  check({
    id: 'exchange-tokens-of-five-newest',
    title: 'Of the exchange tokens of a session the newest five work, and a sixth ends the oldest',
    requirements: ['D36-five-pending'],
    expect: { 'the oldest of six': refused('exchange_token_unknown'), 'the second oldest': done },
    async play(world) {
      const first = await world.pending();
      const others = [];
      for (let number = 2; number <= 6; number++) others.push(await world.pending(first));
      await world.authenticate('the oldest of six', first);
      const [second] = others;
      if (second) await world.authenticate('the second oldest', second);
    },
    advice: 'End the oldest exchange token of a session when a sixth is saved.',
  }),
];

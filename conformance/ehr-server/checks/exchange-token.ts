/** Exchange tokens: saved, used once, for ten minutes, for the user they were saved for (§2.4, §4.2, §4.3). */
import { check, done, type EhrCheck, refused } from '../check.ts';
import { propertiesOf } from '../patients.ts';

export const exchangeTokenChecks: readonly EhrCheck[] = [
  check({
    id: 'exchange-token-opens',
    title: 'authenticate with a saved exchange token and a fitting patient opens a session at once',
    requirements: [
      '3-exchange-token-remembered',
      '3-authenticate-opens',
      '4.3-authenticates',
      '3-authenticated',
      'D13-session-stored-at-once',
    ],
    expect: { save: done, authenticate: done, 'read the patient': done },
    async play(world) {
      const person = await world.patient();
      const session = world.session();
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('save', exchangeToken, session);
      await world.authenticate('authenticate', { exchangeToken, session }, propertiesOf(person));
      await world.getPatient('read the patient', session);
    },
    advice: 'Store the session of the saved authInfo when authenticate succeeds; get_patient answers from then on.',
  }),
  check({
    id: 'exchange-token-used-once',
    title: 'An exchange token cannot be used again',
    requirements: ['D13-exchange-token-used-up', 'DE-exchange-token-unknown'],
    control: ['first use'],
    expect: { 'second use': refused('exchange_token_unknown') },
    async play(world) {
      const pending = await world.pending();
      await world.authenticate('first use', pending, propertiesOf(pending.person));
      await world.authenticate('second use', pending, propertiesOf(pending.person));
    },
    advice: 'Mark the exchange token as used in the same transaction that stores the session.',
  }),
  check({
    id: 'exchange-token-expires',
    title: 'An exchange token works until its ten minutes are over, and not after',
    requirements: [
      '8-exchange-token-lifetime',
      '3-authenticate-needs-live-token',
      'D11-exchange-token-boundary',
      'DE-exchange-token-expired',
    ],
    waitsMinutes: 10,
    expect: { 'just before': done, 'just after': refused('exchange_token_expired') },
    async play(world) {
      const first = await world.pending();
      const second = await world.pending();
      await world.advance(9, 58);
      await world.authenticate('just before', first, propertiesOf(first.person));
      await world.advance(0, 3);
      await world.authenticate('just after', second, propertiesOf(second.person));
    },
    advice: 'Refuse an exchange token from ten minutes after it was saved, and take it until then.',
  }),
];

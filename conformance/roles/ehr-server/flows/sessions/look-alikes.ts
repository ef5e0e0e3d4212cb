/**
 * Checks that an EHR server compares tokens and users letter by letter: those that are alike are different.
 */
import { check, done, type EhrCheck, labelled, refused } from '../../check.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const nextLetter = (letter = '') => LETTERS[(LETTERS.indexOf(letter) + 1) % LETTERS.length] ?? '';
const lastChanged = (token: string) => token.slice(0, -1) + nextLetter(token.at(-1));
const firstChanged = (token: string) => nextLetter(token[0]) + token.slice(1);
const caseSwapped = (token: string) =>
  [...token].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('');

/** Changes to a token that a loose comparison overlooks; the key says what is changed. */
const ALIKE: Readonly<Record<string, (token: string) => string>> = {
  'another last letter': lastChanged,
  'another first letter': firstChanged,
  'letters in the other case': caseSwapped,
  'a letter more': (token) => `${token}A`,
};
const NAMES = Object.keys(ALIKE);

/** Changes to a user that a loose comparison overlooks; the key says what is changed. */
const USERS_ALIKE: Readonly<Record<string, (user: string) => string>> = {
  'the user without its last letter': (user) => user.slice(0, -1),
  'the user with a letter more': (user) => `${user}A`,
  'the first letters of the user': (user) => user.slice(0, 4),
};

export const lookAlikeChecks: readonly EhrCheck[] = [
  check({
    id: 'session-token-compared-in-full',
    title: 'A token that resembles the token of a session reads nothing and ends nothing',
    requirements: ['K-session-compared-whole'],
    control: ['read at last'],
    expect: labelled(
      [
        ...NAMES.flatMap((name) => [name, `log out: ${name}`, `disconnect: ${name}`]),
        ...Object.keys(USERS_ALIKE),
      ],
      refused(),
    ),
    async play(world) {
      const { session } = await world.linked();
      for (const [name, change] of Object.entries(ALIKE)) {
        const cred = { user: session.user, token: change(session.token) };
        await world.getPatient(name, cred, { mistake: name });
        await world.removeAuthInfo(`log out: ${name}`, cred, { mistake: name });
        await world.removeAuthentication(`disconnect: ${name}`, cred, { mistake: name });
      }
      for (const [name, change] of Object.entries(USERS_ALIKE))
        await world.getPatient(name, { user: change(session.user), token: session.token }, { mistake: name });
      await world.getPatient('read at last', session);
    },
    advice:
      'Look the session up by equality of all characters of its token, best by its hash: no prefix, no trimming.',
  }),
  check({
    id: 'like-sessions-kept-apart',
    title:
      'Sessions whose tokens differ in their last letter, or in the case of letters, are different sessions',
    requirements: ['3-save-opens', '1-pair-per-session', '4.4-not-authenticated'],
    expect: {
      'save the first': done,
      'save one of another last letter': done,
      'save one of the other case': done,
      'read each': done,
      "read with another's": refused('not_authorized'),
    },
    async play(world) {
      const [first, second, third] = [await world.linked(), await world.linked(), await world.linked()];
      const one = world.session(first.session.user);
      const near = { ...world.session(second.session.user), token: lastChanged(one.token) };
      const swapped = { ...world.session(third.session.user), token: caseSwapped(one.token) };
      await world.saveAuthInfo('save the first', one, first.userSign);
      await world.saveAuthInfo('save one of another last letter', near, second.userSign);
      await world.saveAuthInfo('save one of the other case', swapped, third.userSign);
      for (const session of [one, near, swapped]) await world.getPatient('read each', session);
      for (const { token } of [near, swapped])
        await world.getPatient("read with another's", { ...one, token });
      for (const { user } of [near, swapped]) await world.getPatient("read with another's", { ...one, user });
    },
    advice:
      'Compare tokens by every character: give the column a binary collation, or store a hash of the token.',
  }),
  check({
    id: 'like-users-kept-apart',
    title: 'Users one of whom begins as the other, or differs in the case of letters, are different users',
    requirements: ['1-pair-per-session', '3-authenticated'],
    control: ['disconnect'],
    expect: { 'the longer user reads': done, 'the user of the other case reads': done },
    async play(world) {
      const { session } = await world.linked();
      const longer = await world.linked({ session: world.session(`${session.user}2`) });
      const swapped = await world.linked({ session: world.session(caseSwapped(session.user)) });
      await world.removeAuthentication('disconnect', session);
      await world.getPatient('the longer user reads', longer.session);
      await world.getPatient('the user of the other case reads', swapped.session);
    },
    advice: 'Compare users by every character, also where the sessions of a user are removed.',
  }),
  check({
    id: 'like-exchange-tokens-kept-apart',
    title: 'Exchange tokens that differ in their last letter, or in the case of letters, are different ones',
    requirements: ['4.2-binds-auth-info', '3-exchange-token-remembered'],
    expect: {
      'save one of another last letter': done,
      'save one of the other case': done,
      'use the first': done,
      'use another last letter': done,
      'read the second': done,
      'read with the session of the third': refused('not_authorized'),
    },
    async play(world) {
      const first = await world.pending();
      const [person, third] = [await world.patient(), world.session()];
      const second = world.sessionFor(person);
      const near = lastChanged(first.exchangeToken);
      await world.saveExchangeToken('save one of another last letter', near, second);
      await world.saveExchangeToken('save one of the other case', caseSwapped(first.exchangeToken), third);
      await world.authenticate('use the first', first);
      const pending = { exchangeToken: near, session: second, person };
      await world.authenticate('use another last letter', pending);
      await world.getPatient('read the second', second);
      await world.getPatient('read with the session of the third', third);
    },
    advice:
      'Compare exchange tokens by every character: give the column a binary collation, or store a hash.',
  }),
  check({
    id: 'exchange-token-compared-in-full',
    title: 'A text that differs from an exchange token in one letter or in case opens nothing',
    requirements: ['K-session-compared-whole'],
    control: ['the exchange token itself'],
    expect: labelled(ALIKE, refused()),
    async play(world) {
      const pending = await world.pending();
      for (const [name, change] of Object.entries(ALIKE)) {
        const exchangeToken = change(pending.exchangeToken);
        await world.authenticate(name, { ...pending, exchangeToken }, { mistake: name });
      }
      await world.authenticate('the exchange token itself', pending);
    },
    advice: 'Look the exchange token up by equality of all its characters, best by its hash.',
  }),
];

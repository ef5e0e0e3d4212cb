/** Checks that tokens and users are compared as a whole, and that nobody passes for another user. */

import { randomToken } from '#protocol/time/random.ts';
import { check, done, type EhrCheck, ends, labelled, refused, samePatient } from '../../check.ts';
import type { CallOptions } from '../../world/calls.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const nextLetter = (letter = '') => LETTERS[(LETTERS.indexOf(letter) + 1) % LETTERS.length] ?? '';
const lastChanged = (token: string) => token.slice(0, -1) + nextLetter(token.at(-1));
const firstChanged = (token: string) => nextLetter(token[0]) + token.slice(1);
const caseSwapped = (token: string) =>
  [...token].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('');

/** Changes that a loose comparison overlooks. */
const ALIKE: Readonly<Record<string, (token: string) => string>> = {
  'another last letter': lastChanged,
  'another first letter': firstChanged,
  'letters in the other case': caseSwapped,
  'a letter more': (token) => `${token}A`,
};
const NAMES = Object.keys(ALIKE);

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
];

/** One more than the columns and keys of usual databases hold. */
const LENGTHS = [65, 129, 257] as const;

function twins(world: EhrWorld, length: number): readonly [string, string] {
  const stem = randomToken(world.parts.random, length).slice(0, length - 1);
  return [`${stem}A`, `${stem}B`];
}

const needsTaken = (world: EhrWorld, taken: number) =>
  world.needs(taken > 0, `the server takes no tokens of ${LENGTHS[0]} characters`);

export const longTokenChecks: readonly EhrCheck[] = [
  check({
    id: 'long-sessions-kept-apart',
    title: 'Long session tokens that differ in their last letter alone are different sessions',
    requirements: ['3-save-opens', '1-pair-per-session', '4.4-not-authenticated'],
    expect: {
      'read with another last letter': refused('not_authorized'),
      'log out with another last letter': ends,
      'disconnect with another last letter': ends,
      'read the first': done,
      'save one of another last letter': done,
      'read the second': done,
      'log out the second': done,
      'read the first afterwards': done,
    },
    further: ['save a long token'],
    async play(world) {
      const [first, second] = [await world.linked(), await world.linked()];
      let taken = 0;
      for (const length of LENGTHS) {
        const [token, twin] = twins(world, length);
        const one = { ...world.session(first.session.user), token };
        const { result } = await world.saveAuthInfo('save a long token', one, first.userSign);
        if (result.kind !== 'done') continue;
        taken++;
        const near = { ...one, token: twin };
        await world.getPatient('read with another last letter', near);
        await world.removeAuthInfo('log out with another last letter', near);
        await world.removeAuthentication('disconnect with another last letter', near);
        await world.getPatient('read the first', one);
        const other = { ...near, user: second.session.user };
        await world.saveAuthInfo('save one of another last letter', other, second.userSign);
        await world.getPatient('read the second', other);
        await world.removeAuthInfo('log out the second', other);
        await world.getPatient('read the first afterwards', one);
      }
      needsTaken(world, taken);
    },
    advice: 'Store the whole token or a hash of all of it, and refuse one that is too long.',
  }),
  check({
    id: 'long-exchange-tokens-kept-apart',
    title: 'Long exchange tokens that differ in their last letter alone are different ones',
    requirements: ['7-exchange-token-unknown', '4.2-binds-auth-info', '3-exchange-token-remembered'],
    expect: {
      'use one of another last letter': refused('exchange_token_unknown'),
      'save one of another last letter': done,
      'use the second': done,
      'read the second': done,
      'use the first': done,
      'read the first': done,
    },
    further: ['save a long exchange token'],
    async play(world) {
      let taken = 0;
      for (const length of LENGTHS) {
        const [token, twin] = twins(world, length);
        const [person, another] = [await world.patient(), await world.patient()];
        const first = { person, session: world.sessionFor(person), exchangeToken: token };
        const second = { person: another, session: world.sessionFor(another), exchangeToken: twin };
        const { result } = await world.saveExchangeToken('save a long exchange token', token, first.session);
        if (result.kind === 'done') {
          taken++;
          await world.authenticate('use one of another last letter', { ...first, exchangeToken: twin });
          await world.saveExchangeToken('save one of another last letter', twin, second.session);
          await world.authenticate('use the second', second);
          await world.getPatient('read the second', second.session);
          await world.authenticate('use the first', first);
          await world.getPatient('read the first', first.session);
        }
        await world.release();
      }
      needsTaken(world, taken);
    },
    advice: 'Store the whole exchange token or a hash of all of it, and refuse one that is too long.',
  }),
];

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
const DISGUISED = Object.keys(DISGUISES);

const openedAs = (name: string) => `read as the other: ${name}`;
const readAfter = (name: string) => `read after: ${name}`;

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
    expect: { ...labelled(DISGUISED, ends), ...labelled(DISGUISED.map(openedAs), refused('not_authorized')) },
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
    judge: samePatient(DISGUISED, 'read the patient'),
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

/** Tokens and users are compared as a whole, and nobody passes for another user. */
import { randomToken } from '#protocol/time/random.ts';
import { type EhrFlow, flow, samePatient } from '../../flow.ts';
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

const USERS_ALIKE: Readonly<Record<string, (user: string) => string>> = {
  'the user without its last letter': (user) => user.slice(0, -1),
  'the user with a letter more': (user) => `${user}A`,
  'the first letters of the user': (user) => user.slice(0, 4),
};

/** One more than the columns and keys of usual databases hold. */
const LENGTHS = [65, 129, 257] as const;

function twins(world: EhrWorld, length: number): readonly [string, string] {
  const stem = randomToken(world.parts.random, length).slice(0, length - 1);
  return [`${stem}A`, `${stem}B`];
}

const needsTaken = (world: EhrWorld, taken: number) =>
  world.needs(taken > 0, `the server takes no tokens of ${LENGTHS[0]} characters`);

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

/** Members that name the caller, in a save for another user whose digest is over the caller's user_sign. */
const NAMED_BESIDE: Readonly<Record<string, (mine: Linked) => Record<string, unknown>>> = {
  'own user among the params': ({ session: { user } }) => ({ user, userId: user, internalUserId: user }),
  'own signature among the params': ({ userSign }) => ({ user_sign: userSign, userSign }),
};

export const lookAlikeFlows: readonly EhrFlow[] = [
  flow('session-token-compared-in-full', {
    title: 'A token that resembles the token of a session reads nothing and ends nothing',
    requirements: ['K-session-compared-whole'],
    advice:
      'Look the session up by equality of all characters of its token, best by its hash: no prefix, no trimming.',
    async play(world) {
      const { session } = await world.linked();
      for (const [mistake, change] of Object.entries(ALIKE)) {
        const cred = { user: session.user, token: change(session.token) };
        await world.refuses(world.getPatient(mistake, cred, { mistake }));
        await world.refuses(world.removeAuthInfo(`log out: ${mistake}`, cred, { mistake }));
        await world.refuses(world.removeAuthentication(`disconnect: ${mistake}`, cred, { mistake }));
      }
      for (const [mistake, change] of Object.entries(USERS_ALIKE)) {
        const cred = { user: change(session.user), token: session.token };
        await world.refuses(world.getPatient(mistake, cred, { mistake }));
      }
      await world.control(world.getPatient('read at last', session));
    },
  }),
  flow('like-sessions-kept-apart', {
    title:
      'Sessions whose tokens differ in their last letter, or in the case of letters, are different sessions',
    requirements: ['3-save-opens', '1-pair-per-session', '4.4-not-authenticated'],
    advice:
      'Compare tokens by every character: give the column a binary collation, or store a hash of the token.',
    async play(world) {
      const [first, second, third] = [await world.linked(), await world.linked(), await world.linked()];
      const one = world.session(first.session.user);
      const near = { ...world.session(second.session.user), token: lastChanged(one.token) };
      const swapped = { ...world.session(third.session.user), token: caseSwapped(one.token) };
      await world.succeeds(world.saveAuthInfo('save the first', one, first.userSign));
      await world.succeeds(world.saveAuthInfo('save one of another last letter', near, second.userSign));
      await world.succeeds(world.saveAuthInfo('save one of the other case', swapped, third.userSign));
      for (const session of [one, near, swapped])
        await world.succeeds(world.getPatient('read each', session));
      for (const { token } of [near, swapped])
        await world.refuses(world.getPatient("read with another's", { ...one, token }), 'not_authorized');
      for (const { user } of [near, swapped])
        await world.refuses(world.getPatient("read with another's", { ...one, user }), 'not_authorized');
    },
  }),
  flow('like-users-kept-apart', {
    title: 'Users one of whom begins as the other, or differs in the case of letters, are different users',
    requirements: ['1-pair-per-session', '3-authenticated'],
    advice: 'Compare users by every character, also where the sessions of a user are removed.',
    async play(world) {
      const { session } = await world.linked();
      const longer = await world.linked({ session: world.session(`${session.user}2`) });
      const swapped = await world.linked({ session: world.session(caseSwapped(session.user)) });
      await world.control(world.removeAuthentication('disconnect', session));
      await world.succeeds(world.getPatient('the longer user reads', longer.session));
      await world.succeeds(world.getPatient('the user of the other case reads', swapped.session));
    },
  }),
  flow('like-exchange-tokens-kept-apart', {
    title: 'Exchange tokens that differ in their last letter, or in the case of letters, are different ones',
    requirements: ['4.2-binds-auth-info', '3-exchange-token-remembered'],
    advice:
      'Compare exchange tokens by every character: give the column a binary collation, or store a hash.',
    async play(world) {
      const first = await world.pending();
      const [person, third] = [await world.patient(), world.session()];
      const second = world.sessionFor(person);
      const near = lastChanged(first.exchangeToken);
      const swapped = caseSwapped(first.exchangeToken);
      await world.succeeds(world.saveExchangeToken('save one of another last letter', near, second));
      await world.succeeds(world.saveExchangeToken('save one of the other case', swapped, third));
      await world.succeeds(world.authenticate('use the first', first));
      const pending = { exchangeToken: near, session: second, person };
      await world.succeeds(world.authenticate('use another last letter', pending));
      await world.succeeds(world.getPatient('read the second', second));
      await world.refuses(world.getPatient('read with the session of the third', third), 'not_authorized');
    },
  }),
  flow('long-sessions-kept-apart', {
    title: 'Long session tokens that differ in their last letter alone are different sessions',
    requirements: ['3-save-opens', '1-pair-per-session', '4.4-not-authenticated'],
    advice: 'Store the whole token or a hash of all of it, and refuse one that is too long.',
    async play(world) {
      const [first, second] = [await world.linked(), await world.linked()];
      let taken = 0;
      for (const length of LENGTHS) {
        const [token, twin] = twins(world, length);
        const one = { ...world.session(first.session.user), token };
        const { result } = await world.saveAuthInfo('save a long token', one, first.userSign)();
        if (result.kind !== 'done') continue;
        taken++;
        const near = { ...one, token: twin };
        await world.refuses(world.getPatient('read with another last letter', near), 'not_authorized');
        await world.removeAuthInfo('log out with another last letter', near)();
        await world.removeAuthentication('disconnect with another last letter', near)();
        await world.succeeds(world.getPatient('read the first', one));
        const other = { ...near, user: second.session.user };
        await world.succeeds(world.saveAuthInfo('save one of another last letter', other, second.userSign));
        await world.succeeds(world.getPatient('read the second', other));
        await world.succeeds(world.removeAuthInfo('log out the second', other));
        await world.succeeds(world.getPatient('read the first afterwards', one));
      }
      needsTaken(world, taken);
    },
  }),
  flow('long-exchange-tokens-kept-apart', {
    title: 'Long exchange tokens that differ in their last letter alone are different ones',
    requirements: ['7-exchange-token-unknown', '4.2-binds-auth-info', '3-exchange-token-remembered'],
    advice: 'Store the whole exchange token or a hash of all of it, and refuse one that is too long.',
    async play(world) {
      let taken = 0;
      for (const length of LENGTHS) {
        const [token, twin] = twins(world, length);
        const [person, another] = [await world.patient(), await world.patient()];
        const first = { person, session: world.sessionFor(person), exchangeToken: token };
        const second = { person: another, session: world.sessionFor(another), exchangeToken: twin };
        const save = world.saveExchangeToken('save a long exchange token', token, first.session);
        if ((await save()).result.kind === 'done') {
          taken++;
          const mistaken = { ...first, exchangeToken: twin };
          const use = world.authenticate('use one of another last letter', mistaken);
          await world.refuses(use, 'exchange_token_unknown');
          const saveTwin = world.saveExchangeToken('save one of another last letter', twin, second.session);
          await world.succeeds(saveTwin);
          await world.succeeds(world.authenticate('use the second', second));
          await world.succeeds(world.getPatient('read the second', second.session));
          await world.succeeds(world.authenticate('use the first', first));
          await world.succeeds(world.getPatient('read the first', first.session));
        }
        await world.release();
      }
      needsTaken(world, taken);
    },
  }),
  flow('nobody-linked-by-params', {
    title:
      'authenticate links the user of the exchange token to the patient of the properties, whoever is named beside',
    requirements: ['D21-stored-user-only'],
    judge: samePatient(Object.keys(DISGUISES), 'read the patient'),
    advice:
      'Take the user from the authInfo saved with the exchange token, the patient from the properties, and ignore the rest.',
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      await world.control(world.getPatient('read the patient', mine.session));
      for (const [name, disguise] of Object.entries(DISGUISES)) {
        const { properties, ...beside } = disguise(other);
        const options = { ...beside, properties: { ...propertiesOf(mine.person), ...properties } };
        // A server may refuse a call with such members: what it opens is judged.
        const { session } = await world.signIn(name, world.again(mine), options)();
        const opened = { user: other.session.user, token: session.token };
        await world.refuses(world.getPatient(`read as the other: ${name}`, opened), 'not_authorized');
      }
      await world.control(world.getPatient('the other reads', other.session));
    },
  }),
  flow('nobody-saved-by-params', {
    title:
      'save_auth_info is for the user of its authInfo and that user’s signature, whoever is named beside',
    requirements: ['5.3-own-sign-needed', '4.4-record-and-sign'],
    judge: samePatient(['read with it'], 'read the patient'),
    advice:
      'Look user and user_sign up by authInfo.user alone; an internal user id is never a member of a call.',
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      await world.control(world.getPatient('read the patient', mine.session));
      for (const [name, beside] of Object.entries(NAMED_BESIDE)) {
        const session = world.session(other.session.user);
        const save = world.saveAuthInfo(name, session, mine.userSign, { params: beside(mine) });
        await world.refuses(save, 'not_authorized');
        await world.refuses(world.getPatient(`read after: ${name}`, session), 'not_authorized');
      }
      const { user } = other.session;
      const next = { ...world.session(mine.session.user), internalUserId: user, patientId: other.recordId };
      // A server may refuse an authInfo with further members.
      await world.saveAuthInfo('with another internal user id', next, mine.userSign)();
      await world.getPatient('read with it', next)();
      const last = world.session(mine.session.user);
      await world.control(world.saveAuthInfo('save with no more', last, mine.userSign));
    },
  }),
  flow('nobody-removed-by-params', {
    title: 'A removal ends what its cred stands for, and nothing of a user who is named in its params',
    requirements: ['3-logout-ends-session', '3-disconnect-ends-session', '3-authenticated'],
    advice: 'Take user and token of a removal from its cred; its params are an empty object.',
    async play(world) {
      const [mine, other] = [await world.linked(), await world.linked()];
      const { user, token } = other.session;
      const params = { user, token, authInfo: other.session, cred: { user, token }, userId: user };
      // A server may refuse such params: then the call without them must end the session.
      const loggedOut = await world.removeAuthInfo('log out', mine.session, { params })();
      if (loggedOut.result.kind !== 'done')
        await world.control(world.removeAuthInfo('log out', mine.session));
      await world.refuses(world.getPatient('read after the logout', mine.session), 'not_authorized');
      await world.succeeds(world.getPatient('the other reads after the logout', other.session));
      const next = await world.saved(mine);
      const { result } = await world.removeAuthentication('disconnect', next, { params })();
      if (result.kind !== 'done') await world.control(world.removeAuthentication('disconnect', next));
      await world.refuses(world.getPatient('read after the disconnect', next), 'not_authorized');
      await world.succeeds(world.getPatient('the other reads after the disconnect', other.session));
    },
  }),
];

/** The internal channel: digests, the internal user, and who may call what (§1, §2.2, §4.1, §4.2, §5). */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/digest.ts';
import { check, type EhrCheck, refused } from '../check.ts';
import { propertiesOf } from '../patients.ts';
import type { CallOptions, Linked, World } from '../world.ts';

const PROOF = 'Compute sha1(internal password + user_sign of this user) and compare it with cred.token.';

type WrongCred = { user: unknown; token: unknown };

/** Wrong digests of save_auth_info by what is wrong; each over a known password and signature. */
const WRONG_DIGESTS: Readonly<Record<string, (about: { world: World; linked: Linked; other: Linked }) => string>> = {
  'over the password alone': ({ world }) => digest(world.settings.internal.password, ''),
  'over the signature alone': ({ linked }) => digest('', linked.userSign),
  'signature first': ({ world, linked }) => digest(linked.userSign, world.settings.internal.password),
  'with a separator': ({ world, linked }) => digest(world.settings.internal.password, `:${linked.userSign}`),
  'with another password': ({ world, linked }) => digest(`${world.settings.internal.password}x`, linked.userSign),
  'over the session token': ({ world, linked }) => digest(world.settings.internal.password, linked.session.token),
  'over the signature of another user': ({ world, other }) => digest(world.settings.internal.password, other.userSign),
  'over the user': ({ world, linked }) => digest(world.settings.internal.password, linked.session.user),
  'the SHA-1 of nothing': () => digest('', ''),
  'by SHA-256, cut': ({ world, linked }) =>
    createHash('sha256').update(`${world.settings.internal.password}${linked.userSign}`).digest('hex').slice(0, 40),
};

/** Creds of the wrong shape for an internal call, by what is wrong. */
const WRONG_SHAPES: Readonly<Record<string, (right: { user: string; token: string }) => unknown>> = {
  'in capitals': ({ user, token }) => ({ user, token: token.toUpperCase() }),
  'cut by one character': ({ user, token }) => ({ user, token: token.slice(0, 39) }),
  'longer by one character': ({ user, token }) => ({ user, token: `${token}0` }),
  'with a blank after it': ({ user, token }) => ({ user, token: `${token} ` }),
  'without token': ({ user }) => ({ user }),
  'without user': ({ token }) => ({ token }),
  'with a number as user': ({ token }) => ({ user: 1, token }) satisfies WrongCred,
  'as a list': ({ user, token }) => [user, token],
  'as text': ({ user, token }) => `${user}:${token}`,
};

async function saveWith(world: World, label: string, linked: Linked, options: CallOptions): Promise<void> {
  const session = world.session(linked.session.user);
  await world.saveAuthInfo(label, session, linked.userSign, { mistake: label, ...options });
  await world.getPatient(`read after: ${label}`, session);
}

/** Each attempt is refused, and its session is not there. */
function eachRefused(labels: readonly string[]) {
  return Object.fromEntries(
    labels.flatMap((label) => [
      [label, refused('not_authorized')],
      [`read after: ${label}`, refused('not_authorized')],
    ]),
  );
}

export const internalChecks: readonly EhrCheck[] = [
  check({
    id: 'save-needs-cred',
    title: 'save_auth_info without a cred is refused and stores no session',
    requirements: ['4.1-cred-required', 'D5-null-cred'],
    control: ['with the digest'],
    expect: eachRefused(['without cred', 'with cred null']),
    async play(world) {
      const linked = await world.linked();
      await saveWith(world, 'without cred', linked, { cred: undefined });
      await saveWith(world, 'with cred null', linked, { cred: null });
      await world.saveAuthInfo('with the digest', world.session(linked.session.user), linked.userSign);
    },
    advice: 'Refuse an internal call without cred (code -33000) before anything is stored.',
  }),
  check({
    id: 'save-digest-verified',
    title: 'save_auth_info is refused when its digest is over anything but password and user_sign, in this order',
    requirements: ['5.1-digest-verified', '1-sign-is-part-of-secret', '5.3-own-sign-needed'],
    control: ['the right digest'],
    expect: eachRefused(Object.keys(WRONG_DIGESTS)),
    async play(world) {
      const [linked, other] = [await world.linked(), await world.linked()];
      for (const [label, wrong] of Object.entries(WRONG_DIGESTS)) {
        const cred = { user: world.settings.internal.user, token: wrong({ world, linked, other }) };
        await saveWith(world, label, linked, { cred });
      }
      await world.saveAuthInfo('the right digest', world.session(linked.session.user), linked.userSign);
    },
    advice: PROOF,
  }),
  check({
    id: 'save-digest-shape',
    title: 'An internal call whose cred is not a user and 40 lowercase hexadecimal characters is refused',
    requirements: ['2.2-digest-shape-checked', '2.2-cred-checked'],
    control: ['the right digest'],
    expect: {
      ...eachRefused(Object.keys(WRONG_SHAPES)),
      // A server may find these wrong as an envelope already.
      'as a list': refused(),
      'as text': refused(),
    },
    async play(world) {
      const linked = await world.linked();
      for (const [label, wrong] of Object.entries(WRONG_SHAPES))
        await saveWith(world, label, linked, { cred: wrong(world.internalCred(linked.userSign)) });
      await world.saveAuthInfo('the right digest', world.session(linked.session.user), linked.userSign);
    },
    advice: 'Check the shape of cred before it is used: two strings, the token of 40 characters from 0-9 and a-f.',
  }),
  check({
    id: 'internal-user-checked',
    title: 'An internal call under another user name is refused, even when its digest is right',
    requirements: ['5.1-user-checked'],
    control: ['the internal user'],
    expect: eachRefused(['another internal user', 'the end user', 'the internal user in capitals']),
    async play(world) {
      const linked = await world.linked();
      const { user } = world.settings.internal;
      const { token } = world.internalCred(linked.userSign);
      const names = {
        'another internal user': `${user}-2`,
        'the end user': linked.session.user,
        'the internal user in capitals': user.toUpperCase() === user ? user.toLowerCase() : user.toUpperCase(),
      };
      for (const [label, name] of Object.entries(names))
        await saveWith(world, label, linked, { cred: { user: name, token } });
      await world.saveAuthInfo('the internal user', world.session(linked.session.user), linked.userSign);
    },
    advice: 'Compare cred.user with the internal user name, letter by letter.',
  }),
  check({
    id: 'authorization-header-opens-nothing',
    title: 'An Authorization header does not take the place of the cred of an internal call',
    requirements: ['5.3-header-opens-nothing'],
    control: ['with the digest'],
    expect: eachRefused(['with Basic', 'with Bearer']),
    async play(world) {
      const linked = await world.linked();
      const { user, password } = world.settings.internal;
      const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      await saveWith(world, 'with Basic', linked, { cred: undefined, headers: { authorization: basic } });
      await saveWith(world, 'with Bearer', linked, {
        cred: undefined,
        headers: { authorization: `Bearer ${password}` },
      });
      await world.saveAuthInfo('with the digest', world.session(linked.session.user), linked.userSign);
    },
    advice: 'Take no credentials from headers: the digest over the user_sign is what protects each user.',
  }),
  check({
    id: 'exchange-token-needs-cred',
    title: 'save_exchange_token without a cred is refused and stores no exchange token',
    requirements: ['4.2-cred-required'],
    control: ['with the digest'],
    expect: { 'without cred': refused('not_authorized'), 'use it': refused('exchange_token_unknown') },
    async play(world) {
      const person = await world.patient();
      const [session, exchangeToken] = [world.session(), world.invented('exchange-token')];
      await world.saveExchangeToken('without cred', exchangeToken, session, {
        cred: undefined,
        mistake: 'without cred',
      });
      await world.authenticate('use it', { exchangeToken, session }, propertiesOf(person));
      await world.saveExchangeToken('with the digest', world.invented('exchange-token'), session);
    },
    advice: 'Refuse the call before anything is stored (code -33000).',
  }),
  check({
    id: 'exchange-token-digest-verified',
    title: 'save_exchange_token is refused when its digest is over anything but the exchange token it carries',
    requirements: ['5.2-digest-verified'],
    control: ['the right digest'],
    expect: {
      'over another exchange token': refused('not_authorized'),
      'over a stored exchange token': refused('not_authorized'),
      'over a user_sign': refused('not_authorized'),
      'over the user_sign of the user': refused('not_authorized'),
      'over the user': refused('not_authorized'),
      'the SHA-1 of nothing': refused('not_authorized'),
      'over the password alone': refused('not_authorized'),
      'token first': refused('not_authorized'),
      'use it': refused('exchange_token_unknown'),
    },
    async play(world) {
      const [other, own] = [await world.linked(), await world.linked()];
      const stored = await world.pending({ person: own.person, session: own.session });
      const [session, exchangeToken] = [world.session(own.session.user), world.invented('exchange-token')];
      const { user, password } = world.settings.internal;
      const tokens = {
        'over another exchange token': digest(password, world.invented('exchange-token')),
        'over a stored exchange token': digest(password, stored.exchangeToken),
        'over a user_sign': digest(password, other.userSign),
        'over the user_sign of the user': digest(password, own.userSign),
        'over the user': digest(password, session.user),
        'the SHA-1 of nothing': digest('', ''),
        'over the password alone': digest(password, ''),
        'token first': digest(exchangeToken, password),
      };
      for (const label of Object.keys(tokens) as (keyof typeof tokens)[])
        await world.saveExchangeToken(label, exchangeToken, session, {
          cred: { user, token: tokens[label] },
          mistake: label,
        });
      await world.authenticate('use it', { exchangeToken, session }, propertiesOf(own.person));
      await world.saveExchangeToken('the right digest', exchangeToken, session);
    },
    advice: 'Compute sha1(internal password + exchange token) and compare it with cred.token.',
  }),
];

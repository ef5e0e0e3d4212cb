/** The internal channel: digests, the internal user, and who may call what (§1, §2.2, §4.1, §4.2, §5). */
import { digest } from '#protocol/wire/digest.ts';
import { check, type EhrCheck, refused } from '../../check.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { CallOptions, EhrWorld, Linked } from '../../world/world.ts';
import { NO_DIGESTS, OF_THIS_CALL, OTHER_SECRETS, WRONG_WAYS, wrongly } from './wrong-digests.ts';

const PROOF = 'Compute sha1(internal password + user_sign of this user) and compare it with cred.token.';

type WrongCred = { user: unknown; token: unknown };

const SAVE_LABELS = [...Object.keys(OF_THIS_CALL), ...Object.keys(OTHER_SECRETS), ...Object.keys(WRONG_WAYS)];

/** A user whose link was removed and made again, with the signature of the former one. */
async function linkedAgain(world: EhrWorld): Promise<{ linked: Linked; formerSign: string }> {
  const { person, session, userSign } = await world.linked();
  await world.mustSucceed('disconnect', (label) => world.removeAuthentication(label, session));
  return {
    linked: await world.linked({ person, session: world.session(session.user) }),
    formerSign: userSign,
  };
}

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

const EXCHANGE_LABELS = [...SAVE_LABELS, 'over another exchange token', 'over the user_sign of the user'];

function valuesOf<T>(
  table: Readonly<Record<string, T>>,
  compute: (entry: T) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([label, entry]) => [label, compute(entry)]));
}

async function saveWith(world: EhrWorld, label: string, linked: Linked, options: CallOptions): Promise<void> {
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

const WRONG_USERS = [
  'another internal user',
  'the end user',
  'the internal user in capitals',
  'the internal user without its last letter',
  'the internal user with a blank',
];

export const internalChecks: readonly EhrCheck[] = [
  check({
    id: 'save-needs-cred',
    title: 'save_auth_info without a cred is refused and stores no session',
    requirements: ['4.1-cred-required', 'D5-null-cred'],
    control: ['with the digest'],
    expect: {
      ...eachRefused(['without cred', 'with cred null']),
      'without cred': refused(),
      'with cred null': refused(),
    },
    async play(world) {
      const linked = await world.linked();
      await saveWith(world, 'without cred', linked, { cred: undefined });
      await saveWith(world, 'with cred null', linked, { cred: null });
      await world.saveAuthInfo('with the digest', world.session(linked.session.user), linked.userSign);
    },
    advice: 'Refuse an internal call without cred before anything is stored.',
  }),
  check({
    id: 'save-digest-verified',
    title:
      'save_auth_info is refused when its digest is over anything but password and user_sign, in this order',
    requirements: ['5.1-digest-verified', '1-sign-is-part-of-secret', '5.3-own-sign-needed'],
    control: ['the right digest'],
    expect: eachRefused(SAVE_LABELS),
    async play(world) {
      const { linked, formerSign } = await linkedAgain(world);
      const other = await world.linked();
      const { exchangeToken: pending } = await world.pending(linked);
      const { user, password } = world.settings.internal;
      const parts = { password, internalUser: user, secret: linked.userSign };
      const tokens = {
        ...valuesOf(OTHER_SECRETS, (secretOf) =>
          digest(password, secretOf({ linked, other, formerSign, pending })),
        ),
        ...valuesOf(WRONG_WAYS, (way) => wrongly(way, parts)),
      };
      for (const [label, token] of Object.entries(tokens))
        await saveWith(world, label, linked, { cred: { user, token } });
      for (const [label, secretOf] of Object.entries(OF_THIS_CALL)) {
        const session = world.session(linked.session.user);
        const cred = { user, token: digest(password, secretOf(session)) };
        await world.saveAuthInfo(label, session, linked.userSign, { mistake: label, cred });
        await world.getPatient(`read after: ${label}`, session);
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
      ...eachRefused([...Object.keys(WRONG_SHAPES), ...Object.keys(NO_DIGESTS)]),
      // A server may find the form of these wrong before it compares anything.
      ...Object.fromEntries(
        [...Object.keys(WRONG_SHAPES), ...Object.keys(NO_DIGESTS)].map((label) => [label, refused()]),
      ),
    },
    async play(world) {
      const linked = await world.linked();
      const { user, password } = world.settings.internal;
      for (const [label, wrong] of Object.entries(WRONG_SHAPES))
        await saveWith(world, label, linked, { cred: wrong(world.internalCred(linked.userSign)) });
      for (const [label, way] of Object.entries(NO_DIGESTS)) {
        const token = way({ password, internalUser: user, secret: linked.userSign });
        await saveWith(world, label, linked, { cred: { user, token } });
      }
      await world.saveAuthInfo('the right digest', world.session(linked.session.user), linked.userSign);
    },
    advice:
      'Check the shape of cred before it is used: two strings, the token of 40 characters from 0-9 and a-f.',
  }),
  check({
    id: 'internal-user-checked',
    title: 'An internal call under another user name is refused, even when its digest is right',
    requirements: ['5.1-user-checked'],
    control: ['the internal user'],
    expect: eachRefused(WRONG_USERS),
    async play(world) {
      const linked = await world.linked();
      const { user } = world.settings.internal;
      const { token } = world.internalCred(linked.userSign);
      const names = {
        'another internal user': `${user}-2`,
        'the end user': linked.session.user,
        'the internal user without its last letter': user.slice(0, -1),
        'the internal user with a blank': `${user} `,
        'the internal user in capitals':
          user.toUpperCase() === user ? user.toLowerCase() : user.toUpperCase(),
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
    expect: {
      ...eachRefused(['with Basic', 'with Bearer']),
      'with Basic': refused(),
      'with Bearer': refused(),
    },
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
    expect: { 'without cred': refused(), 'use it': refused('exchange_token_unknown') },
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
    advice: 'Refuse the call before anything is stored.',
  }),
  check({
    id: 'exchange-token-digest-verified',
    title:
      'save_exchange_token is refused when its digest is over anything but the exchange token it carries',
    requirements: ['5.2-digest-verified'],
    control: ['the right digest'],
    expect: {
      ...Object.fromEntries(EXCHANGE_LABELS.map((label) => [label, refused('not_authorized')])),
      'use it': refused('exchange_token_unknown'),
    },
    async play(world) {
      const { linked, formerSign } = await linkedAgain(world);
      const other = await world.linked();
      const { exchangeToken: pending } = await world.pending(linked);
      const [session, exchangeToken] = [world.session(linked.session.user), world.invented('exchange-token')];
      const { user, password } = world.settings.internal;
      const parts = { password, internalUser: user, secret: exchangeToken };
      const tokens = {
        ...valuesOf(OTHER_SECRETS, (secretOf) =>
          digest(password, secretOf({ linked, other, formerSign, pending })),
        ),
        ...valuesOf(WRONG_WAYS, (way) => wrongly(way, parts)),
        ...valuesOf(OF_THIS_CALL, (secretOf) => digest(password, secretOf(session))),
        'over another exchange token': digest(password, world.invented('exchange-token')),
        'over the user_sign of the user': digest(password, linked.userSign),
      };
      for (const [label, token] of Object.entries(tokens))
        await (world as EhrWorld).saveExchangeToken(label, exchangeToken, session, {
          cred: { user, token },
          mistake: label,
        });
      await world.authenticate('use it', { exchangeToken, session }, propertiesOf(linked.person));
      await world.saveExchangeToken('the right digest', exchangeToken, session);
    },
    advice: 'Compute sha1(internal password + exchange token) and compare it with cred.token.',
  }),
];

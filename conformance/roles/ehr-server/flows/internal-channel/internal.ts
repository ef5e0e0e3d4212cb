/** Checks that a save is refused without the right user and digest, and on the public channel (§4, §5). */

import { digest } from '#protocol/wire/hashes/digest.ts';
import { check, type EhrCheck, type EhrExpectation, ends, labelled, refused } from '../../check.ts';
import type { CallOptions } from '../../world/calls.ts';
import { type AuthInfo, callOf, METHODS, pairOf, readOf } from '../../world/messages.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';
import {
  OF_THIS_CALL,
  OTHER_SECRETS,
  type Others,
  WRONG_USERS,
  WRONG_WAYS,
  wrongly,
} from './wrong-digests.ts';

const PROOF = 'Compute sha1(internal password + user_sign of this user) and compare it with cred.token.';

const SAVE_LABELS = [OF_THIS_CALL, OTHER_SECRETS, WRONG_WAYS].flatMap((table) => Object.keys(table));

async function withOthers(world: EhrWorld): Promise<Others> {
  const former = await world.linked();
  await world.disconnected(former);
  const linked = await world.linked(world.again(former));
  const other = await world.linked();
  const { exchangeToken: pending } = await world.pendingFor(linked);
  return { linked, other, formerSign: former.userSign, pending };
}

function wrongTokens(world: EhrWorld, secret: string, others: Others): Record<string, string> {
  const { user: internalUser, password } = world.settings.internal;
  return {
    ...valuesOf(OTHER_SECRETS, (secretOf) =>
      wrongly(() => digest(password, secretOf(others)), { password, internalUser, secret }),
    ),
    ...valuesOf(WRONG_WAYS, (way) => wrongly(way, { password, internalUser, secret })),
  };
}

const EXCHANGE_LABELS = [...SAVE_LABELS, 'over another exchange token', 'over the user_sign of the user'];

function valuesOf<T>(
  table: Readonly<Record<string, T>>,
  compute: (entry: T) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([label, entry]) => [label, compute(entry)]));
}

async function saveWith(
  world: EhrWorld,
  label: string,
  { session: { user }, userSign }: Linked,
  options: CallOptions,
): Promise<void> {
  const session = world.session(user);
  await world.saveAuthInfo(label, session, userSign, { mistake: label, ...options });
  await world.getPatient(`read after: ${label}`, session);
}

const saveRightly = <L extends string>(world: EhrWorld<L>, label: L, { session, userSign }: Linked) =>
  world.saveAuthInfo(label, world.session(session.user), userSign);

const eachRefused = <L extends string>(labels: readonly L[], expected = refused('not_authorized')) => ({
  ...labelled(labels, expected),
  ...labelled(
    labels.map((label) => `read after: ${label}` as const),
    refused('not_authorized'),
  ),
});

export const internalChecks: readonly EhrCheck[] = [
  check({
    id: 'save-needs-cred',
    title: 'save_auth_info without a cred stores no session',
    requirements: ['4.1-cred-required'],
    control: ['with the digest'],
    expect: eachRefused(['without cred', 'with cred null'], ends),
    async play(world) {
      const linked = await world.linked();
      await saveWith(world, 'without cred', linked, { cred: undefined });
      await saveWith(world, 'with cred null', linked, { cred: null });
      await saveRightly(world, 'with the digest', linked);
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
      const others = await withOthers(world);
      const { linked } = others;
      const { user, password } = world.settings.internal;
      const tokens = wrongTokens(world, linked.userSign, others);
      for (const [label, token] of Object.entries(tokens))
        await saveWith(world, label, linked, { cred: { user, token } });
      for (const [label, secretOf] of Object.entries(OF_THIS_CALL)) {
        const session = world.session(linked.session.user);
        const cred = { user, token: digest(password, secretOf(session)) };
        await world.saveAuthInfo(label, session, linked.userSign, { mistake: label, cred });
        await world.getPatient(`read after: ${label}`, session);
      }
      await saveRightly(world, 'the right digest', linked);
    },
    advice: PROOF,
  }),
  check({
    id: 'internal-user-checked',
    title: 'An internal call under another user name is refused, even when its digest is right',
    requirements: ['5.1-user-checked'],
    control: ['the internal user'],
    expect: eachRefused(Object.keys(WRONG_USERS)),
    async play(world) {
      const linked = await world.linked();
      const { user, token } = world.internalCred(linked.userSign);
      for (const [label, wrong] of Object.entries(WRONG_USERS))
        await saveWith(world, label, linked, { cred: { user: wrong(user, linked.session.user), token } });
      await saveRightly(world, 'the internal user', linked);
    },
    advice: 'Compare cred.user with the internal user name, letter by letter.',
  }),
  check({
    id: 'authorization-header-opens-nothing',
    title: 'An Authorization header does not take the place of the cred of an internal call',
    requirements: ['5.3-header-opens-nothing'],
    control: ['with the digest'],
    expect: eachRefused(['with Basic', 'with Bearer'], refused()),
    async play(world) {
      const linked = await world.linked();
      const { user, password } = world.settings.internal;
      const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      // A header has bytes: a password beyond ASCII is sent as UTF-8.
      const bearer = Buffer.from(`Bearer ${password}`).toString('latin1');
      const headers = { 'with Basic': basic, 'with Bearer': bearer };
      for (const [label, authorization] of Object.entries(headers))
        await saveWith(world, label, linked, { cred: undefined, headers: { authorization } });
      await saveRightly(world, 'with the digest', linked);
    },
    advice: 'Take no credentials from headers: the digest over the user_sign is what protects each user.',
  }),
  check({
    id: 'exchange-token-needs-cred',
    title: 'save_exchange_token without a cred stores no exchange token',
    requirements: ['4.2-cred-required'],
    control: ['with the digest'],
    expect: { 'without cred': ends, 'use it': refused('exchange_token_unknown') },
    async play(world) {
      const person = await world.patient();
      const [session, exchangeToken] = [world.session(), world.invented('exchange-token')];
      const bare = { cred: undefined, mistake: 'without cred' };
      await world.saveExchangeToken('without cred', exchangeToken, session, bare);
      await world.authenticate('use it', { exchangeToken, session, person });
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
      ...labelled(EXCHANGE_LABELS, refused('not_authorized')),
      'use it': refused('exchange_token_unknown'),
    } as Readonly<Record<string, EhrExpectation>>,
    async play(world) {
      const others = await withOthers(world);
      const { linked } = others;
      const [session, exchangeToken] = [world.session(linked.session.user), world.invented('exchange-token')];
      const { user, password } = world.settings.internal;
      const tokens = {
        ...wrongTokens(world, exchangeToken, others),
        ...valuesOf(OF_THIS_CALL, (secretOf) => digest(password, secretOf(session))),
        'over another exchange token': digest(password, world.invented('exchange-token')),
        'over the user_sign of the user': digest(password, linked.userSign),
      };
      for (const [label, token] of Object.entries(tokens))
        await world.saveExchangeToken(label, exchangeToken, session, {
          cred: { user, token },
          mistake: label,
        });
      await world.authenticate('use it', { exchangeToken, session, person: linked.person });
      await world.saveExchangeToken('the right digest', exchangeToken, session);
    },
    advice: 'Compute sha1(internal password + exchange token) and compare it with cred.token.',
  }),
];

const SAVE = METHODS.saveAuthInfo;

/** Headers that pretend to use the internal endpoint, whose address is `inside`. */
const PRETENCES: Readonly<Record<string, (inside: URL) => Record<string, string>>> = {
  'with X-Forwarded-For': () => ({ 'x-forwarded-for': '127.0.0.1' }),
  'with X-Real-IP': () => ({
    'x-real-ip': '127.0.0.1',
    'x-client-ip': '127.0.0.1',
    'true-client-ip': '127.0.0.1',
  }),
  'with Forwarded': ({ host }) => ({ forwarded: `for=127.0.0.1;host="${host}"` }),
  'with the Host of the internal endpoint': ({ host }) => ({ host }),
  'with X-Forwarded-Host': ({ host, port }) => ({ 'x-forwarded-host': host, 'x-forwarded-port': port }),
  'with X-Original-URL': ({ pathname }) => ({ 'x-original-url': pathname, 'x-rewrite-url': pathname }),
  'with X-Internal': () => ({ 'x-internal': 'true', 'x-channel': 'internal', 'x-internal-request': '1' }),
};

/** Other spellings, which one part of a server may let pass and another take for the method. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'in capitals': SAVE.toUpperCase(),
  'with a blank after it': `${SAVE} `,
  'with a slash': SAVE.replace('.', '/'),
};

const NESTED = [
  'in a batch of one',
  'in a batch after a read',
  'as a notification',
  'as one in a batch',
] as const;
const DISGUISES = [...NESTED, ...Object.keys(PRETENCES), ...Object.keys(SPELLINGS), 'with a query'];

const readAfter = (label: string) => `read after: ${label}`;

async function saveInDisguise(
  world: EhrWorld,
  label: string,
  linked: Linked,
  authInfo: AuthInfo,
): Promise<void> {
  const cred = world.internalCred(linked.userSign);
  const save = callOf(SPELLINGS[label] ?? SAVE, { authInfo }, cred);
  const { id: _id, ...notification } = save;
  const read = readOf({ cred: pairOf(linked.session) });
  const bodies: Readonly<Record<string, unknown>> = {
    'in a batch of one': [save],
    'in a batch after a read': [read, save],
    'as a notification': notification,
    'as one in a batch': [read, notification],
  };
  const request = world.post(
    JSON.stringify(bodies[label] ?? save),
    PRETENCES[label]?.(new URL(world.parts.internalUrl)),
  );
  const query = label === 'with a query' ? '?channel=internal&internal=true' : '';
  await world.send(label, { ...request, url: `${request.url}${query}` }, { mistake: label });
}

export const channelChecks: readonly EhrCheck[] = [
  check({
    id: 'levels-not-mixed',
    title: 'A session opens no internal call, and the digest no call of a client',
    requirements: ['5.1-digest-verified', '4.4-not-authenticated'],
    control: ['the session reads'],
    expect: {
      'save with a session': refused('not_authorized'),
      'read with the digest': refused('not_authorized'),
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      await world.saveAuthInfo('save with a session', next, userSign, { cred: pairOf(session) });
      await world.getPatient('read with the digest', session, { cred: world.internalCred(userSign) });
      await world.getPatient('the session reads', session);
    },
    advice: 'Verify internal calls by the digest alone, and calls of a client by a stored session alone.',
  }),
  check({
    id: 'internal-methods-not-public',
    title:
      'With an internal endpoint of its own, a save over the public endpoint is refused and stores nothing',
    requirements: ['1-internal-channel-closed'],
    control: ['over the internal endpoint'],
    expect: {
      'a session over the public endpoint': refused('access_forbidden'),
      'without cred': refused('access_forbidden'),
      'an exchange token over the public endpoint': refused('access_forbidden'),
      'read the patient': refused('not_authorized'),
    },
    async play(world) {
      world.needsInternalEndpoint();
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      await world.saveAuthInfo('a session over the public endpoint', next, userSign, { otherChannel: true });
      await world.saveAuthInfo('without cred', next, userSign, { otherChannel: true, cred: undefined });
      const exchangeToken = world.invented('exchange-token');
      const label = 'an exchange token over the public endpoint';
      await world.saveExchangeToken(label, exchangeToken, session, { otherChannel: true });
      await world.getPatient('read the patient', next);
      await world.saveAuthInfo('over the internal endpoint', next, userSign);
    },
    advice:
      'Refuse the two save methods on the public listener (code -33403) before their cred is looked at.',
  }),
  check({
    id: 'internal-methods-not-disguised',
    title: 'No batch, notification, header or spelling lets a caller of the public endpoint save anything',
    requirements: ['1-internal-channel-closed'],
    control: ['over the internal endpoint'],
    expect: {
      ...labelled(DISGUISES.map(readAfter), refused('not_authorized')),
      'use an exchange token of a batch': refused('exchange_token_unknown'),
    } as Readonly<Record<string, EhrExpectation>>,
    async play(world) {
      world.needsInternalEndpoint();
      const linked = await world.linked();
      for (const label of DISGUISES) {
        const next = world.session(linked.session.user);
        await saveInDisguise(world, label, linked, next);
        await world.getPatient(readAfter(label), next);
      }
      const [session, exchangeToken] = [world.session(linked.session.user), world.invented('exchange-token')];
      const params = { exchangeToken, authInfo: session };
      const call = callOf(METHODS.saveExchangeToken, params, world.internalCred(exchangeToken));
      await world.sendJson('an exchange token in a batch', [call]);
      const pending = { exchangeToken, session, person: linked.person };
      await world.authenticate('use an exchange token of a batch', pending);
      const next = world.session(linked.session.user);
      await world.saveAuthInfo('over the internal endpoint', next, linked.userSign);
    },
    advice:
      'Decide by the listener that a call came in by, for each call of a batch, and never by a header: anybody writes those.',
  }),
];

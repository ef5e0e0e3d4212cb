/** Checks that a save is refused without the right user and digest, and on the public channel (§4, §5). */
import type { Reason } from '#protocol/wire/errors.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { FOREIGN_CERTIFICATE } from '../../../../engine/wire/foreign-certificate.ts';
import { type EhrFlow, flow } from '../../flow.ts';
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

function valuesOf<T>(
  table: Readonly<Record<string, T>>,
  compute: (entry: T) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([label, entry]) => [label, compute(entry)]));
}

const readAfter = (label: string) => `read after: ${label}`;

/** Plays a save that must be refused, and reads with its session. Only `options` give the save a cred. */
async function refuseSave(
  world: EhrWorld,
  label: string,
  session: AuthInfo,
  options: CallOptions,
  reason?: Reason,
): Promise<void> {
  const save = world.call(label, 'saveAuthInfo', { authInfo: session }, { mistake: label, ...options });
  await world.refuses(save, reason);
  await world.refuses(world.getPatient(readAfter(label), session), 'not_authorized');
}

/** Plays a save of a new session that must succeed. */
const saveRightly = (world: EhrWorld, label: string, { session, userSign }: Linked) =>
  world.control(world.saveAuthInfo(label, world.session(session.user), userSign));

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

const NESTED = ['in a batch of one', 'in a batch after a read', 'as a notification', 'as one in a batch'];
const DISGUISES = [...NESTED, ...Object.keys(PRETENCES), ...Object.keys(SPELLINGS), 'with a query'];

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
  await world.send(label, { ...request, url: `${request.url}${query}` }, { mistake: label })();
}

const WRONG_CERTIFICATES = {
  'without a certificate': undefined,
  'with a certificate of nobody': FOREIGN_CERTIFICATE,
} as const;

export const internalFlows: readonly EhrFlow[] = [
  flow('save-needs-cred', {
    title: 'save_auth_info without a cred stores no session',
    requirements: ['4.1-cred-required'],
    advice: 'Refuse an internal call without cred before anything is stored.',
    async play(world) {
      const linked = await world.linked();
      for (const [label, cred] of Object.entries({ 'without cred': undefined, 'with cred null': null })) {
        const next = world.session(linked.session.user);
        await world.saveAuthInfo(label, next, linked.userSign, { cred, mistake: label })();
        await world.refuses(world.getPatient(readAfter(label), next), 'not_authorized');
      }
      await saveRightly(world, 'with the digest', linked);
    },
  }),
  flow('save-digest-verified', {
    title:
      'save_auth_info is refused when its digest is over anything but password and user_sign, in this order',
    requirements: ['5.1-digest-verified', '1-sign-is-part-of-secret', '5.3-own-sign-needed'],
    explains: ['nobody-saved-by-params', 'saves-of-batch-apart'],
    advice: 'Compute sha1(internal password + user_sign of this user) and compare it with cred.token.',
    async play(world) {
      const others = await withOthers(world);
      const { linked } = others;
      const { user, password } = world.settings.internal;
      const next = () => world.session(linked.session.user);
      const tokens = wrongTokens(world, linked.userSign, others);
      for (const [label, token] of Object.entries(tokens))
        await refuseSave(world, label, next(), { cred: { user, token } }, 'not_authorized');
      for (const [label, secretOf] of Object.entries(OF_THIS_CALL)) {
        const session = next();
        const cred = { user, token: digest(password, secretOf(session)) };
        await refuseSave(world, label, session, { cred }, 'not_authorized');
      }
      await saveRightly(world, 'the right digest', linked);
    },
  }),
  flow('internal-user-checked', {
    title: 'An internal call under another user name is refused, even when its digest is right',
    requirements: ['5.1-user-checked'],
    advice: 'Compare cred.user with the internal user name, letter by letter.',
    async play(world) {
      const linked = await world.linked();
      const endUser = linked.session.user;
      const { user, token } = world.internalCred(linked.userSign);
      for (const [label, wrong] of Object.entries(WRONG_USERS)) {
        const cred = { user: wrong(user, endUser), token };
        await refuseSave(world, label, world.session(endUser), { cred }, 'not_authorized');
      }
      await saveRightly(world, 'the internal user', linked);
    },
  }),
  flow('authorization-header-opens-nothing', {
    title: 'An Authorization header does not take the place of the cred of an internal call',
    requirements: ['5.3-header-opens-nothing'],
    advice: 'Take no credentials from headers: the digest over the user_sign is what protects each user.',
    async play(world) {
      const linked = await world.linked();
      const { user, password } = world.settings.internal;
      const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      // A header has bytes: a password beyond ASCII is sent as UTF-8.
      const bearer = Buffer.from(`Bearer ${password}`).toString('latin1');
      const headers = { 'with Basic': basic, 'with Bearer': bearer };
      for (const [label, authorization] of Object.entries(headers))
        await refuseSave(world, label, world.session(linked.session.user), { headers: { authorization } });
      await saveRightly(world, 'with the digest', linked);
    },
  }),
  flow('exchange-token-needs-cred', {
    title: 'save_exchange_token without a cred stores no exchange token',
    requirements: ['4.2-cred-required'],
    advice: 'Refuse the call before anything is stored.',
    async play(world) {
      const person = await world.patient();
      const [session, exchangeToken] = [world.session(), world.invented('exchange-token')];
      const bare = { cred: undefined, mistake: 'without cred' };
      await world.saveExchangeToken('without cred', exchangeToken, session, bare)();
      const use = world.authenticate('use it', { exchangeToken, session, person });
      await world.refuses(use, 'exchange_token_unknown');
      const another = world.invented('exchange-token');
      await world.control(world.saveExchangeToken('with the digest', another, session));
    },
  }),
  flow('exchange-token-digest-verified', {
    title:
      'save_exchange_token is refused when its digest is over anything but the exchange token it carries',
    requirements: ['5.2-digest-verified'],
    advice: 'Compute sha1(internal password + exchange token) and compare it with cred.token.',
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
      for (const [label, token] of Object.entries(tokens)) {
        const options = { cred: { user, token }, mistake: label };
        const save = world.saveExchangeToken(label, exchangeToken, session, options);
        await world.refuses(save, 'not_authorized');
      }
      const use = world.authenticate('use it', { exchangeToken, session, person: linked.person });
      await world.refuses(use, 'exchange_token_unknown');
      await world.control(world.saveExchangeToken('the right digest', exchangeToken, session));
    },
  }),
  flow('levels-not-mixed', {
    title: 'A session opens no internal call, and the digest no call of a client',
    requirements: ['5.1-digest-verified', '4.4-not-authenticated'],
    advice: 'Verify internal calls by the digest alone, and calls of a client by a stored session alone.',
    async play(world) {
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      const save = world.saveAuthInfo('save with a session', next, userSign, { cred: pairOf(session) });
      await world.refuses(save, 'not_authorized');
      const cred = world.internalCred(userSign);
      await world.refuses(world.getPatient('read with the digest', session, { cred }), 'not_authorized');
      await world.control(world.getPatient('the session reads', session));
    },
  }),
  flow('internal-methods-not-public', {
    title:
      'With an internal endpoint of its own, a save over the public endpoint is refused and stores nothing',
    requirements: ['1-internal-channel-closed'],
    advice:
      'Refuse the two save methods on the public listener (code -33403) before their cred is looked at.',
    async play(world) {
      world.needsInternalEndpoint();
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      const exchangeToken = world.invented('exchange-token');
      const options = { otherChannel: true };
      for (const step of [
        world.saveAuthInfo('a session over the public endpoint', next, userSign, options),
        world.saveAuthInfo('without cred', next, userSign, { ...options, cred: undefined }),
        world.saveExchangeToken(
          'an exchange token over the public endpoint',
          exchangeToken,
          session,
          options,
        ),
      ])
        await world.refuses(step, 'access_forbidden');
      await world.refuses(world.getPatient('read the patient', next), 'not_authorized');
      await world.control(world.saveAuthInfo('over the internal endpoint', next, userSign));
    },
  }),
  flow('internal-certificate-demanded', {
    title: 'The internal endpoint saves nothing for a caller without the client certificate',
    requirements: ['K-internal-certificate'],
    advice:
      'Have the internal listener demand a client certificate of your own authority (requestCert and rejectUnauthorized, ssl_verify_client on), and end every other handshake.',
    async play(world) {
      const isDemanded = world.settings.internalTls !== undefined;
      world.needs(isDemanded, 'the file names no client certificate that the internal endpoint demands');
      const linked = await world.linked();
      for (const [label, certificate] of Object.entries(WRONG_CERTIFICATES)) {
        const next = world.session(linked.session.user);
        await world.saveAuthInfo(label, next, linked.userSign, { certificate, mistake: label })();
        await world.refuses(world.getPatient(readAfter(label), next), 'not_authorized');
      }
      await saveRightly(world, 'with the certificate', linked);
    },
  }),
  flow('internal-methods-not-disguised', {
    title: 'No batch, notification, header or spelling lets a caller of the public endpoint save anything',
    requirements: ['1-internal-channel-closed'],
    advice:
      'Decide by the listener that a call came in by, for each call of a batch, and never by a header: anybody writes those.',
    async play(world) {
      world.needsInternalEndpoint();
      const linked = await world.linked();
      for (const label of DISGUISES) {
        const next = world.session(linked.session.user);
        await saveInDisguise(world, label, linked, next);
        await world.refuses(world.getPatient(readAfter(label), next), 'not_authorized');
      }
      const [session, exchangeToken] = [world.session(linked.session.user), world.invented('exchange-token')];
      const params = { exchangeToken, authInfo: session };
      const call = callOf(METHODS.saveExchangeToken, params, world.internalCred(exchangeToken));
      await world.sendJson('an exchange token in a batch', [call])();
      const pending = { exchangeToken, session, person: linked.person };
      const use = world.authenticate('use an exchange token of a batch', pending);
      await world.refuses(use, 'exchange_token_unknown');
      await saveRightly(world, 'over the internal endpoint', linked);
    },
  }),
];

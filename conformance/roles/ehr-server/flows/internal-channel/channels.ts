/** Checks of the two channels of an EHR server: each serves its own methods, with its own credentials. */
import { check, type EhrCheck, type EhrExpectation, labelled, refused } from '../../check.ts';
import { type AuthInfo, callOf, METHODS, pairOf, readOf } from '../../world/messages.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';

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

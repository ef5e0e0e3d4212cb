/** The two channels: which method belongs to which, and whose credentials count (§1, §2.2, §4.1, §4.2). */
import { check, type EhrCheck, refused } from '../check.ts';
import type { AuthInfo } from '../world.ts';

const anyone = (session: AuthInfo) => ({ user: session.user, token: session.token });

export const channelChecks: readonly EhrCheck[] = [
  check({
    id: 'levels-not-mixed',
    title: 'A session opens no internal call, and the digest no call of a client',
    requirements: ['5.1-digest-verified', '4.4-not-authenticated'],
    control: ['the session reads'],
    expect: { 'save with a session': refused('not_authorized'), 'read with the digest': refused('not_authorized') },
    async play(world) {
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      await world.saveAuthInfo('save with a session', next, userSign, { cred: anyone(session) });
      await world.getPatient('read with the digest', session, { cred: world.internalCred(userSign) });
      await world.getPatient('the session reads', session);
    },
    advice: 'Verify internal calls by the digest alone, and calls of a client by a stored session alone.',
  }),
  check({
    id: 'internal-methods-not-public',
    title: 'With an internal endpoint of its own, a save over the public endpoint is refused and stores nothing',
    requirements: ['1-internal-channel-closed', 'DE-access-forbidden', 'D8-channel-before-cred'],
    control: ['over the internal endpoint'],
    expect: {
      'a session over the public endpoint': refused('access_forbidden'),
      'without cred': refused('access_forbidden'),
      'an exchange token over the public endpoint': refused('access_forbidden'),
      'read the patient': refused('not_authorized'),
    },
    async play(world) {
      world.needInternalEndpoint();
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      await world.saveAuthInfo('a session over the public endpoint', next, userSign, { otherChannel: true });
      await world.saveAuthInfo('without cred', next, userSign, { otherChannel: true, cred: undefined });
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('an exchange token over the public endpoint', exchangeToken, session, {
        otherChannel: true,
      });
      await world.getPatient('read the patient', next);
      await world.saveAuthInfo('over the internal endpoint', next, userSign);
    },
    advice: 'Refuse the two save methods on the public listener (code -33403) before their cred is looked at.',
  }),
  check({
    id: 'client-methods-not-internal',
    title: 'The methods of a client are refused on the internal endpoint',
    level: 'ADVICE',
    requirements: ['X-internal-listener'],
    control: ['over the public endpoint'],
    expect: { 'over the internal endpoint': refused('access_forbidden') },
    async play(world) {
      world.needInternalEndpoint();
      const { session } = await world.linked();
      await world.getPatient('over the internal endpoint', session, { otherChannel: true });
      await world.getPatient('over the public endpoint', session);
    },
    advice: 'Serve only the two save methods on the internal listener.',
  }),
];

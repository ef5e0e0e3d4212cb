/** Probes of the faults in sessions, links, and the calls to the EHR server. */
import { callProbes, sends } from './call-probes.ts';
import { ANN, BEA, type Session, signIn, type World } from './drive.ts';
import { json } from './ehr.ts';
import { type Answer, type Reply, startHttp } from './http.ts';
import { confirmReturn, gate, isUnknownOnReturn, linkUser, type Probe, probe, returnUser, savesOf } from './probe.ts';

const ttlDiffers = sends(({ params }, { ttl }) => params.authInfo?.ttl !== ttl);

/** Opens two sessions of one user and examines the second. */
const withTwo = (shows: (world: World, first: Session, second: Session) => Promise<boolean>): Probe =>
  probe(async (world) => shows(world, await signIn(world), await signIn(world)));

const isUnknown = probe(isUnknownOnReturn);

const isGivenUnstored = probe(async (world) => {
  const session = await signIn(world);
  const calls = world.ehr.calls.length;
  await world.exchange(session);
  return world.ehr.calls.length === calls;
});

const isLockedOut = probe(async (world) => {
  const { session, sign } = await linkUser(world);
  world.ehr.disconnect(session.user);
  return !world.isDone(await confirmReturn(world, ANN, sign));
});

const failing = (): Answer => ({ ...json({}), status: 500 });

/** Whether a later call ends sooner while the EHR server does not answer: both have the same timeout. */
async function isOvertaken(world: World, first: () => Promise<Reply>, second: () => Promise<Reply>): Promise<boolean> {
  const arrived = gate();
  world.ehr.answerWith(() => {
    arrived.open();
    return 'hang';
  });
  const slow = first().catch(() => undefined);
  await arrived.opened;
  const fast = second();
  return (await Promise.race([slow.then(() => 'slow'), fast.then(() => 'fast')])) === 'fast';
}
/** Short, because it is waited for, but long enough for replies on a busy machine. */
const TIMEOUT = { ehrTimeoutMs: 600 };

export const sessionProbes: Readonly<Record<string, Probe>> = {
  ...callProbes,
  'one-ehr-call-at-a-time': probe(async (world) => {
    const [ann, bea] = [await signIn(world, ANN), await signIn(world, BEA)];
    const arrived = gate();
    world.ehr.answerWith((call, right) => {
      arrived.open();
      return call.params.authInfo?.user === ann.user ? 'hang' : right();
    });
    const slow = world.exchange(ann).then(() => 'slow');
    await arrived.opened;
    return (await Promise.race([slow, world.exchange(bea).then(() => 'fast')])) === 'slow';
  }, TIMEOUT),
  'sign-in-hangs': probe(async (world) => {
    const { sign } = await linkUser(world);
    const [attempt, bea] = [await world.attempt(ANN), await signIn(world, BEA)];
    const confirm = () => world.confirm(attempt, attempt.code, sign);
    return isOvertaken(world, confirm, () => world.exchange(bea));
  }, TIMEOUT),
  'exchange-token-hangs': probe(async (world) => {
    const { session, sign } = await linkUser(world);
    const attempt = await world.attempt(ANN);
    const confirm = () => world.confirm(attempt, attempt.code, sign);
    return isOvertaken(world, () => world.exchange(session), confirm);
  }, TIMEOUT),
  'logout-not-looked-at': probe(async (world) => {
    const session = await signIn(world);
    const [arrived, loggedOut] = [gate(), gate()];
    world.ehr.answerWith(async (_call, right) => {
      arrived.open();
      await loggedOut.opened;
      return right();
    });
    const asked = world.exchange(session);
    await arrived.opened;
    await world.logout(session);
    loggedOut.open();
    return world.isDone(await asked);
  }),
  'session-in-shared-variable': probe(async (world) => {
    const [ann, bea] = [await linkUser(world, ANN), await linkUser(world, BEA)];
    const both = gate();
    let came = 0;
    world.ehr.answerWith(async (_call, right) => {
      if (++came === 2) both.open();
      await both.opened;
      return right();
    });
    const [first, second] = await Promise.all([returnUser(world, ANN, ann.sign), returnUser(world, BEA, bea.sign)]);
    return first.user === second.user;
  }),
  'sign-in-trouble-swallowed': probe(async (world) => {
    const { sign } = await linkUser(world);
    world.ehr.answerWith(failing);
    return world.isDone(await confirmReturn(world, ANN, sign));
  }),
  'broken-after-trouble': probe(async (world) => {
    const { sign } = await linkUser(world);
    world.ehr.answerWith(failing);
    await confirmReturn(world, ANN, sign);
    world.ehr.answerWith();
    return !world.isDone(await confirmReturn(world, ANN, sign));
  }),
  'stale-link-locks-out': isLockedOut,
  'stale-sign-locks-out': isLockedOut,
  'stale-signature-kept': probe(async (world) => {
    const { session } = await linkUser(world);
    world.ehr.disconnect(session.user);
    await signIn(world);
    const saves = savesOf(world).length;
    await signIn(world);
    return savesOf(world).length > saves;
  }),
  'stale-link-stays': probe(async (world) => {
    const { session } = await linkUser(world);
    world.ehr.disconnect(session.user);
    await linkUser(world);
    return !world.ehr.tokens.has((await signIn(world)).token);
  }),
  'signature-memory-only': {
    keeps: true,
    async shows(world) {
      await linkUser(world);
      await world.restart();
      return !world.ehr.tokens.has((await signIn(world)).token);
    },
  },
  'user-id-in-memory-only': {
    keeps: true,
    async shows(world) {
      const { user } = await signIn(world);
      await world.restart();
      return (await signIn(world)).user !== user;
    },
  },
  'signature-cut': isUnknown,
  'signature-not-kept': isUnknown,
  'signature-of-last-link': isUnknown,
  'sign-cut': isUnknown,
  'sign-lower-case': isUnknown,
  'sign-of-first-user': isUnknown,
  'bearer-told-as-token': isUnknown,
  'other-token-saved': isUnknown,
  'digest-over-session-token': isUnknown,
  'secret-before-password': isUnknown,
  'save-before-confirmation': probe(async (world) => {
    const { sign } = await linkUser(world);
    const saves = savesOf(world).length;
    const attempt = await world.attempt(ANN);
    await world.confirm(attempt, '', sign);
    return savesOf(world).length > saves;
  }),
  'save-with-exchange-token': probe(async (world) => {
    const { sign } = await linkUser(world);
    const session = await returnUser(world, ANN, sign);
    const saves = savesOf(world).length;
    await world.exchange(session);
    return savesOf(world).length > saves;
  }),
  'auth-info-of-last-session': probe(async (world) => {
    const ann = await signIn(world, ANN);
    await signIn(world, BEA);
    await world.exchange(ann);
    return world.ehr.calls.at(-1)?.params.authInfo?.user !== ann.user;
  }),
  'digest-in-reply': probe(async (world) => {
    const reply = await world.exchange(await signIn(world));
    return reply.text.includes(String(world.ehr.calls.at(-1)?.cred?.token));
  }),
  'ehr-error-passed-on': probe(async (world) => {
    const session = await signIn(world);
    const error = { code: -32602, message: 'words of the EHR server' };
    world.ehr.answerWith(({ id }) => json({ jsonrpc: '2.0', id, error }));
    return (await world.exchange(session)).text.includes(error.message);
  }),
  'token-before-stored': isGivenUnstored,
  'token-never-stored': isGivenUnstored,
  'reads-before-save': probe(async (world) => {
    const { sign } = await linkUser(world);
    await confirmReturn(world, ANN, sign);
    return world.ehr.calls.some(({ method }) => method === 'patient.get_patient');
  }),
  'session-never-ends': probe(async (world) => {
    const session = await signIn(world);
    world.advance(session.ttl * 60_000);
    return world.isDone(await world.exchange(session));
  }),
  'ttl-in-seconds': ttlDiffers,
  'ttl-told-shorter': ttlDiffers,
  'ttl-as-text': ttlDiffers,
  'exchange-token-repeated': probe(async (world) => {
    const session = await signIn(world);
    const [first, second] = [await world.exchange(session), await world.exchange(session)];
    return world.exchangeTokenOf(first) === world.exchangeTokenOf(second);
  }),
  'logout-ends-all': withTwo(async (world, first, second) => {
    await world.logout(first);
    return !world.isDone(await world.exchange(second));
  }),
  'deletion-leaves-others': withTwo(async (world, first, second) => {
    await world.remove(first);
    return world.isDone(await world.exchange(second));
  }),
  'second-sign-in-ends-first': withTwo(async (world, first) => !world.isDone(await world.exchange(first))),
  'exchange-token-of-first-session': withTwo(async (world, _first, second) => {
    await world.exchange(second);
    return world.ehr.calls.at(-1)?.params.authInfo?.token !== second.token;
  }),
  'taken-token-retried': probe(async (world) => {
    const { sign } = await linkUser(world);
    const before = savesOf(world).length;
    const error = { code: -34003, message: 'token stored' };
    world.ehr.answerWith(({ id }) => json({ jsonrpc: '2.0', id, error }));
    await confirmReturn(world, ANN, sign);
    const tokens = savesOf(world)
      .slice(before)
      .map(({ params }) => params.authInfo?.token);
    return new Set(tokens).size < tokens.length;
  }),
  'tokens-counting': withTwo(async (_world, first, second) => first.token.slice(0, 20) === second.token.slice(0, 20)),
  'exchange-tokens-short': sends(({ params }) => String(params.exchangeToken).length < 43),
  'follows-redirects': probe(async (world) => {
    const session = await signIn(world);
    let followed = 0;
    const { url } = await startHttp(() => {
      followed++;
      return json({});
    });
    world.ehr.answerWith(() => ({ status: 307, headers: { location: `${url}/elsewhere` }, body: '' }));
    await world.exchange(session);
    return followed > 0;
  }),
  'retries-pile-up': probe(async (world) => {
    const session = await signIn(world);
    world.ehr.answerWith(failing);
    await world.exchange(session);
    return world.ehr.calls.length > 3;
  }),
  'user-not-compared': probe(async (world) => {
    const [ann, bea] = [await signIn(world, ANN), await signIn(world, BEA)];
    return world.isDone(await world.exchange({ ...ann, user: bea.user }));
  }),
};

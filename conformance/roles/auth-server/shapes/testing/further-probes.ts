/** Probes of the faults observed in another real server. */
import { createHash } from 'node:crypto';
import { ANN, BEA, NO_MEMBER, STRANGER, signIn } from './drive.ts';
import { INTERNAL } from './ehr.ts';
import { confirmReturn, gate, linkUser, type Probe, probe, savesOf } from './probe.ts';

export const furtherProbes: Readonly<Record<string, Probe>> = {
  'password-decomposed': probe(async (world) => !world.isDone(await world.exchange(await signIn(world)))),
  'sign-sanitised': probe(async (world) => {
    const { sign } = await linkUser(world);
    const carried = `${sign}-_a`;
    await confirmReturn(world, ANN, carried);
    const right = createHash('sha1').update(`${INTERNAL.ehrPassword}${carried}`).digest('hex');
    return savesOf(world).at(-1)?.cred?.token !== right;
  }),
  'exchange-tokens-derived': probe(async (world) => {
    const session = await signIn(world);
    const [first, second] = [await world.exchange(session), await world.exchange(session)];
    return world.exchangeTokenOf(first) === world.exchangeTokenOf(second);
  }),
  'unlisted-told-at-start': probe(
    async (world) => (await world.request(NO_MEMBER)).status !== (await world.request(ANN)).status,
  ),
  'challenge-longer-for-known': probe(async (world) => {
    const [known, unknown] = [await world.request(ANN), await world.request(STRANGER)];
    return String(known.body.challenge).length !== String(unknown.body.challenge).length;
  }),
  'cookie-for-any-origin': probe(async (world) => {
    const { headers } = await world.raw({ 'content-type': 'application/json', origin: 'https://evil.example' });
    return headers.get('access-control-allow-credentials') === 'true';
  }),
  'two-ehr-calls-at-a-time': probe(
    async (world) => {
      const [ann, bea] = [await signIn(world, ANN), await signIn(world, BEA)];
      const arrived = gate();
      let hanging = 0;
      world.ehr.answerWith((call, right) => {
        if (call.params.authInfo?.user !== ann.user) return right();
        if (++hanging === 2) arrived.open();
        return 'hang';
      });
      const slow = Promise.race([world.exchange(ann), world.exchange(ann)]).then(() => 'slow');
      await arrived.opened;
      return (await Promise.race([slow, world.exchange(bea).then(() => 'fast')])) === 'slow';
    },
    { ehrTimeoutMs: 600 },
  ),
};

/** Probes of the faults that end a server. */
import { inGzip } from './call-probes.ts';
import { ANN, otherThan, signIn } from './drive.ts';
import type { Answer } from './http.ts';
import { isDown, type Probe, probe } from './probe.ts';

type Given = Exclude<Answer, 'hang'>;

export const dyingProbes: Readonly<Record<string, Probe>> = {
  'dies-at-gzip': probe(async (world) => {
    const session = await signIn(world);
    world.ehr.answerWith((_call, right) => inGzip(right() as Given));
    await world.exchange(session).catch(() => undefined);
    return isDown(world);
  }),
  'dies-at-empty-code': probe(async (world) => {
    await world.confirm(await world.attempt(ANN), '').catch(() => undefined);
    return isDown(world);
  }),
  'dies-at-wrong-code': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    await world.confirm(attempt, otherThan(attempt.code)).catch(() => undefined);
    return isDown(world);
  }),
};

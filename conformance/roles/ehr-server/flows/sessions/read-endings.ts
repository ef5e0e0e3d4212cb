/** Checks of reads under way while their session ends: afterwards nobody reads. */
import { check, checkOf, type EhrCheck, type EhrExpectation, ends, labelled, refused } from '../../check.ts';
import { readCall } from '../../world/messages.ts';
import { valuesOf } from '../../world/played.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';

/** Each ending is repeated: one race alone may miss the moment at which a server errs. */
const ROUNDS = 2;
const READS = 4;

type Ending = (world: EhrWorld, linked: Linked) => Promise<unknown>;

const ENDINGS: Readonly<Record<string, Ending>> = {
  'a logout': (world, { session }) => world.removeAuthInfo('end it', session),
  'a disconnection': (world, { session }) => world.removeAuthentication('end it', session),
  'a new link': async (world, { session }) => {
    await world.removeAuthentication('end it', session);
    await world.signIn('end it', { person: await world.patient(), session: world.session(session.user) });
  },
};
const NAMES = Object.keys(ENDINGS);
const meanwhile = (name: string) => `read during ${name}`;
const afterwards = (name: string) => `read after ${name}`;
const EXPIRY = 'the end of the ttl';

async function readAtEnding(world: EhrWorld, name: string, linked: Linked, end: () => Promise<unknown>) {
  const read = (label: string) => world.getPatient(label, linked.session);
  const reads = Array.from({ length: READS }, () => read(meanwhile(name)));
  await end();
  await read(afterwards(name));
  await Promise.all(reads);
  // What was under way may have written to a cache.
  await read(afterwards(name));
}

const readsMeetEnding = check({
  id: 'no-read-outlives-ending',
  title: 'Reads that are under way when a session ends bring it back for nobody',
  requirements: ['3-logout-ends-session', '3-disconnect-ends-session'],
  control: ['read before'],
  expect: labelled<string>(NAMES.map(afterwards), refused('not_authorized')),
  further: [...NAMES.map(meanwhile), 'end it'],
  async play(world) {
    for (const [name, end] of Object.entries(ENDINGS))
      for (let round = 0; round < ROUNDS; round++) {
        const linked = await world.linked();
        await world.getPatient('read before', linked.session);
        // A cache may have the record of a session that was read before: one round has a new one.
        const session = round === 0 ? linked.session : await world.saved(linked);
        const ending = { ...linked, session };
        await readAtEnding(world, name, ending, () => end(world, ending));
        await world.release();
      }
  },
  advice: 'Let no read write a session or a record to a cache after the session has ended.',
});

const readsMeetExpiry = check({
  id: 'no-read-outlives-expiry',
  title: 'Reads that are under way when the ttl of a session is over do not keep it alive',
  requirements: ['K-session-over-at-ttl'],
  control: ['read before'],
  further: ['a call beside the reads'],
  expect: { [meanwhile(EXPIRY)]: ends, [afterwards(EXPIRY)]: refused('session_expired') } as Readonly<
    Record<string, EhrExpectation>
  >,
  async play(world) {
    world.needs(world.parts.canAdvance, 'nothing moves the clock of the server while calls are under way');
    for (let round = 0; round < ROUNDS; round++) {
      const linked = await world.linked();
      const short = await world.saved(linked, { ttl: world.ttl(1) });
      await world.getPatient('read before', short);
      await readAtEnding(world, EXPIRY, { ...linked, session: short }, async () => {
        // Once this call is answered, the reads have reached the server.
        await world.send('a call beside the reads', world.post(readCall({ method: 'no.method' })));
        await world.advance(1, 1);
      });
      await world.release();
    }
  },
  advice: 'Compare the end of the session with the clock at each call, whatever was cached of it.',
});

export const readEndingChecks: readonly EhrCheck[] = [
  readsMeetEnding,
  checkOf(readsMeetEnding, {
    id: 'reads-at-ending-of-own-patient',
    title: 'A read that is under way when its session ends gives no other patient',
    requirements: ['4.4-record-and-sign'],
    control: ['read before'],
    expect: labelled<string>(NAMES.map(meanwhile), ends),
    judge({ all }) {
      const before = all('read before');
      if (before.some((read) => valuesOf(read).patient === undefined))
        return { notApplicable: 'the record has no id by which patients are told apart' };
      for (const [place, name] of NAMES.entries())
        for (const [index, read] of all(meanwhile(name)).entries()) {
          const own = before[place * ROUNDS + Math.floor(index / READS)];
          const { patient } = valuesOf(read);
          if (own && patient !== undefined && patient !== valuesOf(own).patient)
            return { expected: `${valuesOf(own).patient}`, actual: patient, shownBy: [own, read] };
        }
      return undefined;
    },
    advice: 'Read session, link and record in one transaction.',
  }),
  readsMeetExpiry,
];

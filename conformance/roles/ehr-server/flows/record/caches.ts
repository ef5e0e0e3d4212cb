/** A check that an EHR server which caches records serves nothing of a link that was removed. */
import { check, done, type EhrCheck, refused } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { signOf, valuesOf } from '../../world/played.ts';
import type { EhrWorld } from '../../world/world.ts';

/** A cache might use a shared phone as its key. */
async function twoPatients(world: EhrWorld): Promise<[KnownPerson, KnownPerson]> {
  const { matching } = world.settings.people;
  const isSharing = ({ phone }: KnownPerson) => matching.filter((each) => each.phone === phone).length > 1;
  const first = await world.preferably(isSharing);
  return [first, await world.preferably(({ phone }) => isSharing(first) && phone === first.phone)];
}

const KEPT = 'the server keeps user and patient together after a disconnect';
const FORMER = 'read with the former session, announced again';

export const cacheChecks: readonly EhrCheck[] = [
  check({
    id: 'read-follows-new-link',
    title:
      'After a disconnect a user who links another patient reads that one, and another user of the first reads it',
    requirements: ['3-disconnect-ends-session', '4.4-record-and-sign'],
    control: [
      'read the first patient',
      'disconnect',
      'link the second patient',
      'link the first as another user',
    ],
    expect: {
      'read after the disconnect': refused('not_authorized'),
      'read the second patient': done,
      'read the first as another user': done,
    },
    // A server may refuse to open a session again that was ended with its link.
    further: ['announce the former session again', 'open it', FORMER],
    async play(world) {
      const [first, second] = await twoPatients(world);
      const { session } = await world.linked({ person: first, session: world.sessionFor(first) });
      for (const _ of [1, 2]) await world.getPatient('read the first patient', session);
      await world.removeAuthentication('disconnect', session);
      await world.getPatient('read after the disconnect', session);
      const renewed = await world.signIn('link the second patient', {
        person: second,
        session: world.session(session.user),
      });
      world.needs(renewed.result.kind !== 'refused', KEPT);
      for (const _ of [1, 2]) await world.getPatient('read the second patient', renewed.session);
      const other = await world.signIn('link the first as another user', {
        person: first,
        session: world.session(),
      });
      world.needs(other.result.kind !== 'refused', KEPT);
      for (const _ of [1, 2]) await world.getPatient('read the first as another user', other.session);
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('announce the former session again', exchangeToken, session);
      await world.authenticate('open it', { exchangeToken, session, person: second });
      await world.getPatient(FORMER, session);
    },
    judge({ of, all }) {
      const [second, other] = [of('link the second patient'), of('link the first as another user')];
      const reads = [
        ...[...all('read the second patient'), ...all(FORMER)].map((read) => ({ read, link: second })),
        ...all('read the first as another user').map((read) => ({ read, link: other })),
      ];
      // A reply of authenticate may have no record: then the read must at least not be of the first link.
      const isOfLink = ({ read, link }: (typeof reads)[number]) =>
        signOf(link) === undefined
          ? signOf(read) !== signOf(of('read the first patient'))
          : valuesOf(read).patient === valuesOf(link).patient && signOf(read) === signOf(link);
      const told = reads.filter(({ read }) => valuesOf(read).patient !== undefined);
      const wrong = told.find((each) => !isOfLink(each));
      if (!wrong) return undefined;
      return {
        expected: 'the patient and the user_sign of the link that is there now',
        actual: 'those of a former link, or of another user',
        shownBy: [wrong.read, wrong.link],
      };
    },
    advice:
      'Cache a record under the link it came by, and forget it with the link: users, patients and phones come again.',
  }),
];

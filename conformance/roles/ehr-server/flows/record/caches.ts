/** What is read follows the link of now: nothing of a former link is served, by whatever it was cached. */
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { check, done, type EhrCheck, refused } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { EhrWorld } from '../../world/world.ts';

/** Two patients, of one phone where the file has such. */
async function twoPatients(world: EhrWorld): Promise<[KnownPerson, KnownPerson]> {
  const { matching } = world.settings.people;
  const sharing = matching.filter(
    ({ phone }) => matching.filter((other) => other.phone === phone).length > 1,
  );
  const isSharing = (person: KnownPerson) => sharing.includes(person);
  const first = await world.patient(sharing.length > 0 ? isSharing : undefined);
  const second = await world.patient(sharing.length > 0 ? ({ phone }) => phone === first.phone : undefined);
  return [first, second];
}

const FORMER = 'read with the former session, announced again';

const valueIn = ({ result }: PlayedStep, name: string) =>
  result.kind === 'done' ? result.values[name] : undefined;

export const cacheChecks: readonly EhrCheck[] = [
  check({
    id: 'read-follows-new-link',
    title:
      'After a disconnect a user who links another patient reads that one, and another user of the first reads it with a user_sign of their own',
    requirements: [
      '3-disconnect-ends-session',
      '4.4-record-and-sign',
      'D15-sign-per-link',
      'D20-link-removed',
    ],
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
      const renewed = await world.pending({ person: second, session: world.session(session.user) });
      await world.authenticate('link the second patient', renewed, propertiesOf(second));
      for (const _ of [1, 2]) await world.getPatient('read the second patient', renewed.session);
      const other = await world.pending({ person: first, session: world.session() });
      await world.authenticate('link the first as another user', other, propertiesOf(first));
      for (const _ of [1, 2]) await world.getPatient('read the first as another user', other.session);
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('announce the former session again', exchangeToken, session);
      await world.authenticate('open it', { exchangeToken, session }, propertiesOf(second));
      await world.getPatient(FORMER, session);
    },
    judge({ of, all }) {
      const [first, second, other] = [
        of('read the first patient'),
        of('link the second patient'),
        of('link the first as another user'),
      ];
      const wrong = [
        ...[...all('read the second patient'), ...all(FORMER)].map((read) => [read, second] as const),
        ...all('read the first as another user').map((read) => [read, other] as const),
        [other, first] as const,
      ].find(([read, link]) => {
        const [patient, sign] = [
          valueIn(read, 'patient'),
          valueIn(read, 'userSign') ?? valueIn(read, 'user_sign'),
        ];
        if (patient === undefined) return false;
        const signOfLink = valueIn(link, 'userSign') ?? valueIn(link, 'user_sign');
        return (
          patient !== valueIn(link, 'patient') || (read === other ? sign === signOfLink : sign !== signOfLink)
        );
      });
      if (!wrong) return undefined;
      return {
        expected: 'the patient and the user_sign of the link that is there now',
        actual: 'those of a former link, or of another user',
        shownBy: [...wrong],
      };
    },
    advice:
      'Cache a record under the link it came by, and forget it with the link: users, patients and phones come again.',
  }),
];

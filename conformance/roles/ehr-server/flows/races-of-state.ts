/**
 * Checks that an EHR server keeps its state right when calls meet: many failed matches at the same moment, a
 * removal during an authenticate, a read right after a logout.
 */
import type { RedChange } from '../../../engine/check/red-change.ts';
import { check, codeOf, type EhrCheck, type EhrExpectation, refused } from '../check.ts';
import { membersOf } from '../world/answer.ts';
import { callOf, METHODS } from '../world/messages.ts';
import { replyIn, signOf } from '../world/played.ts';

/** Failed matches that are tried at the same moment. */
const GUESSES = 30;
/** Failed matches that one exchange token allows. */
const MAX_GUESSES = 5;
/** A race is repeated, because a wrong server loses only some. */
const ROUNDS = 3;
const READS = 3;

const NOT_MATCHED = Number(codeOf('patient_not_matched'));

/** Requires that no more failed matches are answered as such than an exchange token allows. */
const fewGuesses: EhrExpectation = {
  kind: 'other',
  judge(_label, played) {
    const replies = played.flatMap((step): unknown[] => [replyIn(step) as unknown].flat());
    const count = replies.filter((reply) => membersOf(membersOf(reply).error).code === NOT_MATCHED).length;
    if (count <= MAX_GUESSES) return undefined;
    const expected = `at most ${MAX_GUESSES} failed matches with one exchange token`;
    return { expected, actual: `${count} were tried (patient_not_matched)`, shownBy: played };
  },
};

/** Changes a right journal: every guess was tried. No smaller change would fail the checks of guesses. */
const triesAll: RedChange = ({ entries }) => {
  const reply = { error: { code: NOT_MATCHED } };
  for (const entry of entries)
    if (entry.kind === 'exchange' && entry.request.body.includes('authenticate'))
      Object.assign(entry.response ?? {}, { body: JSON.stringify(Array(GUESSES).fill(reply)) });
};

/** Requires that each call is answered, by a success or a refusal. */
const answered: EhrExpectation = {
  kind: 'other',
  judge(_label, played) {
    const failed = played.find(({ result }) => result.kind === 'failed');
    return (
      failed && { expected: 'both are carried out or refused', actual: 'a call failed', shownBy: [failed] }
    );
  },
};

export const racesOfStateChecks: readonly EhrCheck[] = [
  check({
    id: 'guesses-counted-at-once',
    title: 'Wrong properties that are sent at the same moment are counted like those sent in turn',
    requirements: ['K-guesses-limited'],
    expect: { 'a guess': fewGuesses },
    async play(world) {
      const pending = await world.pending();
      const guess = () => world.authenticate('a guess', pending, { properties: world.strangersProperties() });
      await Promise.all(Array.from({ length: GUESSES }, guess));
    },
    red: triesAll,
    advice:
      'Count the failure in the same transaction that looks at the count, or by one conditional update.',
  }),
  check({
    id: 'guesses-counted-in-batch',
    title: 'Wrong properties in one batch are counted like those sent one by one',
    requirements: ['K-guesses-limited'],
    expect: { 'a batch of guesses': fewGuesses },
    async play(world) {
      const { exchangeToken } = await world.pending();
      const calls = Array.from({ length: GUESSES }, (_, id) => {
        const params = { exchangeToken, patientProperties: world.strangersProperties() };
        return { ...callOf(METHODS.authenticate, params), id };
      });
      await world.sendJson('a batch of guesses', calls);
    },
    red: triesAll,
    advice: 'Count each call of a batch, and look at the count again before each.',
  }),
  check({
    id: 'logout-seen-by-next-read',
    title: 'Once a logout is answered, no read gives data, however often the session was read before',
    requirements: ['3-logout-ends-session', 'D19-one-session'],
    control: ['read before', 'log out'],
    expect: { 'read at once': refused('not_authorized') },
    async play(world) {
      const { session } = await world.linked();
      for (let read = 0; read < READS; read++) await world.getPatient('read before', session);
      await world.removeAuthInfo('log out', session);
      await Promise.all(Array.from({ length: READS }, () => world.getPatient('read at once', session)));
    },
    advice:
      'Look the session up for each call, or clear what was cached of it before the logout is answered.',
  }),
  check({
    id: 'removal-meets-authenticate',
    title:
      'remove_authentication and authenticate of one user at the same moment leave a whole link, or none',
    requirements: ['D20-link-removed', '3-disconnect-ends-session'],
    expect: { disconnect: answered, 'authenticate meanwhile': answered, 'read afterwards': answered },
    further: ['save for the link', 'link the patient again'],
    async play(world) {
      for (let round = 0; round < ROUNDS; round++) {
        const { person, session, userSign } = await world.linked();
        const pending = await world.pending(world.again({ person, session }));
        const [, linked] = await Promise.all([
          world.removeAuthentication('disconnect', session),
          world.authenticate('authenticate meanwhile', pending),
        ]);
        const { result } = await world.getPatient('read afterwards', pending.session);
        const sign = signOf(linked) ?? userSign;
        // A read that succeeds shows that the link is there. Otherwise another user must be able to link the
        // patient.
        if (result.kind === 'done')
          await world.saveAuthInfo('save for the link', world.session(session.user), sign);
        else await world.signIn('link the patient again', { person, session: world.session() });
        await world.release();
      }
    },
    judge({ all }) {
      const half = [...all('save for the link'), ...all('link the patient again')].find(
        ({ result }) => result.kind !== 'done',
      );
      return (
        half && { expected: 'the link is whole, or gone', actual: 'half of it is left', shownBy: [half] }
      );
    },
    advice:
      'Remove and make a link in one transaction each, and answer the one that came too late by a refusal.',
  }),
];

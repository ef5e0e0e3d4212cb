/**
 * Checks that an EHR server keeps its state right when calls meet: many failed matches at the same moment, a
 * removal during an authenticate, a read right after a logout.
 */
import type { RedChange } from '../../../engine/check/red-change.ts';
import type { Judgement, Steps } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { check, codeOf, type EhrCheck, ends, labelled, refused, servedOrRefused } from '../check.ts';
import { membersOf } from '../world/answer.ts';
import { callOf, METHODS } from '../world/messages.ts';
import { replyIn, signOf } from '../world/played.ts';
import type { EhrWorld } from '../world/world.ts';

/** The label of failed matches that are tried one after another, at most so many. */
const IN_TURN = 'a guess in turn';
const MAX_IN_TURN = 20;
/** Failed matches that are tried at the same moment. */
const GUESSES = 30;
/** A race is repeated, because a wrong server loses only some. */
const ROUNDS = 3;
const READS = 3;

const NOT_MATCHED = Number(codeOf('patient_not_matched'));

/** How many failed matches these steps were answered by; a batch is answered by several. */
const triedIn = (played: readonly PlayedStep[]): number =>
  played
    .flatMap((step): unknown[] => [replyIn(step) as unknown].flat())
    .filter((reply) => membersOf(membersOf(reply).error).code === NOT_MATCHED).length;

/**
 * Requires that no more failed matches are tried at once than in turn, and that there is an end to these.
 */
const noMoreThanInTurn =
  <L extends string>(label: L) =>
  ({ all }: Steps<L | typeof IN_TURN>): Judgement => {
    const [inTurn, atOnce] = [triedIn(all(IN_TURN)), triedIn(all(label))];
    if (inTurn >= MAX_IN_TURN)
      return {
        expected: 'an end to the failed matches',
        actual: `${inTurn} were tried`,
        shownBy: all(IN_TURN),
      };
    if (atOnce <= inTurn) return undefined;
    const expected = `at most ${inTurn} failed matches with one exchange token, as in turn`;
    return { expected, actual: `${atOnce} were tried (patient_not_matched)`, shownBy: all(label) };
  };

/** Tries wrong properties in turn, with one exchange token, until the server refuses it. */
async function guessInTurn<L extends string>(world: EhrWorld<L | typeof IN_TURN>): Promise<void> {
  const pending = await world.pending();
  for (let guess = 0; guess < MAX_IN_TURN; guess++) {
    const properties = world.strangersProperties();
    const { result } = await world.authenticate(IN_TURN, pending, { properties });
    if (result.kind !== 'refused' || Number(result.code) !== NOT_MATCHED) return;
  }
}

/** Changes a right journal: every guess was tried. No smaller change would fail the checks of guesses. */
const triesAll: RedChange = ({ entries }) => {
  const reply = { error: { code: NOT_MATCHED } };
  for (const entry of entries)
    if (entry.kind === 'exchange' && entry.request.body.includes('authenticate'))
      Object.assign(entry.response ?? {}, { body: JSON.stringify(Array(GUESSES).fill(reply)) });
};

export const racesOfStateChecks: readonly EhrCheck[] = [
  check({
    id: 'guesses-counted-at-once',
    title: 'Wrong properties that are sent at the same moment are counted like those sent in turn',
    requirements: ['K-guesses-limited'],
    expect: { [IN_TURN]: refused(), 'a guess': ends },
    async play(world) {
      await guessInTurn(world);
      const pending = await world.pending();
      const guess = () => world.authenticate('a guess', pending, { properties: world.strangersProperties() });
      await Promise.all(Array.from({ length: GUESSES }, guess));
    },
    judge: noMoreThanInTurn('a guess'),
    red: triesAll,
    advice:
      'Count the failure in the same transaction that looks at the count, or by one conditional update.',
  }),
  check({
    id: 'guesses-counted-in-batch',
    title: 'Wrong properties in one batch are counted like those sent one by one',
    requirements: ['K-guesses-limited'],
    expect: { [IN_TURN]: refused(), 'a batch of guesses': ends },
    async play(world) {
      await guessInTurn(world);
      const { exchangeToken } = await world.pending();
      const calls = Array.from({ length: GUESSES }, (_, id) => {
        const params = { exchangeToken, patientProperties: world.strangersProperties() };
        return { ...callOf(METHODS.authenticate, params), id };
      });
      await world.sendJson('a batch of guesses', calls);
    },
    judge: noMoreThanInTurn('a batch of guesses'),
    red: triesAll,
    advice: 'Count each call of a batch, and look at the count again before each.',
  }),
  check({
    id: 'logout-seen-by-next-read',
    title: 'Once a logout is answered, no read gives data, however often the session was read before',
    requirements: ['3-logout-ends-session'],
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
    requirements: ['D20-link-removed'],
    expect: labelled(['disconnect', 'authenticate meanwhile', 'read afterwards'], servedOrRefused),
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

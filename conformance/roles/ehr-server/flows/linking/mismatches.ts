/**
 * Checks what an EHR server tells of properties that fit nobody: a refusal that says which of them is wrong
 * lets a guesser find out one after the other.
 */
import { check, type EhrCheck, labelled, refused } from '../../check.ts';
import { whatTells } from '../../world/played.ts';
import { type Changes, dated, failEach, withValue } from './attempts.ts';

/** A year before or after, which may have no 29th of February. */
const inAnotherYear = (by: number) =>
  dated((day) => `${Number(day.slice(0, 4)) + by}${day.slice(4).replace('-02-29', '-02-28')} 00:00:00.000`);

const LABELS = ['another name', 'another surname', 'another day', 'another phone'] as const;
const [NAME, ...OTHERS] = LABELS;
/** How many of the changes leave the phone as it is, in both rounds. */
const WITH_THE_PHONE = 6;

export const mismatchChecks: readonly EhrCheck[] = [
  check({
    id: 'mismatches-refused-alike',
    title: 'The refusal of a match is the same whichever property differs',
    requirements: ['K-mismatch-not-named'],
    expect: labelled(LABELS, refused()),
    async play(world) {
      const person = await world.patient();
      world.needsAttempts(person, WITH_THE_PHONE);
      // Each change has two values: what a refusal repeats of the call then differs, and tells nothing.
      for (const years of [-1, 1]) {
        const { name, surname, phone } = world.strangersProperties();
        const changes: Changes<(typeof LABELS)[number]> = {
          'another name': withValue('name', name),
          'another surname': withValue('surname', surname),
          'another day': inAnotherYear(years),
          'another phone': withValue('phone', phone),
        };
        await failEach(world, changes, person);
      }
    },
    judge({ all }) {
      const names = all(NAME);
      for (const label of OTHERS) {
        const others = all(label);
        const telling = whatTells(others, names);
        if (telling === undefined) continue;
        const actual = `answers that ${telling} tells apart`;
        return {
          expected: `the same answer to "${NAME}" and "${label}"`,
          actual,
          shownBy: [...names, ...others],
        };
      }
      return undefined;
    },
    advice: 'Answer -34001 with one message, whatever differs: the user knows what was typed.',
  }),
];

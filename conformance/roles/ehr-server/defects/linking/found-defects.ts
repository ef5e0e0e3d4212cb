/**
 * Defects of an EHR server that does not find a patient who is there. A key is the check that must find the
 * defects below it. A text `id: title` begins a defect; its change of the right server follows.
 */
import { matchesOnlyIf, refusesForm } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { dayIn, HOUR_MS, isDate } from './matching-defects.ts';

export const foundDefects = foundBy({
  'patients-found-as-written': [
    'midnight-as-day-before: The date is turned to another time zone, and midnight is the day before',
    matchesOnlyIf(dayIn(-3 * HOUR_MS)),
    'date-of-the-standard-refused: A date with a blank in the place of T is refused',
    refusesForm(isDate(/ /)),
    'gender-refused: Properties with a gender are refused',
    refusesForm(({ gender }) => gender !== undefined),
  ],
});

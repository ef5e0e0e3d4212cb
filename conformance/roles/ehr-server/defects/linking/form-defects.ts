/** Defects of matching that differ in one form or one property each. */
import { matchesOnlyIf, refusesForm, withRules } from '../changes.ts';
import { defects } from '../defect.ts';
import {
  changesProperties,
  comparesNames,
  dayIn,
  digits,
  HOUR_MS,
  hasPhone,
  isDate,
  without,
} from './matching-changes.ts';

export const formDefects = defects({
  'name-not-compared': {
    title: 'The name is not compared',
    change: without('name'),
    caughtBy: 'every-property-counts',
  },
  'surname-not-compared': {
    title: 'The surname is not compared',
    change: without('surname'),
    caughtBy: 'every-property-counts',
  },
  'day-not-compared': {
    title: 'The day of birth is not compared',
    change: without('day'),
    caughtBy: 'every-property-counts',
  },
  'phone-not-compared': {
    title: 'The phone is not compared',
    change: without('phone'),
    caughtBy: 'every-property-counts',
  },
  'gender-not-compared': {
    title: 'gender is ignored',
    change: without('gender'),
    caughtBy: 'gender-must-agree',
  },
  'gender-zero-ignored': {
    title: 'A gender of 0 is taken for absent',
    change: changesProperties(({ gender, ...properties }) =>
      gender === 0 ? properties : { ...properties, gender },
    ),
    caughtBy: 'gender-must-agree',
  },
  'gender-of-two-codes': {
    title: 'A gender other than 0 and 1 is refused as invalid_params',
    change: refusesForm(({ gender }) => Number(gender) > 1),
    caughtBy: 'gender-must-agree',
  },
  'gender-required': {
    title: 'gender is required',
    change: withRules({ matchingRequired: ['name', 'surname', 'date', 'phone', 'gender'] }),
    caughtBy: 'gender-must-agree',
  },
  'phone-not-required': {
    title: 'A search without a phone is carried out',
    change: withRules({ matchingRequired: ['name', 'surname', 'date'] }),
    caughtBy: 'required-properties',
  },
  'day-not-required': {
    title: 'A search without a day of birth is carried out',
    change: withRules({ matchingRequired: ['name', 'surname', 'phone'] }),
    caughtBy: 'required-properties',
  },
  'name-not-required': {
    title: 'A search without a name is carried out',
    change: withRules({ matchingRequired: ['surname', 'date', 'phone'] }),
    caughtBy: 'required-properties',
  },
  'date-without-fraction-refused': {
    title: 'A date without its fraction is refused',
    change: refusesForm(isDate(/ \d\d:\d\d:\d\d$/)),
    caughtBy: 'forms-of-date',
  },
  'date-of-iso-refused': {
    title: 'A date with T is refused',
    change: refusesForm(isDate(/T/)),
    caughtBy: 'forms-of-date',
  },
  'date-with-z-refused': {
    title: 'A date with a space and Z is refused',
    change: refusesForm(isDate(/ .*Z$/)),
    caughtBy: 'forms-of-date',
  },
  'day-alone-refused': {
    title: 'A day without time is refused',
    change: refusesForm(isDate(/^.{10}$/)),
    caughtBy: 'forms-of-date',
  },
  'day-shifted-east': {
    title: 'The day of a date is that of a zone in the east',
    change: matchesOnlyIf(dayIn(3 * HOUR_MS)),
    caughtBy: 'day-alone-compared',
    seenIn: ['msupply-foundation/mobile#4334', 'medizininformatik-initiative/INTERPOLAR#528'],
  },
  'day-shifted-west': {
    title: 'The day of a date is that of a zone in the west',
    change: matchesOnlyIf(dayIn(-5 * HOUR_MS)),
    caughtBy: 'day-alone-compared',
    seenIn: ['msupply-foundation/mobile#4334', 'medizininformatik-initiative/INTERPOLAR#528'],
  },
  'names-by-letter': {
    title: 'Names are compared with their capitals',
    change: comparesNames((name) => name.trim().normalize('NFC').replaceAll('ё', 'е')),
    caughtBy: 'names-in-any-case',
  },
  'names-with-their-spaces': {
    title: 'Names are compared with the spaces around them',
    change: comparesNames((name) => name.toLowerCase()),
    caughtBy: 'names-with-spaces',
  },
  'names-with-their-inner-spaces': {
    title: 'Names are compared with each space inside them',
    change: comparesNames((name) => name.trim().toLowerCase().normalize('NFC').replaceAll('ё', 'е')),
    caughtBy: 'names-with-spaces',
  },
  'decomposed-letters-differ': {
    title: 'Composed and decomposed letters differ',
    change: comparesNames((name) => name.trim().toLowerCase()),
    caughtBy: 'names-across-unicode',
    seenIn: ['unmade/shelf-back#50', 'uewepuep/FPVTracksideCore#75'],
  },
  'yo-differs': {
    title: 'In names ё and е differ',
    change: comparesNames((name) => name.trim().toLowerCase().normalize('NFC')),
    caughtBy: 'names-with-yo',
  },
  'phone-by-character': {
    title: 'Phones are compared by their characters',
    change: matchesOnlyIf(hasPhone((phone) => phone)),
    caughtBy: 'phone-punctuation',
  },
  'phone-dots-differ': {
    title: 'The dots of a phone are compared',
    change: matchesOnlyIf(hasPhone((phone) => phone.replace(/[\s+()-]/g, ''))),
    caughtBy: 'phone-punctuation',
  },
  'leading-eight-differs': {
    title: 'A leading 8 and a leading 7 differ',
    change: matchesOnlyIf(hasPhone(digits)),
    caughtBy: 'phone-leading-eight',
  },
  'extension-compared': {
    title: 'The digits of an extension are compared',
    change: matchesOnlyIf(hasPhone((phone) => digits(phone).replace(/^8(?=\d{10}$)/, '7'))),
    caughtBy: 'phone-extension',
  },
  'empty-strategy-refused': {
    title: 'An empty searchStrategy is refused',
    change: refusesForm(({ searchStrategy }) => searchStrategy === ''),
    caughtBy: 'empty-means-absent',
  },
  'null-card-refused': {
    title: 'A medCardId of null is refused',
    change: refusesForm(({ medCardId }) => medCardId === null),
    caughtBy: 'empty-means-absent',
  },
  'gender-null-refused': {
    title: 'A gender of null is refused',
    change: refusesForm(({ gender }) => gender === null),
    caughtBy: 'empty-means-absent',
  },
  'card-without-search': {
    title: 'A search by MEDCARD is refused as one without a card',
    change: refusesForm(({ searchStrategy }) => searchStrategy === 'MEDCARD'),
    caughtBy: 'medcard-strategy',
  },
  'phone-in-the-place-of-card': {
    title: 'A search by MEDCARD without a card is one by phone',
    change: changesProperties((sent) => (sent.medCardId ? sent : { ...sent, searchStrategy: 'PHONE' })),
    caughtBy: 'medcard-needs-card',
  },
  'numbers-as-texts': {
    title: 'A phone that is a number is read as a text',
    change: changesProperties((sent) => ({
      ...sent,
      phone: typeof sent.phone === 'number' ? String(sent.phone) : sent.phone,
    })),
    caughtBy: 'types-of-properties',
  },
  'gender-beyond-table': {
    title: 'A gender of no code is ignored',
    change: changesProperties(({ gender, ...sent }) =>
      [0, 1, 2, 3].includes(gender as number) ? { ...sent, gender } : sent,
    ),
    caughtBy: 'gender-codes',
  },
});

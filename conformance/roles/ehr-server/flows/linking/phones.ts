/** Checks that an EHR server compares phones by what they mean, and each one of a record (decision 27). */

import { check, type EhrCheck } from '../../check.ts';
import { changed, eachFinds, same } from './attempts.ts';

export const phoneChecks: readonly EhrCheck[] = [
  check({
    id: 'each-phone-finds',
    title: 'A patient is found by each phone of the record, not by the first alone',
    requirements: ['D27-each-phone'],
    ...eachFinds(
      {
        'by one phone': same,
        'by the other phone': (properties, { otherPhone }) => ({ ...properties, phone: otherPhone }),
      },
      (world) => world.patient(({ otherPhone }) => otherPhone !== undefined, 'patient with an otherPhone'),
    ),
    advice: 'Compare the phone with each one of the record.',
  }),
  check({
    id: 'phone-punctuation',
    title: 'Spaces, plus, hyphens, brackets and dots in a phone make no difference',
    requirements: ['D27-phone-punctuation'],
    ...eachFinds({
      'with a plus': changed('phone', (phone) => `+${phone}`),
      'with spaces and brackets': changed('phone', (phone) => phone.replace(/(.)(...)/, '+$1 ($2) ')),
      'with hyphens': changed('phone', (phone) => phone.replace(/(....)(...)/, '$1-$2-')),
      'with dots': changed('phone', (phone) => phone.replace(/(....)(...)/, '$1.$2.')),
    }),
    advice: 'Compare the digits of both phones.',
  }),
  check({
    id: 'phone-leading-eight',
    title: 'A Russian number of 11 digits that starts with 8 equals the same number with 7',
    requirements: ['D27-leading-eight'],
    ...eachFinds({ 'with 8': changed('phone', (phone) => phone.replace(/^\+?7/, '8')) }, (world) =>
      world.patient(({ phone }) => /^\+?7\d{10}$/.test(phone), 'patient with a Russian phone'),
    ),
    advice: 'Replace a leading 8 of 11 digits by 7 on both sides.',
  }),
  check({
    id: 'phone-extension',
    title: 'An extension of a phone makes no difference',
    requirements: ['D31-phone-extension'],
    ...eachFinds({
      'with x': changed('phone', (phone) => `${phone} x29688`),
      'with ext.': changed('phone', (phone) => `${phone} ext. 12`),
    }),
    advice: 'Cut a phone from x or ext on, before its digits are compared.',
  }),
];

/**
 * Defects of an EHR server in how it compares phones. A key is the check that must find the defects below it.
 * A text `id: title` begins a defect; its change of the right server follows.
 */

import type { Patient } from '#protocol/wire/fields.ts';
import { phoneKey } from '#protocol/wire/matching.ts';
import type { Members } from '../../../../engine/defects/rpc-call.ts';
import { matchesOnlyIf } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { digits } from './matching-defects.ts';

/** Whether a record has the phone that was sent, after `change` has rewritten it. */
const hasPhone =
  (change: (phone: string) => string) =>
  (sent: Members, { phones }: Patient) =>
    sent.phone === undefined || phones.some((phone) => change(String(sent.phone)) === phone);

/** Whether the phone that was sent is this one. */
const isPhone = (sent: unknown, phone: string | undefined) =>
  sent === undefined || phoneKey(String(sent)) === phoneKey(phone ?? '');

export const phoneDefects = foundBy({
  'each-phone-finds': [
    'first-phone-alone: A patient is found by the first phone of the record alone',
    matchesOnlyIf((sent, { phones }) => isPhone(sent.phone, phones[0])),
    'last-phone-alone: A patient is found by the last phone of the record alone',
    matchesOnlyIf((sent, { phones }) => isPhone(sent.phone, phones.at(-1))),
    'phone-stored-alone: A patient is found by the phone with the smallest number alone',
    matchesOnlyIf((sent, { phones }) => isPhone(sent.phone, [...phones].sort()[0])),
  ],
  'phone-punctuation': [
    'phone-by-character: Phones are compared by their characters',
    matchesOnlyIf(hasPhone((phone) => phone)),
    'phone-dots-differ: The dots of a phone are compared',
    matchesOnlyIf(hasPhone((phone) => phone.replace(/[\s+()-]/g, ''))),
  ],
  'phone-leading-eight': [
    'leading-eight-differs: A leading 8 and a leading 7 differ',
    matchesOnlyIf(hasPhone(digits)),
  ],
  'phone-extension': [
    'extension-compared: The digits of an extension are compared',
    matchesOnlyIf(hasPhone((phone) => digits(phone).replace(/^8(?=\d{10}$)/, '7'))),
  ],
});

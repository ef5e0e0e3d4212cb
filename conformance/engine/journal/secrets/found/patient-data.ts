/**
 * Finds patient data in messages of the authorization server, which must never get any. The data may be in
 * any form: escaped, encoded, packed or hashed.
 */

import type { RawExchange } from '../../entry.ts';
import { findCanaries } from '../canaries.ts';
import { decodedTexts, unpackedTexts } from '../decoded-texts.ts';
import type { Knowledge } from '../knowledge.ts';
import { findHashes } from './patient-hashes.ts';

type Sought = Pick<Knowledge, 'patientData' | 'patientHashes' | 'formsOf'>;

/** Lists the patient data in a message: "surname in the request body, base64". */
export function findPatientData({ request, response }: RawExchange, sought: Sought): string[] {
  const { patientData: values, patientHashes, formsOf } = sought;
  if (values.size === 0) return [];
  const canariesIn = (text: string, wanted = [...values.keys()]) =>
    wanted.length === 0 ? [] : findCanaries(text, wanted, formsOf);
  const places: [string, string][] = [
    ['request line', request.path],
    ...request.headers.map(([name, value]): [string, string] => [`header ${name.toLowerCase()}`, value]),
    ['request body', request.body],
    ...(response ? ([['reply', response.body]] as [string, string][]) : []),
  ];
  const whole = places.map(([, text]) => text).join('\n');
  // Most messages have no patient data. The places are searched one by one only for values that occur.
  const found = [...new Set(canariesIn(`${whole}\n${hiddenIn(whole)}`).map(({ value }) => value))];
  const inPlaces = places.flatMap(([place, text]) => [
    ...canariesIn(text, found).map(({ value, form }) => `${values.get(value)} in the ${place}, ${form}`),
    ...canariesIn(hiddenIn(text), found).map(
      ({ value }) => `${values.get(value)} in the ${place}, packed in base64`,
    ),
    ...findHashes(text, patientHashes).map((what) => `${what} in the ${place}`),
  ]);
  return [...new Set(inPlaces)];
}

const hiddenIn = (text: string) => [...decodedTexts(text), ...unpackedTexts(text)].join('\n');

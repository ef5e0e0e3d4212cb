/** Finds patient properties where they must not be, in any form. */

import type { RawExchange } from '../../entry.ts';
import { findCanaries } from '../canaries.ts';
import { decodedTexts, unpackedTexts } from '../decoded-texts.ts';
import type { Knowledge } from '../knowledge.ts';
import { findHashes } from './patient-hashes.ts';

type Sought = Pick<Knowledge, 'patientData' | 'patientHashes' | 'formsOf'>;

/** Lists places and forms of patient properties in what the authorization server received or sent. */
export function findPatientData({ request, response }: RawExchange, sought: Sought): string[] {
  const { patientData: values, patientHashes, formsOf } = sought;
  if (values.size === 0) return [];
  const canariesIn = (text: string, wanted = [...values.keys()]) =>
    wanted.length === 0 ? [] : findCanaries(Buffer.from(text, 'utf8'), wanted, formsOf);
  const places: [string, string][] = [
    ['request line', request.path],
    ...request.headers.map(([name, value]): [string, string] => [`header ${name.toLowerCase()}`, value]),
    ['request body', request.body],
    ...(response ? ([['reply', response.body]] as [string, string][]) : []),
  ];
  const whole = places.map(([, text]) => text).join('\n');
  // Most messages have nothing: the places are searched one by one only where there is something.
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

/** Finds patient properties where they must not be, in any form. */

import type { RawExchange } from '../observe.ts';
import { findCanaries } from './canaries.ts';
import type { Knowledge } from './knowledge.ts';

/** Lists places and forms of patient properties in what the authorization server received or sent. */
export function findPatientData(
  { request, response }: RawExchange,
  { patientData: values, formsOf }: Pick<Knowledge, 'patientData' | 'formsOf'>,
): string[] {
  if (values.size === 0) return [];
  const places: [string, string][] = [
    ['request line', request.path],
    ...request.headers.map(([name, value]): [string, string] => [`header ${name.toLowerCase()}`, value]),
    ['request body', request.body],
    ...(response ? ([['reply', response.body]] as [string, string][]) : []),
  ];
  const found = new Set(
    findCanaries(Buffer.from(places.map(([, text]) => text).join('\n'), 'utf8'), [...values.keys()], formsOf).map(
      ({ value }) => value,
    ),
  );
  if (found.size === 0) return [];
  return places.flatMap(([place, text]) =>
    findCanaries(Buffer.from(text, 'utf8'), [...found], formsOf).map(
      ({ value, form }) => `${values.get(value)} in the ${place}, ${form}`,
    ),
  );
}

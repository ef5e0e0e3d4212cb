/** Finds the values in an answer that a later call may send, and says where they stand. */
import { tryJson } from '#protocol/wire/json.ts';
import { memberPointer } from '../party/requests/json-pointer.ts';
import type { TracedCall } from './trace/traced-call.ts';

/** Where in an answer a value stands. */
export type AnswerPlace = { pointer: string } | { cookie: string } | { header: string };

/** The texts and numbers in an answer, with their places. */
export function placesIn({ headers, body }: NonNullable<TracedCall['response']>): [AnswerPlace, string][] {
  const found: [AnswerPlace, string][] = [];
  for (const [name, value] of headers) {
    const cookie = /^\s*([^=;]+)=([^;]*)/.exec(value);
    if (name.toLowerCase() === 'set-cookie' && cookie?.[1] !== undefined && cookie[2])
      found.push([{ cookie: cookie[1].trim() }, cookie[2]]);
    else if (/^(location|x-|authorization)/i.test(name)) found.push([{ header: name.toLowerCase() }, value]);
  }
  const collect = (value: unknown, pointer: string): void => {
    if (typeof value === 'string' || typeof value === 'number') found.push([{ pointer }, String(value)]);
    else if (value !== null && typeof value === 'object')
      for (const [name, each] of Object.entries(value)) collect(each, memberPointer(pointer, name));
  };
  collect(tryJson(body)?.value, '');
  return found;
}

/** A place in one text, as the script names it. */
export function placeText(place: AnswerPlace): string {
  if ('pointer' in place) return place.pointer;
  return 'cookie' in place ? `cookie ${place.cookie}` : place.header;
}

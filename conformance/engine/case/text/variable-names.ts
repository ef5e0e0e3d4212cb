/** Names the variables of a script after where their values come from. */
import type { AnswerPlace } from '../answer-places.ts';
import { camelCase } from '../js-text.ts';

/** Where a variable has its value from. */
export type ValueSource =
  | { from: 'phone'; value: string; index: number }
  | { from: 'drawn'; value: string; member: string; call: number; base: DrawnSource | undefined }
  | { from: 'code'; value: string; call: number; phone: string }
  | { from: 'given'; value: string; call: number; member: string; back: number }
  | { from: 'answer'; value: string; call: number; place: AnswerPlace };

/** A value that a script draws, or makes of one that it has drawn: its base. */
export type DrawnSource = ValueSource & { from: 'drawn' };

/** The last name of the place in an answer where a value stands. */
export function lastOf(source: ValueSource): string {
  if (source.from !== 'answer' || !('pointer' in source.place)) return '';
  return source.place.pointer.split('/').at(-1) ?? '';
}

/** The name of a variable, unless another one has it. */
export function baseName(source: ValueSource): string {
  if (source.from === 'drawn' || source.from === 'given') return camelCase(source.member);
  if (source.from !== 'answer') return source.from;
  const { place } = source;
  const raw = 'pointer' in place ? lastOf(source) : 'cookie' in place ? place.cookie : place.header;
  const camel = camelCase(raw);
  const name = camel.charAt(0).toLowerCase() + camel.slice(1);
  return /^[a-z]\w*$/.test(name) ? name : 'value';
}

/** The rules that a single message of a client must keep. */

export type Callee = 'auth' | 'ehr';

/** Each is judged by a check of its own, in flows/every-step. */
export type MessageRule =
  | 'post-json'
  | 'path'
  | 'envelope'
  | 'id'
  | 'method'
  | 'method-text'
  | 'params'
  | 'cred'
  | 'no-cred'
  | 'authenticate-params'
  | 'names'
  | 'date'
  | 'date-form'
  | 'phone'
  | 'gender'
  | 'removal-params'
  | 'exchange-token'
  | 'user-sign'
  | 'user-sign-unknown'
  | 'user-sign-of-person'
  | 'code'
  | 'code-typed'
  | 'ehr-words'
  | 'over';

export const labelOf = (rule: MessageRule): string => `message ${rule}`;

/** `what` is without any value of a patient. */
export type MessageFault = { rule: MessageRule; method: string; what: string };

export type Add = (rule: MessageRule, isRight: boolean, what: string) => void;

/** Of a text its first 40 characters, each digit as 9 and each letter as a: a report must not show it. */
export function shapeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return `"${value.slice(0, 40).replace(/\d/g, '9').replace(/\p{L}/gu, 'a')}"`;
}

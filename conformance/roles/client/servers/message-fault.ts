/** Names the rules that a single message of a client must keep, and how the kit notes that one is broken. */

/** The server that a message goes to: the authorization server, or the EHR server. */
export type Callee = 'auth' | 'ehr';

/** The rules of a single message. Each is judged by a check of its own, in flows/every-step. */
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

/** The label of the note in the journal that a message breaks a rule. */
export const labelOf = (rule: MessageRule): string => `message ${rule}`;

/**
 * A rule that a message breaks, the method of its call, and what is wrong, without any value of a patient.
 */
export type MessageFault = { rule: MessageRule; method: string; what: string };

/** Notes that the message breaks a rule, with what is wrong, unless `isRight`. */
export type Add = (rule: MessageRule, isRight: boolean, what: string) => void;

/**
 * The form of a value, for reports that must not show the value: of a text its first 40 characters, in which
 * each digit becomes 9 and each letter a; of any other value its type.
 */
export function shapeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return `"${value.slice(0, 40).replace(/\d/g, '9').replace(/\p{L}/gu, 'a')}"`;
}

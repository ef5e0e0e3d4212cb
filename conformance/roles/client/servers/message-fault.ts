/** Names the rules that a single message of a client must keep, and how the kit notes that one is broken. */

/** The server that a message goes to: the authorization server, or the EHR server. */
export type Callee = 'auth' | 'ehr';

/** The rules of a single message. Each is judged by a check of its own, in flows/every-step. */
export type MessageRule =
  | 'post-json'
  | 'json-type'
  | 'path'
  | 'envelope'
  | 'id'
  | 'id-again'
  | 'method'
  | 'method-text'
  | 'method-known'
  | 'auth-call'
  | 'params'
  | 'cred'
  | 'cred-elsewhere'
  | 'no-cred'
  | 'authenticate-params'
  | 'search'
  | 'names'
  | 'date'
  | 'date-form'
  | 'phone'
  | 'gender'
  | 'gender-code'
  | 'properties'
  | 'removal-params'
  | 'exchange-token'
  | 'exchange-token-spent'
  | 'user-sign'
  | 'user-sign-left-out'
  | 'user-sign-unknown'
  | 'user-sign-of-person'
  | 'user-sign-to-ehr'
  | 'code'
  | 'code-typed'
  | 'extra-members'
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

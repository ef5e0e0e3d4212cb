/** The rules of a single message, and what is noted when one is broken. */
/** The two servers that a client calls. */
export type Callee = 'auth' | 'ehr';

/** The rules of a single message, each judged by a check of its own. */
export type MessageRule =
  | 'post-json'
  | 'path'
  | 'envelope'
  | 'id'
  | 'method'
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
  | 'exchange-token-spent'
  | 'user-sign'
  | 'user-sign-of-person'
  | 'user-sign-to-ehr'
  | 'code'
  | 'code-typed'
  | 'extra-members';

/** The label of the kit's observation that a message breaks a rule. */
export const labelOf = (rule: MessageRule): string => `message ${rule}`;

/** A rule that a message breaks, and how, without any value of a patient. */
export type MessageFault = { rule: MessageRule; method: string; what: string };

/** Notes a fault unless the message is right. */
export type Add = (rule: MessageRule, isRight: boolean, what: string) => void;

/** The form of a value, for reports that must not show it: digits become 9, letters become a. */
export function shapeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return `"${value.slice(0, 40).replace(/\d/g, '9').replace(/\p{L}/gu, 'a')}"`;
}

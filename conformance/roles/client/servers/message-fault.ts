/** The rules of a single message, and what is known when a message is held against them. */
import type { FormValues } from '../drivers/driver.ts';

/** The two servers that a client calls. */
export type Callee = 'auth' | 'ehr';

/** The rules of a single message, each judged by a check of its own. */
const messageRules = [
  'post-json',
  'path',
  'envelope',
  'id',
  'method',
  'params',
  'cred',
  'no-cred',
  'authenticate-params',
  'names',
  'date',
  'date-form',
  'phone',
  'gender',
  'removal-params',
  'exchange-token',
  'exchange-token-spent',
  'user-sign',
  'user-sign-of-person',
  'user-sign-to-ehr',
  'code',
  'code-typed',
  'extra-members',
] as const;
export type MessageRule = (typeof messageRules)[number];

/** The label of the kit's observation that a message breaks a rule. */
export const labelOf = (rule: MessageRule): string => `message ${rule}`;

/** A rule that a message breaks, and how, without any value of a patient. */
export type MessageFault = { rule: MessageRule; method: string; what: string };

/** Notes a fault unless the message is right. */
export type Add = (rule: MessageRule, isRight: boolean, what: string) => void;

/** What the kit has handed to the client, and what was typed into it. */
export type Known = {
  session: { user: string; token: string } | undefined;
  /** Sessions of earlier sign-ins that the client may use besides. */
  otherSessions?: readonly { user: string; token: string }[];
  /** Sessions of earlier sign-ins, which the client may still end. */
  endableSessions?: readonly { user: string; token: string }[];
  exchangeTokens: ReadonlySet<string>;
  /** Exchange tokens of which an answer has said that they lead to nothing any more. */
  spentTokens?: ReadonlySet<string>;
  signs: ReadonlySet<string>;
  /** The signatures given to the person of a phone: the newest, and those of links that are over. */
  signsOf?: (phone: string) => { current: string | undefined; former: ReadonlySet<string> } | undefined;
  typed: readonly FormValues[];
  /** Codes that the person entered. */
  codes: ReadonlySet<string>;
  /** Ids of the calls of this link that are not answered yet. */
  openIds: ReadonlySet<string>;
};

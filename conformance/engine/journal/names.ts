/**
 * The names that entries of the journal use: for steps (what the kit does in a scenario) and for faults (what
 * the kit's recording proxy spoils on purpose).
 */

/** The steps of a client. Every adapter file must describe them or call them absent; others help the kit. */
export const clientSteps = [
  'requestOtp',
  'confirmOtp',
  'exchangeToken',
  'reportLink',
  'logout',
  'deleteUser',
] as const;

/** Steps with an authorization server. Its adapter file describes how the kit takes each of them. */
export const stepNames = [
  ...clientSteps,
  'removeCorrespondence',
  'advanceClock',
  'expireSession',
  'restart',
] as const;
export type StepName = (typeof stepNames)[number];

/** Calls of a client to the EHR server. The kit makes them in place of a client. */
export type EhrStepName = 'getPatient' | 'authenticate' | 'removeAuthInfo' | 'removeAuthentication';

/** Further steps with an EHR server: calls of an authorization server, and `send` for no valid call. */
export type OtherEhrStepName = 'saveAuthInfo' | 'saveExchangeToken' | 'send';

/** Steps when a client is under test: what a person does with the client. */
export type PersonStepName =
  | 'signIn'
  | 'resend'
  | 'enterCode'
  | 'fillForm'
  | 'readPatient'
  | 'logOut'
  | 'disconnect'
  | 'deleteAccount'
  | 'restartClient'
  | 'leave'
  | 'reload'
  | 'goBack'
  | 'otherTab'
  | 'look';

export type AnyStepName = StepName | EhrStepName | OtherEhrStepName | PersonStepName;

/** Faults that the recording proxy can inject into one exchange. Most of them change the reply. */
export const faultNames = [
  'down',
  'reset',
  'hang',
  'late',
  'truncate',
  'not-json',
  'wrong-id',
  'http-500',
  'reply-lost',
  'redirect',
  /** The reply comes in three parts, with pauses. */
  'split-reply',
  'number-id',
  'string-id',
  'refuse',
  'result-null',
  'result-empty',
  'no-result',
  'result-and-error',
  'error-text',
  /** A list with the reply in it, in the place of the reply. */
  'array',
  'status-204',
  'gzip',
  'trickle',
  'huge',
  'duplicate-members',
  'replayed',
  'more-members',
  'null-id',
] as const;

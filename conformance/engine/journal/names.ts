/** The names of steps and of faults, as the journal holds them. */

/** The client-side steps that an adapter describes. */
export const stepNames = [
  'requestOtp',
  'confirmOtp',
  'exchangeToken',
  'reportLink',
  'logout',
  'deleteUser',
  'removeCorrespondence',
  'advanceClock',
  'expireSession',
  'restart',
] as const;
export type StepName = (typeof stepNames)[number];

/** The client's calls to the EHR server, which the kit makes. */
export type EhrStepName = 'getPatient' | 'authenticate' | 'removeAuthInfo' | 'removeAuthentication';

/** Where an EHR server is judged: the calls of an authorization server, and requests that are no call. */
export type OtherEhrStepName = 'saveAuthInfo' | 'saveExchangeToken' | 'send';

/** Where a client is judged: what a person does with it. */
export type ClientStepName =
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
  | 'goOffline'
  | 'goOnline';

export type AnyStepName = StepName | EhrStepName | OtherEhrStepName | ClientStepName;

/** Faults that a recording proxy can inject into one exchange. */
export const faultNames = [
  'down',
  'reset',
  'hang',
  'late',
  'truncate',
  'not-json',
  'wrong-id',
  'http-500',
  'http-429',
  'reply-lost',
  'redirect',
  'split-reply',
  'number-id',
  'string-id',
  'refuse',
  'result-null',
  'result-empty',
  'no-result',
  'result-and-error',
  'error-text',
  'array',
  'status-204',
  'gzip',
  'trickle',
  'huge',
  'duplicate-members',
  'doubled',
  'replayed',
  'sign-alone',
  'more-members',
  'short-ttl',
  'long-ttl',
  'null-id',
] as const;

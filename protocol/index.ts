/** The package export `embedded-ehr-harness/protocol`: the contract as data, and its message functions. */
export { type AuthMethod, authMethods } from './methods/auth-methods.ts';
export { type EhrMethod, ehrMethods } from './methods/ehr-methods.ts';
export {
  type Access,
  type Cred,
  type CredKind,
  type MethodSpec,
  type MethodTable,
  type Params,
  type Result,
  reasonsOf,
} from './methods/method-spec.ts';
export type { Requirement } from './requirements/requirement.ts';
export { type RequirementId, requirements } from './requirements.ts';
export { type Clock, type MovableClock, manualClock, systemClock } from './time/clock.ts';
export { type Random, randomCode, randomToken, seededRandom, systemRandom } from './time/random.ts';
export { callText, type Id, MAX_BATCH, type ReplyId, readReply } from './wire/envelope.ts';
export {
  type ErrorObject,
  errorTable,
  isReason,
  type Reason,
  RpcError,
  type RpcErrorOptions,
} from './wire/errors.ts';
export type { Patient, PatientProperties } from './wire/fields.ts';
export { DIGEST_SHAPE, digest } from './wire/hashes.ts';
export { cardKey, dayKey, GENDERS, nameKey, phoneKey } from './wire/matching.ts';
export { type Exchange, violationsOf } from './wire/violations.ts';

/** The package export `embedded-ehr-harness/protocol`: the contract as data, and its message functions. */
export { type AuthMethod, authMethods } from '#protocol/auth-methods.ts';
export { type Clock, type MovableClock, manualClock, systemClock } from '#protocol/clock.ts';
export { DIGEST_SHAPE, digest } from '#protocol/digest.ts';
export { type EhrMethod, ehrMethods } from '#protocol/ehr-methods.ts';
export { callText, type Id, MAX_BATCH, type ReplyId, readReply } from '#protocol/envelope.ts';
export {
  type ErrorObject,
  errorTable,
  isReason,
  type Reason,
  RpcError,
  type RpcErrorOptions,
} from '#protocol/errors.ts';
export type { Patient, PatientProperties } from '#protocol/fields.ts';
export { cardKey, dayKey, GENDERS, nameKey, phoneKey } from '#protocol/matching.ts';
export {
  type Access,
  type Cred,
  type CredKind,
  type MethodSpec,
  type MethodTable,
  type Params,
  type Result,
  reasonsOf,
} from '#protocol/method-spec.ts';
export { type Random, randomCode, randomToken, seededRandom, systemRandom } from '#protocol/random.ts';
export { type Requirement, type RequirementId, requirements } from '#protocol/requirements.ts';
export { type Exchange, violationsOf } from '#protocol/wire-guard.ts';

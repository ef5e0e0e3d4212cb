/** §4.4: patient data for the holder of a session. */
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type MaybePromise, whenKnown } from '#protocol/methods/maybe-promise.ts';
import type { Params } from '#protocol/methods/method-spec.ts';
import type { JsonText } from '#protocol/wire/envelope.ts';
import type { Caller, Context } from '../../context.ts';
import { patientReplyOf } from '../../patient-reply.ts';

type Spec = (typeof ehrMethods)['patient.get_patient'];

/** @throws RpcError `patient_not_matched` when the patient left the MIS */
export function get_patient(
  { store, mis, clock }: Context,
  _params: Params<Spec>,
  { link }: Caller,
): MaybePromise<JsonText> {
  const { user, patientId, userSign } = link;
  return whenKnown(patientReplyOf(mis, patientId, userSign), (reply) =>
    // Recorded before the reply: no data is read without an audit entry.
    whenKnown(store.recordAccess(user, patientId, clock.now()), () => reply),
  );
}

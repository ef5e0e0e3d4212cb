/** §4.4: patient data for the holder of a session. */
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Params } from '#protocol/methods/method-spec.ts';
import { type MaybePromise, whenKnown } from '#protocol/methods/pipeline.ts';
import { JsonText } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Caller, Context } from '../../context.ts';
import type { Mis } from '../../mis/mis.ts';

type Spec = (typeof ehrMethods)['patient.get_patient'];

/**
 * Answers at once where the MIS and the store do: a promise would cost the call a turn of the event loop.
 * @throws RpcError `patient_not_matched` when the patient left the MIS
 */
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

/**
 * The reply with patient data (decision 16): the record as the stored text, and the signature under both names.
 * Parsing it only to write it again would take a sixth of the call.
 * @throws RpcError `patient_not_matched` when the MIS holds this patient no longer
 */
export function patientReplyOf(mis: Mis, patientId: string, userSign: string): MaybePromise<JsonText> {
  return whenKnown(mis.record(patientId), (record) => {
    if (record === undefined) throw new RpcError('patient_not_matched');
    const sign = JSON.stringify(userSign);
    return new JsonText(`{"patient":${record},"user_sign":${sign},"userSign":${sign}}`);
  });
}

/** The reply with patient data (decision 16): the record, and the signature under both of its names. */

import { type MaybePromise, whenKnown } from '#protocol/methods/maybe-promise.ts';
import { JsonText } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Mis } from './mis/mis.ts';

/**
 * Send the record as the stored text. Parsing it only to write it again would take a sixth of the call.
 * @throws RpcError `patient_not_matched` when the MIS holds this patient no longer
 */
export function patientReplyOf(mis: Mis, patientId: string, userSign: string): MaybePromise<JsonText> {
  return whenKnown(mis.record(patientId), (record) => {
    if (record === undefined) throw new RpcError('patient_not_matched');
    const sign = JSON.stringify(userSign);
    return new JsonText(`{"patient":${record},"user_sign":${sign},"userSign":${sign}}`);
  });
}

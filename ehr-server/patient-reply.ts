/** The reply that carries patient data (decision 16): the record, and the signature under both names that clients read. */
import type { z } from 'zod';
import { RpcError } from '#protocol/errors.ts';
import type { patientReply } from '#protocol/fields.ts';
import type { Mis } from './mis/mis.ts';

/** @throws RpcError `patient_not_matched` when the MIS holds this patient no longer */
export async function patientReplyOf(
  mis: Mis,
  patientId: string,
  userSign: string,
): Promise<z.input<typeof patientReply>> {
  const patient = await mis.get(patientId);
  if (!patient) throw new RpcError('patient_not_matched');
  return { patient, user_sign: userSign, userSign };
}

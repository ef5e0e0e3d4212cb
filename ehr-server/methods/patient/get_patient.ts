/** §4.4: patient data for the holder of a session. */
import type { ehrMethods } from '#protocol/ehr-methods.ts';
import type { JsonText } from '#protocol/envelope.ts';
import { RpcError } from '#protocol/errors.ts';
import { type MaybePromise, whenKnown } from '#protocol/maybe-promise.ts';
import type { Params } from '#protocol/method-spec.ts';
import type { Caller, Context } from '../../context.ts';
import { patientReplyOf } from '../../patient-reply.ts';
import type { Link, Store } from '../../store/store.ts';

type Spec = (typeof ehrMethods)['patient.get_patient'];

/** @throws RpcError `not_authorized` when the link went while the call was under way; `patient_not_matched` when the patient left the MIS */
export function get_patient(
  { store, mis, clock }: Context,
  _params: Params<Spec>,
  caller: Caller,
): MaybePromise<JsonText> {
  return whenKnown(linkOf(store, caller), (link) => {
    if (!link) throw new RpcError('not_authorized');
    return whenKnown(patientReplyOf(mis, link.patientId, link.userSign), (reply) =>
      // Before the reply: what is not on record was not read.
      whenKnown(store.recordAccess(caller.user, link.patientId, clock.now()), () => reply),
    );
  });
}

/**
 * The link that the session stands on. Where a store takes its time, the link that the session was verified with may be
 * gone by now and another in its place; then the session has ended with it.
 */
function linkOf(store: Store, { user, tokenHash }: Caller): MaybePromise<Link | undefined> {
  const found = store.findLink(user);
  if (!(found instanceof Promise)) return found;
  return found.then(async (link) => ((await store.findSession(tokenHash))?.user === user ? link : undefined));
}

/**
 * §4.3: the client identifies the patient. The user of the exchange token is linked and their session opens.
 */
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Params } from '#protocol/methods/method-spec.ts';
import { randomToken } from '#protocol/time/random.ts';
import type { JsonText } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken, keyedHash } from '#protocol/wire/hashes.ts';
import type { Context } from '../../context.ts';
import { guessedIn, matchQuery } from '../../match-patient.ts';
import { newRecordId } from '../../new-session.ts';
import { patientReplyOf } from '../patient/get_patient.ts';

type Spec = (typeof ehrMethods)['embedded_storage.authenticate'];

/**
 * The user and the session come from the exchange token alone. Nothing that the client sends changes them
 * (decision 21).
 * @throws RpcError for the exchange token, the match, the link or the session token, as in the method table
 */
export async function authenticate(context: Context, params: Params<Spec>): Promise<JsonText> {
  const { store, mis, clock, random, config } = context;
  const query = matchQuery(params, config.matchingRequired, config.medcard);
  const exchangeToken = hashToken(params.exchangeToken);
  // The few possible phones could be tried against a plain hash in the database.
  const guessed = guessedIn(query).map((key) => keyedHash(config.internalPassword, key));
  const attempt = () => ({ exchangeToken, guessed, now: clock.now() });

  const unusable = await store.refusalOf(attempt());
  if (unusable) throw new RpcError(unusable);

  const [patientId, another] = await mis.match(query);
  if (patientId === undefined || another !== undefined) {
    const refused = await store.countFailure(attempt());
    throw new RpcError(refused ?? 'patient_not_matched');
  }

  const outcome = await store.link({
    ...attempt(),
    patientId,
    newUserSign: randomToken(random),
    recordId: newRecordId(random),
  });
  if ('refused' in outcome) throw new RpcError(outcome.refused);
  return patientReplyOf(mis, patientId, outcome.userSign);
}

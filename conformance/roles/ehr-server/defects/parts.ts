/** Changes the parts below the methods: store, lookup of patients, rules. */
import type { MatchQuery, Mis } from '#ehr-server/mis/mis.ts';
import type { Store } from '#ehr-server/store/store.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import type { EhrChange, EhrServerParts } from '../self-test/serve.ts';
import {
  type Answer,
  AUTHENTICATE,
  answering,
  type Members,
  patientFitting,
  propertiesIn,
  refusal,
} from './messages/messages.ts';

/** Changes some functions of the store. */
export function withStore(change: (store: Store, parts: EhrServerParts) => Partial<Store>): EhrChange {
  return { parts: (parts) => ({ store: { ...parts.store, ...change(parts.store, parts) } }) };
}

export function withRules(rules: Partial<EhrServerParts['rules']>): EhrChange {
  return { parts: (parts) => ({ rules: { ...parts.rules, ...rules } }) };
}

export function withMis(change: (mis: Mis) => Partial<Mis>): EhrChange {
  return { parts: ({ mis }) => ({ mis: { ...mis, ...change(mis) } }) };
}

/** Searches for patients by another query. */
export function searchesBy(change: (query: MatchQuery) => MatchQuery): EhrChange {
  return withMis((mis) => ({ match: (query) => mis.match(change(query)) }));
}

/** Matches only where what was sent fits the record in a further way, too. */
export function matchesOnlyIf(fits: (sent: Members, patient: Patient) => boolean): EhrChange {
  const answer: Answer = async (call, { next, parts }) => {
    const patient = await patientFitting(call, parts);
    if (patient && !fits(propertiesIn(call), patient)) return refusal(call, 'patient_not_matched');
    return next();
  };
  return answering(() => answer);
}

/** Refuses properties of a form that must be taken. */
export function refusesForm(isRefused: (sent: Members) => boolean): EhrChange {
  return answering(
    () => (call, tools) =>
      call.method === AUTHENTICATE && isRefused(propertiesIn(call)) ? refusal(call, 'invalid_params') : tools.next(),
  );
}

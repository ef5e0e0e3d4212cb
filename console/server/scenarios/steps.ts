/** What a scenario is, and the steps that several scenarios have. */
import type { PersonaName } from '#mis-fixtures/personas.ts';
import type { Actor } from './actor.ts';

export type ScenarioStep = { text: string; act: (actor: Actor) => Promise<unknown> | unknown };

/** A scenario before it is played. */
export type ScenarioScript = {
  id: string;
  title: string;
  sentence: string;
  /** The person who acts. Absent: Anna. */
  persona?: PersonaName;
  steps: readonly ScenarioStep[];
};

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export const step = (text: string, act: ScenarioStep['act']): ScenarioStep => ({ text, act });

export const signsIn = step('signs in with the code that came to the phone', (actor) => actor.signIn());
export const readsInVain = step(
  'asks for the record, and is refused: the EHR server has no session yet',
  (actor) => actor.refused('not_authorized', 'ehr', 'patient.get_patient'),
);
export const takesToken = step('asks for an exchange token, which goes to the EHR server as well', (actor) =>
  actor.takeExchangeToken(),
);
export const identifies = step('tells the EHR server alone who the patient is', (actor) =>
  actor.authenticate(),
);
export const reports = step(
  'reports the link, so that the authorization server records the session',
  (actor) => actor.reportLink(),
);
export const reads = step('reads the record', (actor) => actor.readRecord());
export const endsAtEhr = step('ends the session at the EHR server', (actor) =>
  actor.ehr('embedded_storage.remove_auth_info'),
);
export const logsOut = step('then ends it at the authorization server', (actor) => actor.logOut());
export const disconnects = step('disconnects at the EHR server', (actor) =>
  actor.ehr('embedded_storage.remove_authentication'),
);
export const linkSteps = [signsIn, takesToken, identifies, reports];
export const minutePasses = step('waits for a minute', (actor) => actor.advance(MINUTE_MS));

export const otherCode = (code: string) => (code === '000000' ? '000001' : '000000');

export const triesCode = (actor: Actor, code: string, reason: string) =>
  actor.refused(reason, 'auth', 'auth.confirm_otp', { phone: actor.persona.signIn, code });

/** Identifies with these properties in place of the right ones, and expects the refusal. */
export const identifiesWith = (actor: Actor, properties: object, reason: string) => {
  const { exchangeToken, patientProperties } = actor.identification();
  const given = { ...Object(patientProperties), ...properties };
  return actor.refused(reason, 'ehr', 'embedded_storage.authenticate', {
    exchangeToken,
    patientProperties: given,
  });
};

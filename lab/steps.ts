/** The steps of the state model as messages on the wire, for the fuzzer and for the torture. */
import type { Step } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import type { Cred } from '#protocol/methods/method-spec.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';

/** Refusals that count a failed match (decision note 9). All others change nothing. */
export const COUNTED = ['patient_not_matched', 'patient_already_matched', 'patient_already_linked'];

/** A step that is a call. */
export type CallStep = Exclude<Step, { kind: 'advance' }>;

/** What the names of the model are called on the wire. */
export type WireNames = {
  user(name: string): string;
  token(name: string): string;
  exchangeToken(name: string): string;
  /** Properties that identify a patient of the model, or that match nobody. */
  properties(patient: string | undefined): object;
  /** The signature with which a session of this user of the model is saved. */
  sign(user: string): string;
  /** A lifetime of the model in minutes, as it is sent. */
  ttl(minutes: number): number;
  secret: { user: string; password: string };
};

export type StepMessage = { method: string; params: Record<string, unknown>; cred?: Cred };

const METHODS = {
  saveExchangeToken: 'embedded_storage.save_exchange_token',
  authenticate: 'embedded_storage.authenticate',
  saveAuthInfo: 'embedded_storage.save_auth_info',
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
} as const satisfies Record<CallStep['kind'], string>;

export function methodOf(step: CallStep): string {
  return METHODS[step.kind];
}

export function messageOf(step: CallStep, names: WireNames): StepMessage {
  const { user, password } = names.secret;
  const method = methodOf(step);
  const internal = (proof: string): Cred => ({ user, token: digest(password, proof) });
  const pairOf = (of: { user: string; token: string }) => ({
    user: names.user(of.user),
    token: names.token(of.token),
  });
  switch (step.kind) {
    case 'saveExchangeToken': {
      const exchangeToken = names.exchangeToken(step.exchangeToken);
      const params = { exchangeToken, authInfo: { ...pairOf(step), ttl: names.ttl(step.ttl) } };
      return { method, params, cred: internal(step.rightDigest ? exchangeToken : 'another') };
    }
    case 'authenticate': {
      const exchangeToken = names.exchangeToken(step.exchangeToken);
      return { method, params: { exchangeToken, patientProperties: names.properties(step.patient) } };
    }
    case 'saveAuthInfo': {
      const params = { authInfo: { ...pairOf(step), ttl: names.ttl(step.ttl) } };
      return { method, params, cred: internal(names.sign(step.signOf)) };
    }
    default:
      return { method, params: {}, cred: pairOf(step) };
  }
}

/**
 * Calls that a party would execute, from which inputs are made, and the state of the EHR server before them.
 */
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { readReply } from '#protocol/wire/envelope.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { type CallStep, messageOf, type WireNames } from '../steps.ts';
import { bytesOf, type FuzzedParty } from './input.ts';
import { postBody } from './wire.ts';

/** The patients of the state model. */
export const PATIENTS = [personas.anna.patients[0], ...personas.twins.patients].map(({ id }) => id);
const PROPERTIES = [
  propertiesOf(personas.anna),
  propertiesOf(personas.twins, 0),
  propertiesOf(personas.twins, 1),
];

/** The names of the model are those on the wire. `signs` has the newest signature of each user. */
export function namesWith(signs: ReadonlyMap<string, string>): WireNames {
  const same = (name: string) => name;
  return {
    ...{ user: same, token: same, exchangeToken: same },
    properties: (patient) =>
      (patient && PROPERTIES[Number(patient.slice(1))]) || { ...PROPERTIES[0], name: 'Nobody' },
    sign: (user) => signs.get(user) ?? 'none',
    ttl: (minutes) => minutes,
    secret: { user: INTERNAL_USER, password: INTERNAL_PASSWORD },
  };
}

/** Returns the signature of a user in the base state, the same in every run. */
export function signOf(user: string): string {
  return user.padEnd(43, '_');
}

const announce = (exchangeToken: string, user: string, token: string): CallStep => {
  return { kind: 'saveExchangeToken', exchangeToken, user, token, ttl: 1_000, rightDigest: true };
};
const authenticate = (exchangeToken: string, patient: string): CallStep => {
  return { kind: 'authenticate', exchangeToken, patient };
};
const base = namesWith(new Map([['u1', signOf('u1')]]));
const callFor = (step: CallStep) => ({ jsonrpc: '2.0', id: 1, ...messageOf(step, base) });

/** A call that is answered with data while the base state holds. */
export const GOOD_CALL = callFor({ kind: 'getPatient', user: 'u1', token: 't1' });

/** Brings a fresh EHR server into the base state: one user has a session, another an exchange token. */
export async function prepareBase(endpoint: URL): Promise<void> {
  for (const step of [
    announce('first', 'u1', 't1'),
    authenticate('first', 'p0'),
    announce('next', 'u2', 't2'),
  ]) {
    const { text } = await postBody(endpoint, bytesOf(JSON.stringify(callFor(step))));
    const reply = readReply(text, 1);
    if (!('result' in reply)) throw new Error(`Failed to prepare the server: it answered ${text}`);
  }
}

/** A call as an object, to be changed. */
export type Seed = { [name: string]: unknown };

const medcard = {
  patientProperties: { phone: '79990000002' },
  searchStrategy: 'MEDCARD',
  medCardId: '123456',
};
const signIn = callFor(authenticate('next', 'p1'));

/**
 * Calls that a party would execute in its base state. The authorization server has secrets, and refuses most.
 */
export const SEEDS: Readonly<Record<FuzzedParty, readonly Seed[]>> = {
  ehr: [
    GOOD_CALL,
    { ...GOOD_CALL, method: 'embedded_storage.remove_auth_info', id: 'a' },
    { ...GOOD_CALL, method: 'embedded_storage.remove_authentication', apiKey: null },
    signIn,
    { ...signIn, params: { exchangeToken: 'next', ...medcard } },
    callFor(authenticate('unknown', 'p0')),
    callFor(announce('another', 'u2', 't3')),
    callFor({ kind: 'saveAuthInfo', user: 'u1', token: 't4', ttl: 60, signOf: 'u1' }),
    { jsonrpc: '2.0', id: 0, method: 'rpc.discover' },
  ],
  auth: [
    ['auth.request_otp', { phone: '79990000001' }],
    ['auth.confirm_otp', { phone: '79990000001', code: '123456', ehr_user_sign: 'x'.repeat(43) }],
    ['auth.login', { user: 'u-79990000001', ehr_user_sign: null }],
    ['auth.exchange_token', {}],
    ['auth.report_link', { user_sign: 'x'.repeat(43) }],
    ['auth.logout', {}],
    ['auth.delete_user', {}],
  ].map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params, cred: { user: 'u-1', token: 'x' } })),
};

/** Bodies that change nothing, even if the request around them is damaged. */
export const HARMLESS_BODIES: Readonly<Record<FuzzedParty, readonly string[]>> = {
  ehr: bodiesOf([GOOD_CALL, SEEDS.ehr.at(-1) as Seed]),
  auth: bodiesOf(SEEDS.auth.slice(3)),
};

function bodiesOf(seeds: readonly Seed[]): string[] {
  const texts = seeds.map((seed) => JSON.stringify(seed));
  const notification = JSON.stringify({ ...seeds[0], id: undefined });
  return [...texts, `[${texts.join()}]`, '', '{', 'null', '[]', notification];
}

/** Sequences of valid and invalid calls that share few users and tokens, so that they interfere. */
import type { Step } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { authenticate, GOOD_CALL, saveExchange } from './base-state.ts';
import type { FuzzStep, SequenceInput } from './input.ts';
import type { Rng } from './rng.ts';
import { brokenBody } from './rpc-inputs.ts';

const USERS = ['u-1', 'u-2', 'u-3'];
const TOKENS = ['t-1', 't-2', 't-3', 't-4'];
const EXCHANGE_TOKENS = ['x-1', 'x-2', 'x-3', 'x-4', 'x-5', 'x-6'];
/** Patients by the names that the runner uses. Undefined matches no patient. */
const PATIENTS = ['anna', 'ivan', 'oleg', 'anna', undefined];
/** Whole half minutes, so that the real duration of a run cannot affect the outcome. */
const JUMPS_MS = [30_000, 60_000, 5 * 60_000, 570_000, 600_000];

export function sequenceInput(rng: Rng): SequenceInput {
  const steps = Array.from({ length: 3 + rng.below(30) }, (): FuzzStep => (rng.oneIn(12) ? broken(rng) : step(rng)));
  return { level: 'sequence', steps };
}

function step(rng: Rng): Step {
  const user = rng.pick(USERS);
  const token = rng.pick(TOKENS);
  const exchangeToken = rng.pick(EXCHANGE_TOKENS);
  const ttl = 1 + rng.below(15);
  return rng.either<Step>(
    () => ({ kind: 'saveExchangeToken', exchangeToken, user, token, ttl, rightDigest: !rng.oneIn(8) }),
    () => ({ kind: 'saveExchangeToken', exchangeToken, user, token, ttl, rightDigest: true }),
    () => ({ kind: 'authenticate', exchangeToken, patient: rng.pick(PATIENTS) }),
    () => ({ kind: 'authenticate', exchangeToken, patient: rng.pick(PATIENTS) }),
    () => ({ kind: 'authenticate', exchangeToken, patient: rng.pick(PATIENTS) }),
    () => ({ kind: 'saveAuthInfo', user, token, ttl, signOf: rng.oneIn(4) ? rng.pick(USERS) : user }),
    () => ({ kind: 'getPatient', user, token }),
    () => ({ kind: 'getPatient', user, token }),
    () => ({ kind: rng.pick(['removeAuthInfo', 'removeAuthentication']), user, token }),
    () => ({ kind: 'advance', ms: rng.pick(JUMPS_MS) }),
  );
}

function broken(rng: Rng): FuzzStep {
  const cred = { user: rng.pick(USERS), token: rng.pick(TOKENS) };
  const exchangeToken = rng.pick(EXCHANGE_TOKENS);
  const seed = rng.pick([
    { ...GOOD_CALL, cred, method: 'embedded_storage.remove_authentication' },
    { ...GOOD_CALL, cred, method: 'embedded_storage.remove_auth_info' },
    saveExchange(exchangeToken, { ...cred, ttl: 5 }),
    authenticate(exchangeToken, { phone: '79990000001' }),
  ]);
  return { kind: 'broken', body: brokenBody(rng, seed) };
}

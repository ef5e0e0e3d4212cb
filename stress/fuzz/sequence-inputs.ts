/** Sequences of calls, right and wrong, among few users and tokens, so that they meet. */
import type { Step } from '#e2e/state-model.ts';
import { authenticate, GOOD_CALL, saveExchange } from './base-state.ts';
import type { Dice } from './dice.ts';
import type { FuzzStep, SequenceInput } from './input.ts';
import { brokenBody } from './rpc-inputs.ts';

const USERS = ['u-1', 'u-2', 'u-3'];
const TOKENS = ['t-1', 't-2', 't-3', 't-4'];
const EXCHANGE_TOKENS = ['x-1', 'x-2', 'x-3', 'x-4', 'x-5', 'x-6'];
/** Patients by the names that the runner gives them; undefined fits nobody. */
const PATIENTS = ['anna', 'ivan', 'oleg', 'anna', undefined];
/** Milliseconds. All are whole half minutes, so that the real time that a run takes decides nothing. */
const JUMPS = [30_000, 60_000, 5 * 60_000, 570_000, 600_000];

export function sequenceInput(dice: Dice): SequenceInput {
  const steps = Array.from(
    { length: 3 + dice.below(30) },
    (): FuzzStep => (dice.oneIn(12) ? broken(dice) : step(dice)),
  );
  return { level: 'sequence', steps };
}

function step(dice: Dice): Step {
  const user = dice.pick(USERS);
  const token = dice.pick(TOKENS);
  const exchangeToken = dice.pick(EXCHANGE_TOKENS);
  const ttl = 1 + dice.below(15);
  return dice.either<Step>(
    () => ({ kind: 'saveExchangeToken', exchangeToken, user, token, ttl, rightDigest: !dice.oneIn(8) }),
    () => ({ kind: 'saveExchangeToken', exchangeToken, user, token, ttl, rightDigest: true }),
    () => ({ kind: 'authenticate', exchangeToken, patient: dice.pick(PATIENTS) }),
    () => ({ kind: 'authenticate', exchangeToken, patient: dice.pick(PATIENTS) }),
    () => ({ kind: 'authenticate', exchangeToken, patient: dice.pick(PATIENTS) }),
    () => ({ kind: 'saveAuthInfo', user, token, ttl, signOf: dice.oneIn(4) ? dice.pick(USERS) : user }),
    () => ({ kind: 'getPatient', user, token }),
    () => ({ kind: 'getPatient', user, token }),
    () => ({ kind: dice.pick(['removeAuthInfo', 'removeAuthentication']), user, token }),
    () => ({ kind: 'advance', ms: dice.pick(JUMPS) }),
  );
}

function broken(dice: Dice): FuzzStep {
  const cred = { user: dice.pick(USERS), token: dice.pick(TOKENS) };
  const exchangeToken = dice.pick(EXCHANGE_TOKENS);
  const seed = dice.pick([
    { ...GOOD_CALL, cred, method: 'embedded_storage.remove_authentication' },
    { ...GOOD_CALL, cred, method: 'embedded_storage.remove_auth_info' },
    saveExchange(exchangeToken, { ...cred, ttl: 5 }),
    authenticate(exchangeToken, { phone: '79990000001' }),
  ]);
  return { kind: 'broken', body: brokenBody(dice, seed) };
}

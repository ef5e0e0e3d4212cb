import { expect, test } from 'vitest';
import { StateModel, type Step } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { createDraw } from '#mis-fixtures/draw.ts';
import type { Call, Intent, Outcome } from './history.ts';
import { after } from './model.ts';
import { emptyState, keyOf, type State } from './state.ts';
import { historyOf } from './testing.ts';

const USER_COUNT = 3;
const TOKEN_COUNT = 4;
const EXCHANGE_COUNT = 5;

/** Converts an intent into a step of the model in the server's own tests. */
function stepOf(intent: Intent): Step {
  const user = 'user' in intent ? String(intent.user) : '';
  const token = 'token' in intent ? String(intent.token) : '';
  const ttl = 1_000_000;
  switch (intent.method) {
    case 'saveExchangeToken':
      return { kind: 'saveExchangeToken', exchangeToken: String(intent.exchange), user, token, ttl, rightDigest: true };
    case 'authenticate':
      return { kind: 'authenticate', exchangeToken: String(intent.exchange), patient: intent.patient?.toString() };
    case 'saveAuthInfo':
      return { kind: 'saveAuthInfo', user, token, ttl, signOf: user };
    default:
      return { kind: intent.method, user, token };
  }
}

test("the checker's model answers as the model that the server is tested with, over thousands of steps", () => {
  const rng = createDraw(51);
  const seen = new Set<string>();
  const differing: string[] = [];
  for (let round = 0; round < 100; round++) {
    const server = new StateModel();
    let state: State = emptyState(
      historyOf([{ method: 'saveExchangeToken', exchange: EXCHANGE_COUNT - 1, user: 0, token: TOKEN_COUNT - 1 }]),
    );
    for (let step = 0; step < 60; step++) {
      const intent = draw(rng, server);
      const reason = server.take(stepOf(intent));
      const link = linkShown(intent, server);
      const outcome: Outcome = reason === 'ok' ? { kind: 'ok', ...link } : { kind: 'refused', reason };
      const call = { ...historyOf([{ method: 'getPatient', user: 0, token: 0 }]).calls[0], ...intent, outcome } as Call;
      const next = after(state, call);
      const other = after(state, { ...call, outcome: { kind: 'refused', reason: 'session_expired' } });
      // A call of unknown outcome may have led to another state only if it changes something.
      const unknown = after(state, { ...call, outcome: { kind: 'unknown', why: 'SIGKILL' } });
      const [reached = state] = next;
      const hasEffect = keyOf(reached) !== keyOf(state);
      if (next.length !== 1 || other.length > 0 || unknown.length > 0 !== hasEffect)
        differing.push(`${intent.method} ${reason}`);
      state = reached;
      seen.add(`${intent.method} ${reason}`);
    }
  }
  expect(differing).toEqual([]);
  // Every refusal of every method has occurred.
  expect(seen.size).toBe(19);
});

/** Returns what a success shows of the link. A signature is the number of its link. */
function linkShown(intent: Intent, server: StateModel): { patient?: number; sign?: number } {
  if (intent.method !== 'getPatient' && intent.method !== 'authenticate') return {};
  const user =
    intent.method === 'getPatient'
      ? String(intent.user)
      : (server.exchangeTokens.get(String(intent.exchange))?.user ?? '');
  const link = server.links.get(user);
  return link ? { patient: Number(link.patient), sign: link.generation } : {};
}

function draw(rng: ReturnType<typeof createDraw>, server: StateModel): Intent {
  const user = rng.below(USER_COUNT);
  const token = rng.below(TOKEN_COUNT);
  const exchange = rng.below(EXCHANGE_COUNT);
  switch (rng.below(6)) {
    case 0:
      return { method: 'saveExchangeToken', exchange, user, token };
    case 1:
    case 2:
      return { method: 'authenticate', exchange, patient: rng.chance(0.5) ? undefined : rng.below(2) };
    case 3:
      return { method: 'saveAuthInfo', user, token, sign: server.links.get(String(user))?.generation ?? 0 };
    case 4:
      return { method: 'getPatient', user, token };
    default:
      return { method: rng.chance(0.6) ? 'removeAuthInfo' : 'removeAuthentication', user, token };
  }
}

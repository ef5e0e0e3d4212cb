/**
 * Runs a sequence of calls on a server and on the state model. Every outcome and the stored state must agree,
 * step by step.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { StateModel, type Step } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { authenticate, GOOD_CALL, internalCred, saveExchange } from './base-state.ts';
import { type Bytes, bytesOf, type SequenceInput } from './input.ts';
import { changeProblems, problemsOfRpc } from './judge.ts';
import { postBody } from './post.ts';
import type { Seed } from './rpc-inputs.ts';
import type { Holdings, StateProbe } from './state-probe.ts';
import type { Subject } from './subject.ts';

const PROPERTIES: Record<string, object> = {
  anna: propertiesOf(personas.anna),
  ivan: propertiesOf(personas.twins, 0),
  oleg: propertiesOf(personas.twins, 1),
};
const PATIENT_IDS: Record<string, string> = {
  anna: personas.anna.patients[0].id,
  ivan: personas.twins.patients[0].id,
  oleg: (personas.twins.patients[1] as { id: string }).id,
};
const NOBODY = { ...PROPERTIES.anna, name: 'Nobody' };

/**
 * Lists what went wrong, one sentence each, and stops at the first wrong step. Leaves the server in the state
 * that the steps produced.
 */
export async function runSequence(
  subject: Subject & { probe: StateProbe },
  { steps }: SequenceInput,
): Promise<string[]> {
  const { probe, endpoint, methods } = subject;
  const model = new StateModel(1_000_000);
  const signs = new Map<string, string>();
  let moved = 0;
  probe.toEmpty();
  try {
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'advance') {
        model.take(step);
        moved += step.ms;
        await subject.advance(step.ms);
        continue;
      }
      const body = step.kind === 'broken' ? step.body : bytesOf(JSON.stringify(messageOf(step, signs)));
      const expected = step.kind === 'broken' ? 'a refusal' : model.take(step);
      const reply = await postBody(endpoint, body);
      const problems = problemsOfRpc(body, reply, methods);
      if (problems.length === 0) problems.push(...differences(reply.text, expected));
      const change = probe.change();
      problems.push(...changeProblems(body, reply.text, change));
      if (change !== 'none' && problems.length === 0) problems.push(...compareHoldings(probe.holdings(), model));
      if (problems.length > 0) return problems.map((problem) => `Step ${index + 1} (${step.kind}): ${problem}`);
      learnSign(step, reply.text, model, signs);
    }
    return compareHoldings(probe.holdings(), model);
  } finally {
    if (moved > 0 && subject.ended() === undefined) await subject.advance(-moved);
  }
}

function messageOf(step: Exclude<Step, { kind: 'advance' }>, signs: ReadonlyMap<string, string>): Seed {
  switch (step.kind) {
    case 'saveExchangeToken': {
      const { exchangeToken, user, token, ttl, rightDigest } = step;
      const message = saveExchange(exchangeToken, { user, token, ttl });
      return rightDigest ? message : { ...message, cred: internalCred('another') };
    }
    case 'authenticate':
      return authenticate(step.exchangeToken, (step.patient && PROPERTIES[step.patient]) || NOBODY);
    case 'saveAuthInfo': {
      const { user, token, ttl, signOf } = step;
      const cred = internalCred(signs.get(signOf) ?? 'none');
      return {
        ...GOOD_CALL,
        method: 'embedded_storage.save_auth_info',
        params: { authInfo: { user, token, ttl } },
        cred,
      };
    }
    case 'getPatient':
      return { ...GOOD_CALL, cred: { user: step.user, token: step.token } };
    case 'removeAuthInfo':
      return {
        ...GOOD_CALL,
        method: 'embedded_storage.remove_auth_info',
        cred: { user: step.user, token: step.token },
      };
    case 'removeAuthentication':
      return {
        ...GOOD_CALL,
        method: 'embedded_storage.remove_authentication',
        cred: { user: step.user, token: step.token },
      };
  }
}

function differences(reply: string, expected: string): string[] {
  const { error } = Array.isArray(JSON.parse(reply)) ? { error: undefined } : JSON.parse(reply);
  const actual: string = error ? error.data.reason : 'ok';
  if (expected === 'a refusal' ? actual !== 'ok' : actual === expected) return [];
  return [`The answer was ${actual}, and ${expected} was due.`];
}

function learnSign(step: SequenceInput['steps'][number], reply: string, model: StateModel, signs: Map<string, string>) {
  const sign: unknown = JSON.parse(reply).result?.userSign;
  const pending = step.kind === 'authenticate' ? model.exchangeTokens.get(step.exchangeToken) : undefined;
  if (pending && typeof sign === 'string') signs.set(pending.user, sign);
}

function compareHoldings(actual: Holdings, model: StateModel): string[] {
  const expected: Holdings = {
    links: Object.fromEntries([...model.links].map(([user, { patient }]) => [user, PATIENT_IDS[patient] as string])),
    sessions: Object.fromEntries(
      [...model.sessions].flatMap(([token, { user, ended }]) => (ended ? [] : [[hashOf(token), user]])),
    ),
    exchangeTokens: Object.fromEntries(
      [...model.exchangeTokens].map(([token, { failures, used }]) => [hashOf(token), used ? 'used' : failures]),
    ),
  };
  const names = Object.keys(expected) as (keyof Holdings)[];
  return names
    .filter((name) => !isDeepStrictEqual(expected[name], actual[name]))
    .map((name) => `The server holds other ${name} than it should: ${JSON.stringify(actual[name])}`);
}

function hashOf(token: Bytes): string {
  return createHash('sha256').update(token).digest('hex');
}

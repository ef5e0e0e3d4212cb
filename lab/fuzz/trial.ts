/** Tries one input on one party and lists what broke, one sentence each. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { StateModel } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { messageOf } from '../steps.ts';
import { bytesOf, type FuzzStep, type Input, type SequenceInput } from './input.ts';
import { changeProblems, problemsOfRaw, problemsOfRpc } from './judge.ts';
import type { Holdings, StateProbe } from './probe.ts';
import { GOOD_CALL, namesWith, PATIENTS } from './seeds.ts';
import type { FuzzSubject } from './subject.ts';
import { postBody, sendBytes } from './wire.ts';

/** Sends one input, waits for the answer, undoes the changes, and checks that the party is alive. */
export async function tryOne(subject: FuzzSubject, input: Input): Promise<string[]> {
  const attempt = async () => {
    const problems = await send(subject, input);
    return problems.length > 0 ? problems : checkAlive(subject);
  };
  const problems = await attempt().catch((error: Error) => [`There was no answer: ${error.message}`]);
  if (problems.length > 0) {
    // The exit of a process is seen a moment after its connections broke.
    for (let turn = 0; turn < 50 && subject.ended() === undefined; turn++) await new Promise(setImmediate);
  }
  const end = subject.ended();
  return end === undefined ? problems : [...problems, end];
}

/** Checks that the party answers a valid call and that its stored state is unchanged. */
export async function checkAlive({ probe, endpoint, methods }: FuzzSubject): Promise<string[]> {
  const body = bytesOf(JSON.stringify(probe ? GOOD_CALL : { jsonrpc: '2.0', id: 1, method: 'none.such' }));
  const reply = await postBody(endpoint, body);
  const problems = problemsOfRpc(body, reply, methods);
  if (probe && problems.length === 0 && JSON.parse(reply.text).result?.patient?.name !== 'Anna')
    problems.push(`A call that is right was answered with ${reply.text}`);
  if (probe && probe.change() !== 'none')
    problems.push('What the server holds was changed by inputs that must not.');
  return problems;
}

async function send(subject: FuzzSubject, input: Input): Promise<string[]> {
  const { probe, endpoint, methods } = subject;
  if (input.level === 'raw') return problemsOfRaw(input, await sendBytes(endpoint, input));
  if (input.level === 'sequence') {
    if (!probe) throw new Error('Sequences need a party whose database can be read.');
    const problems = await runSequence(subject, probe, input);
    probe.rewrite('base');
    return problems;
  }
  const reply = await postBody(endpoint, input.body);
  const change = probe?.change() ?? 'none';
  if (change !== 'none') probe?.rewrite('base');
  return [...problemsOfRpc(input.body, reply, methods), ...changeProblems(input.body, reply.text, change)];
}

/**
 * Runs a sequence on a server and on the state model. Every outcome and the stored state must agree, step by
 * step.
 */
async function runSequence(
  subject: FuzzSubject,
  probe: StateProbe,
  { steps }: SequenceInput,
): Promise<string[]> {
  const model = new StateModel(1_000_000);
  const signs = new Map<string, string>();
  probe.rewrite('empty');
  try {
    for (const [index, step] of steps.entries()) {
      const problems = await takeStep(subject, probe, model, signs, step);
      if (problems.length > 0)
        return problems.map((problem) => `Step ${index + 1} (${step.kind}): ${problem}`);
    }
    return compareHoldings(probe.holdings(), model);
  } finally {
    if (model.now > 0 && subject.ended() === undefined) await subject.advance(-model.now);
  }
}

async function takeStep(
  { endpoint, methods, advance }: FuzzSubject,
  probe: StateProbe,
  model: StateModel,
  signs: Map<string, string>,
  step: FuzzStep,
): Promise<string[]> {
  if (step.kind === 'advance') {
    model.take(step);
    await advance(step.ms);
    return [];
  }
  const isBroken = step.kind === 'broken';
  const message = isBroken
    ? ''
    : JSON.stringify({ jsonrpc: '2.0', id: 1, ...messageOf(step, namesWith(signs)) });
  const body = isBroken ? step.body : bytesOf(message);
  const reply = await postBody(endpoint, body);
  const expected = isBroken ? 'a refusal' : model.take(step);
  const problems = problemsOfRpc(body, reply, methods);
  if (problems.length > 0) return problems;
  const answer = JSON.parse(reply.text);
  const actual: string = answer.error ? answer.error.data.reason : 'ok';
  if (isBroken ? actual === 'ok' : actual !== expected)
    problems.push(`The answer was ${actual}, and ${expected} was due.`);
  const change = probe.change();
  problems.push(...changeProblems(body, reply.text, change));
  if (change !== 'none') problems.push(...compareHoldings(probe.holdings(), model));
  const pending = step.kind === 'authenticate' ? model.exchangeTokens.get(step.exchangeToken) : undefined;
  if (pending && typeof answer.result?.userSign === 'string') signs.set(pending.user, answer.result.userSign);
  return problems;
}

function compareHoldings(actual: Holdings, model: StateModel): string[] {
  const patientOf = (name: string) => PATIENTS[Number(name.slice(1))] as string;
  const live = [...model.sessions].filter(([, { ended }]) => !ended);
  const pending = [...model.exchangeTokens];
  const expected: Holdings = {
    links: Object.fromEntries([...model.links].map(([user, { patient }]) => [user, patientOf(patient)])),
    sessions: Object.fromEntries(live.map(([token, { user }]) => [hashOf(token), user])),
    exchangeTokens: Object.fromEntries(
      pending.map(([token, { failures, used }]) => [hashOf(token), used ? 'used' : failures]),
    ),
  };
  return (Object.keys(expected) as (keyof Holdings)[])
    .filter((name) => !isDeepStrictEqual(expected[name], actual[name]))
    .map((name) => `The server holds other ${name} than it should: ${JSON.stringify(actual[name])}`);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

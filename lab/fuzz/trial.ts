/** Tries one input on one party and lists what broke, one sentence each. */

import { GOOD_CALL } from './base-state.ts';
import { bytesOf, type Input, type RawInput } from './input.ts';
import { changeProblems, problemsOfRaw, problemsOfRpc } from './judge.ts';
import { postBody } from './post.ts';
import { sendBytes } from './raw-http.ts';
import { runSequence } from './run-sequence.ts';
import type { Subject } from './subject.ts';

/** Sends one input, waits for the answer, and undoes the changes. */
export async function tryOne(subject: Subject, input: Input): Promise<string[]> {
  const problems = await guarded(subject, () => send(subject, input));
  if (problems.length > 0) return problems;
  return guarded(subject, () => checkAlive(subject));
}

/** Sends raw inputs in parallel, each over its own connection. Together they must change nothing. */
export async function tryTogether(subject: Subject, inputs: readonly RawInput[]): Promise<string[][]> {
  const problems = await Promise.all(
    inputs.map((input) => guarded(subject, async () => problemsOfRaw(input, await sendBytes(subject.endpoint, input)))),
  );
  return problems;
}

/** Checks that the party answers a valid call and that its stored state is unchanged. */
export async function checkAlive(subject: Subject): Promise<string[]> {
  const { probe, endpoint, party, methods } = subject;
  const call = party === 'ehr' && probe ? GOOD_CALL : { jsonrpc: '2.0', id: 1, method: 'none.such' };
  const body = bytesOf(JSON.stringify(call));
  const reply = await postBody(endpoint, body);
  const problems = problemsOfRpc(body, reply, methods);
  if (call === GOOD_CALL && problems.length === 0 && JSON.parse(reply.text).result?.patient?.name !== 'Anna') {
    problems.push(`A call that is right was answered with ${reply.text}`);
  }
  if (probe && probe.change() !== 'none') problems.push('What the server holds was changed by inputs that must not.');
  return problems;
}

async function send(subject: Subject, input: Input): Promise<string[]> {
  const { probe, endpoint, methods } = subject;
  switch (input.level) {
    case 'raw':
      return problemsOfRaw(input, await sendBytes(endpoint, input));
    case 'rpc': {
      const reply = await postBody(endpoint, input.body);
      const problems = problemsOfRpc(input.body, reply, methods);
      const change = probe?.change() ?? 'none';
      problems.push(...changeProblems(input.body, reply.text, change));
      if (change !== 'none') probe?.toBase();
      return problems;
    }
    case 'sequence': {
      if (!probe) throw new Error('Sequences need a party whose database can be read.');
      const problems = await runSequence({ ...subject, probe }, input);
      probe.toBase();
      return problems;
    }
  }
}

/** Reports a party that does not answer, or has ended, as a problem instead of throwing. */
async function guarded(subject: Subject, attempt: () => Promise<string[]>): Promise<string[]> {
  const problems = await attempt().catch((error: Error) => [`There was no answer: ${error.message}`]);
  if (problems.length > 0) {
    // The exit of a process is seen a moment after its connections broke.
    for (let turn = 0; turn < 50 && subject.ended() === undefined; turn++) await new Promise(setImmediate);
  }
  const end = subject.ended();
  return end === undefined ? problems : [...problems, end];
}

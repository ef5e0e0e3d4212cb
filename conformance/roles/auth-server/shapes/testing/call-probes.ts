/** Probes of the faults in the calls to the EHR server, and in how its replies are read. */
import { gzipSync } from 'node:zlib';
import { type Session, signIn } from './drive.ts';
import { type Call, json } from './ehr.ts';
import type { Answer } from './http.ts';
import { type Probe, probe } from './probe.ts';

/** Whether an exchange token is issued when the EHR server gives this answer. */
const exchangesOn = (make: (call: Call) => Answer): Probe =>
  probe(async (world) => {
    const session = await signIn(world);
    world.ehr.answerWith(make);
    return world.isDone(await world.exchange(session));
  });

/** Whether no exchange token is issued when the EHR server answers rightly, in this form. */
const failsOn = (change: (right: Exclude<Answer, 'hang'>) => Answer): Probe =>
  probe(async (world) => {
    const session = await signIn(world);
    world.ehr.answerWith((_call, right) => change(right() as Exclude<Answer, 'hang'>));
    return !world.isDone(await world.exchange(session));
  });

/** Whether the call that saves an exchange token is wrong. */
export const sends = (isWrong: (call: Call, session: Session) => boolean): Probe =>
  probe(async (world) => {
    const session = await signIn(world);
    await world.exchange(session);
    return isWrong(world.ehr.calls.at(-1) as Call, session);
  });

export function inGzip({ status, headers, body }: Exclude<Answer, 'hang'>): Answer {
  return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(String(body)) };
}

const inParts = failsOn((right) => {
  const text = String(right.body);
  return { ...right, body: [text.slice(0, 10), text.slice(10)] };
});

export const callProbes: Readonly<Record<string, Probe>> = {
  'null-result-accepted': exchangesOn(({ id }) => json({ jsonrpc: '2.0', id, result: null })),
  'error-text-accepted': exchangesOn(({ id }) => json({ jsonrpc: '2.0', id, error: 'refused' })),
  'result-beside-error-accepted': exchangesOn(({ id }) =>
    json({ jsonrpc: '2.0', id, result: {}, error: { code: -32603, message: 'internal error' } }),
  ),
  'array-accepted': exchangesOn(({ id }) => json([{ jsonrpc: '2.0', id, result: {} }])),
  'doubled-members-accepted': exchangesOn(({ id }) =>
    json(`{"jsonrpc":"2.0","id":"another","id":${JSON.stringify(id)},"result":null,"result":{}}`),
  ),
  'id-not-compared': exchangesOn(() => json({ jsonrpc: '2.0', id: 'another', result: {} })),
  'no-content-accepted': exchangesOn(() => ({ status: 204, headers: {}, body: '' })),
  'first-chunk-only': inParts,
  'first-part-only': inParts,
  'gzip-not-understood': failsOn(inGzip),
  'digest-upper-case': sends(({ cred }) => /[A-Z]/.test(String(cred?.token))),
  'password-in-header': sends(({ headers }) => 'x-password' in headers || 'x-internal' in headers),
  'jsonrpc-missing': sends(({ jsonrpc }) => jsonrpc === undefined),
  'cred-missing': sends(({ cred }) => cred === undefined),
  'path-without-version': sends(({ path }) => path !== '/1.0-alpha/'),
  'params-as-list': sends(({ params }) => Array.isArray(params)),
};

/** Traces for tests of facts and scripts. */
import { request, response } from '../../journal/testing/exchanges.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';

/** A call of a user that succeeds, changed by `more`. */
export const tracedCall = (key: string, more: Partial<TracedCall> = {}): TracedCall => ({
  ...{ key, label: key, user: 'Mia', step: 'requestOtp', link: 'client->auth', broke: undefined },
  ...{ request: request(), response: response('{}'), result: { kind: 'done', values: {} } },
  ...{ group: 0, pauseMs: 0, began: 0, ended: 10, inner: [], codes: [], phone: undefined, seqs: [] },
  ...more,
});

/** A trace of these calls. `names`: values by their names. */
export const traceOfCalls = (
  calls: readonly TracedCall[],
  names: Readonly<Record<string, string>> = {},
): Trace => ({
  calls,
  names: new Map(Object.entries(names)),
  invented: new Set(),
  internal: { user: 'auth', password: 'secret' },
  sides: { calls: ['client->auth', 'client->ehr'], party: ['client->auth'] },
});

/**
 * The recording proxy without sockets: it stands between parties in one process, such as those of a page in a
 * browser, and injects the same faults into the same journal.
 */

import type { Clock } from '#protocol/time/clock.ts';
import { textOfBytes } from '#protocol/wire/bytes.ts';
import type { Link, RawExchange } from '../../journal/entry.ts';
import type { OpenExchange, Recorder } from '../../journal/recorder.ts';
import {
  type Answer,
  ArmedFaults,
  delayOf,
  type Fault,
  type MetFault,
  reachesServer,
  spoil,
  standIn,
} from '../faults.ts';
import type { RecordingProxy } from '../proxy.ts';

export type MemoryWireOptions = {
  link: Link;
  /** The address at which the caller believes the server to be. */
  url: string;
  recorder: Recorder;
  clock: Clock;
  answer: (request: RawExchange['request']) => Promise<Answer>;
};

export type MemoryWire = Pick<RecordingProxy, 'url' | 'arm'> & {
  /** What the caller has as its network. */
  fetch: typeof fetch;
};

type MemoryCall = {
  request: RawExchange['request'];
  fault?: Fault;
  open: OpenExchange;
  resolve(response: Response): void;
  destroy(): void;
};

export function memoryWire({ link, url, recorder, clock, answer }: MemoryWireOptions): MemoryWire {
  const faults = new ArmedFaults();
  const pass = async (call: MemoryCall) => {
    const met = faults.take(call.request.body);
    if (met) call.fault = met.fault;
    call.open.leave(call.fault?.name);
    if (met && !reachesServer(met.fault)) answerInPlace(call, met, clock);
    else forward(call, await answer(call.request), clock);
  };
  return {
    url,
    arm: (armed) => faults.arm(armed),
    fetch: (address, { signal, ...init } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const request = requestOf(String(address), init);
        const open = recorder.exchange({ link, request });
        const close = (reason: unknown) => {
          open.end({ fault: call.fault?.name, broke: 'closed-early' });
          reject(reason);
        };
        const destroy = () => close(new TypeError('The connection was closed.'));
        const call: MemoryCall = { request, open, resolve, destroy };
        signal?.addEventListener('abort', () => close(signal.reason), { once: true });
        pass(call).catch(close);
      }),
  };
}

function requestOf(address: string, { method = 'GET', headers, body }: RequestInit): RawExchange['request'] {
  const { host, pathname, search } = new URL(address);
  const text = typeof body === 'string' ? body : '';
  const length = String(new TextEncoder().encode(text).length);
  return {
    httpVersion: '1.1',
    method,
    path: pathname + search,
    headers: [['host', host], ...new Headers(headers), ['content-length', length]],
    body: text,
  };
}

/** Answers in the place of the server, breaks the connection, or leaves the call without an answer. */
function answerInPlace(call: MemoryCall, { fault, held }: MetFault, clock: Clock): void {
  const given = standIn(fault, call.request.body);
  if (fault.name === 'hang' || fault.name === 'trickle') held.add(call);
  else if (given) deliver(call, { given }, clock);
  else breakOff(call, 'reset');
}

function forward(call: MemoryCall, right: Answer, clock: Clock): void {
  const { fault, request } = call;
  if (fault?.name === 'reply-lost') breakOff(call, 'closed-early', right);
  else {
    const given = fault ? spoil(fault, right, request.body) : right;
    // The journal keeps a huge reply without its padding.
    deliver(call, { given, recorded: fault?.name === 'huge' ? right : given }, clock);
  }
}

/** Ends a call without an answer to the caller. The journal keeps the one that was lost. */
function breakOff(
  { fault, open, destroy }: MemoryCall,
  broke: 'reset' | 'closed-early',
  lost?: Answer,
): void {
  open.end({ response: lost && asText(lost), fault: fault?.name, broke });
  destroy();
}

type Delivered = { given: Answer; recorded?: Answer };

function deliver(call: MemoryCall, { given, recorded = given }: Delivered, clock: Clock): void {
  const { fault, open, resolve } = call;
  const isCut = fault?.name === 'truncate';
  const give = () => {
    const broke = isCut ? 'closed-early' : undefined;
    open.end({ response: asText(recorded), fault: fault?.name, broke });
    resolve(responseOf(given, isCut));
  };
  if (fault?.name === 'late') clock.after(delayOf(fault), give);
  // Of three parts, the last comes after two pauses.
  else if (fault?.name === 'split-reply') clock.after(2 * delayOf(fault), give);
  else give();
}

/** @param isCut whether the connection closes after half of the body */
function responseOf({ status, headers, body }: Answer, isCut: boolean): Response {
  if (!isCut) return new Response(status === 204 ? null : textOfBytes(body), { status, headers });
  const half = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(body.subarray(0, body.length >> 1));
      controller.error(new TypeError('The connection was closed.'));
    },
  });
  return new Response(half, { status, headers });
}

const asText = (answer: Answer) => ({ ...answer, body: textOfBytes(answer.body) });

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
  raw: RawExchange;
  /** The fault that the call met. */
  fault?: Fault;
  open: OpenExchange;
  resolve(response: Response): void;
  destroy(): void;
};

export function memoryWire({ link, url, recorder, clock, answer }: MemoryWireOptions): MemoryWire {
  const faults = new ArmedFaults();
  const pass = async (call: MemoryCall) => {
    const met = faults.take(call.raw.request.body);
    if (met) call.fault = met.fault;
    call.open.leave(faultOf(call));
    if (met && !reachesServer(met.fault)) answerInPlace(call, met, clock);
    else forward(call, await answer(call.raw.request), clock);
  };
  return {
    url,
    arm: (armed) => faults.arm(armed),
    fetch: (address, { signal, ...init } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const raw: RawExchange = { link, request: requestOf(String(address), init) };
        const open = recorder.exchange(link, raw);
        const close = (reason: unknown) => {
          open.end(raw, { ...faultOf(call), broke: 'closed-early' });
          reject(reason);
        };
        const destroy = () => close(new TypeError('The connection was closed.'));
        const call: MemoryCall = { raw, open, resolve, destroy };
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
  const given = standIn(fault, call.raw.request.body);
  if (fault.name === 'hang' || fault.name === 'trickle') held.add(call);
  else if (given) deliver(call, { given }, clock);
  else breakOff(call, 'reset');
}

function forward(call: MemoryCall, right: Answer, clock: Clock): void {
  const { fault, raw } = call;
  if (fault?.name === 'reply-lost') breakOff(call, 'closed-early', right);
  else {
    const given = fault ? spoil(fault, right, raw.request.body) : right;
    // The journal keeps a huge reply without its padding.
    deliver(call, { given, kept: fault?.name === 'huge' ? right : given }, clock);
  }
}

/** Ends a call without an answer to the caller. The journal keeps the one that was lost. */
function breakOff(call: MemoryCall, broke: 'reset' | 'closed-early', lost?: Answer): void {
  const { raw, open, destroy } = call;
  open.end(lost ? answered(raw, lost) : raw, { ...faultOf(call), broke });
  destroy();
}

const faultOf = ({ fault }: MemoryCall) => (fault ? { fault: fault.name } : {});

type Delivered = { given: Answer; kept?: Answer };

function deliver(call: MemoryCall, { given, kept = given }: Delivered, clock: Clock): void {
  const { fault, raw, open, resolve } = call;
  const isCut = fault?.name === 'truncate';
  const give = () => {
    open.end(answered(raw, kept), { ...faultOf(call), ...(isCut && { broke: 'closed-early' }) });
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

function answered(raw: RawExchange, { status, headers, body }: Answer): RawExchange {
  return { ...raw, response: { status, headers, body: textOfBytes(body) } };
}

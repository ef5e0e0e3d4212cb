/** Handles a request to the recording proxy: records it, and passes it on or injects a fault. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';
import { KeptBodies } from '#service/http/bodies/kept-bodies.ts';
import { readBody } from '#service/http/bodies/read-body.ts';
import type { ExchangeEntry, Link, RawExchange } from '../journal/entry.ts';
import { headerPairs } from '../journal/headers.ts';
import type { OpenExchange, Recorder } from '../journal/recorder.ts';
import { MAX_BODY_BYTES, STEP_HEADER, textOf } from './body.ts';
import {
  type Answer,
  ArmedFaults,
  type Fault,
  type MetFault,
  type Pause,
  reachesServer,
  send,
  spoil,
  standIn,
} from './faults.ts';
import { brokeHow, Forwarder } from './forwarder.ts';
import { bytesOf, type RequestChange } from './request-change.ts';
import { SimultaneousRequests } from './simultaneous-requests.ts';
import { whyProbe, whyRefused } from './stray.ts';

export type HandlerOptions = {
  link: Link;
  /** The address of the server. */
  target: string;
  /** The host on which the proxy listens. */
  host: string;
  recorder: Recorder;
  clock: Clock;
  /** Whether the body of each POST is passed on as JSON, whatever its Content-Type says. */
  asJson?: boolean;
  /** The largest body of a request, in bytes. */
  bodyLimit?: number;
  /** Resets the TCP connection of a caller. Over TLS that is not the socket of the request. */
  reset: (socket: Socket) => void;
  watch?: WireWatch;
};

/** How a role follows the messages while they pass, before their secrets are masked. */
export type WireWatch = {
  /** `seq` of the step to which requests belong now. */
  stepNow(): number | undefined;
  /** Says why a request must be refused, as one that no party of the run sent. */
  whyRefused(incoming: IncomingMessage): string | undefined;
  onRequest(raw: RawExchange): void;
  /** Called before the answer is sent, or when it is certain that none will be. */
  onAnswer(raw: RawExchange, came: PassedAnswer): void;
};

/** The answer of the server (`right`), the answer that the caller gets (`given`), and the fault between them. */
export type PassedAnswer = { right?: Answer; given?: Answer; fault?: Fault | undefined };

type Current = {
  incoming: IncomingMessage;
  response: ServerResponse;
  raw: RawExchange;
  open: OpenExchange;
  /** `seq` of the step of the kit that sent the request; NaN when a party sent it. */
  step: number;
  fault?: Fault;
};

export class RequestHandler {
  readonly faults = new ArmedFaults();
  readonly forwarder: Forwarder;
  readonly #options: HandlerOptions;
  /** Changes of requests, by the `seq` of their step. */
  readonly #changes = new Map<number, RequestChange>();
  readonly #held = new Set<SimultaneousRequests>();
  readonly #bodyLimit: number;
  readonly #room: KeptBodies;
  /** Functions that cancel the delays that run. */
  readonly #pauses = new Set<() => void>();
  #isCut = false;

  constructor(options: HandlerOptions) {
    this.#options = options;
    this.forwarder = new Forwarder(options.target, options.asJson);
    this.#bodyLimit = options.bodyLimit ?? MAX_BODY_BYTES;
    this.#room = new KeptBodies(this.#bodyLimit);
  }

  sendTogether(steps: readonly number[]): void {
    const requests = new SimultaneousRequests(steps, this.#options.clock, () => this.#held.delete(requests));
    this.#held.add(requests);
  }

  changeRequest(step: number, change: RequestChange): void {
    this.#changes.set(step, change);
  }

  cut(isCut: boolean): void {
    this.#isCut = isCut;
  }

  close(): void {
    for (const cancel of this.#pauses) cancel();
    this.forwarder.close();
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { link, recorder, watch } = this.#options;
    const headers = headerPairs(incoming.rawHeaders).filter(([name]) => name.toLowerCase() !== STEP_HEADER);
    const { httpVersion, method = '', url: path = '' } = incoming;
    const raw: RawExchange = { link, request: { httpVersion, method, path, headers, body: '' } };
    const named = incoming.headers[STEP_HEADER];
    const step = typeof named === 'string' ? Number(named) : watch?.stepNow();
    const open = recorder.exchange(raw, step);
    const current: Current = { incoming, response, raw, open, step: Number(step) };
    // A caller that closes the connection ends the exchange. After a complete answer this does nothing.
    response.on('close', () => open.end({ fault: current.fault?.name, broke: 'closed-early' }));
    const refused = watch ? watch.whyRefused(incoming) : whyRefused(incoming, this.#options.host);
    if (refused !== undefined && !this.#isCut) {
      raw.stray = refused;
      this.#refuse(current, REFUSED_STRAY);
      return;
    }
    const limit = this.#bodyLimit;
    const { take: admit, release } = this.#room.open(incoming.socket.remoteAddress);
    incoming.on('close', release);
    const body = await readBody(incoming, { limit, admit, release });
    if (!Buffer.isBuffer(body)) {
      this.#refuse(current, body === 'too_large' ? tooLarge(limit) : CROWDED);
      return;
    }
    raw.request.body = textOf(body, headers, limit);
    await this.#pass(current, body);
  }

  async #pass(current: Current, body: Buffer): Promise<void> {
    const { incoming, raw, open } = current;
    if (this.#isCut) {
      open.end({ broke: 'refused' });
      incoming.socket.destroy();
      return;
    }
    const probe = whyProbe(incoming, body, this.#options.link);
    if (probe !== undefined) raw.stray = probe;
    const sent = this.#changed(current, body);
    this.#options.watch?.onRequest(raw);
    const met = this.faults.take(raw.request.body);
    if (met) current.fault = met.fault;
    open.leave(current.fault?.name);
    if (met && !reachesServer(met.fault)) this.#answerInPlace(current, met);
    else await this.#forward(current, sent);
  }

  /** Ends an exchange. The caller gets `came.given`, and the journal keeps `kept`. */
  #end(current: Current, came: PassedAnswer, broke?: ExchangeEntry['broke'], kept = came.given): void {
    const { raw, open, fault } = current;
    this.#options.watch?.onAnswer(raw, { ...came, fault });
    open.end({ response: kept && asText(kept), fault: fault?.name, broke });
  }

  #refuse({ response, open }: Current, answer: Answer): void {
    response.shouldKeepAlive = false;
    open.end({ response: asText(answer) });
    send(response, answer, { pause: this.#pause, beforeEnd: () => undefined });
  }

  #changed({ raw, step }: Current, body: Buffer): Buffer {
    const change = this.#changes.get(step);
    if (!change) return body;
    this.#changes.delete(step);
    Object.assign(raw.request, change(raw.request));
    return bytesOf(raw.request.body);
  }

  /** Answers in the place of the server, breaks the connection, or leaves the request without an answer. */
  #answerInPlace(current: Current, { fault, held }: MetFault): void {
    const { incoming, response, raw } = current;
    const given = readableTo(incoming, fault, standIn(fault, raw.request.body));
    held.add(incoming.socket);
    response.on('close', () => held.delete(incoming.socket));
    if (given)
      send(response, given, { fault, pause: this.#pause, beforeEnd: () => this.#end(current, { given }) });
    else if (fault.name === 'hang') this.#options.watch?.onAnswer(raw, { fault });
    else {
      this.#end(current, {}, 'reset');
      if (fault.name === 'reset') this.#options.reset(incoming.socket);
      else incoming.socket.destroy();
    }
  }

  async #forward(current: Current, body: Buffer): Promise<void> {
    const { incoming, response, raw, step, fault } = current;
    const others = [...this.#held].find((each) => each.holds(step));
    let right: Answer;
    try {
      right = await this.forwarder.forward(raw.request, { body, others });
    } catch (error) {
      this.#end(current, {}, brokeHow(error));
      incoming.socket.destroy();
      return;
    }
    if (fault?.name === 'reply-lost') {
      this.#end(current, { right }, 'closed-early', right);
      incoming.socket.destroy();
      return;
    }
    const given = fault ? spoil(fault, right, raw.request.body) : right;
    const broke = fault?.name === 'truncate' ? 'closed-early' : undefined;
    // The journal keeps a huge reply without its padding.
    const kept = fault?.name === 'huge' ? right : given;
    const beforeEnd = () => this.#end(current, { right, given }, broke, kept);
    send(response, given, { fault, pause: this.#pause, beforeEnd });
  }

  /** Waits on the clock of the run. `close` cancels it. */
  readonly #pause: Pause = (ms, then) => {
    const cancel = this.#options.clock.after(ms, () => {
      this.#pauses.delete(cancel);
      then();
    });
    this.#pauses.add(cancel);
  };
}

export const REFUSED_STRAY = plainText(403, 'The conformance kit takes no request with this Host or Origin.');
const tooLarge = (limit: number) =>
  plainText(413, `The recording proxy passes on no body above ${limit / 1024} KiB.`);
const CROWDED = plainText(
  503,
  'The recording proxy keeps too much of bodies that are not finished. Please finish them, or try again.',
);

function plainText(status: number, text: string): Answer {
  return { status, headers: [['content-type', 'text/plain; charset=utf-8']], body: Buffer.from(text) };
}

/** Lets a page of any origin read a refusal (CORS), as it may read the answers of the server. */
function readableTo(
  { headers: { origin } }: IncomingMessage,
  { name }: Fault,
  answer: Answer | undefined,
): Answer | undefined {
  if (!answer || name !== 'refuse' || origin === undefined) return answer;
  return {
    ...answer,
    headers: [...answer.headers, ['access-control-allow-origin', origin], ['vary', 'Origin']],
  };
}

const asText = (answer: Answer) => ({ ...answer, body: textOf(answer.body, answer.headers) });

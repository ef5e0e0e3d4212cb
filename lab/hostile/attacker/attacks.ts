/** The behaviour of one hostile connection. Each attack goes on until its socket is destroyed. */
import type { Socket } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';
import { COSTLY_SHAPES, costlyBody } from '../../costly-bodies.ts';
import { ATTACKS, type AttackName, type Target } from '../messages.ts';

export type Hostile = (socket: Socket, target: Target, clock: Clock) => void;

const REPEAT_MS = 1_000;
const LARGE_BODY = Buffer.alloc(2_000_000, 0x20);
const OVERSIZED_HEADERS = `X-Filler: ${'x'.repeat(1_000)}\r\n`.repeat(64);
const PIPELINED_CALLS = 100;

/** Attacks that open a new connection when the server closes one. */
export const RENEWED: ReadonlySet<AttackName> = new Set([
  'half-closed',
  'oversized-headers',
  'pipelining',
  'large-bodies',
  'costly-bodies',
  'costly-bodies-auth',
]);

/** Attacks that read no reply. */
export const DEAF: ReadonlySet<AttackName> = new Set(['never-read']);

/**
 * Counts the connections of such an attack. They send at different times, so that the bodies are spread over
 * each second.
 */
let costly = 0;
/** Costly bodies by body limit, built when the first one is sent. */
const bodies = new Map<number, readonly string[]>();

function sendCostlyBodies(socket: Socket, target: Target, clock: Clock): void {
  const turn = costly++ % ATTACKS['costly-bodies'].connections;
  const send = () => {
    const body = nextBody(target);
    socket.write(head(target, body.length));
    socket.write(body);
  };
  clock.after((turn * REPEAT_MS) / ATTACKS['costly-bodies'].connections, () => again(socket, clock, send));
}

let sent = 0;

/** Returns the bodies of all shapes in rotation. */
function nextBody({ bodyLimit, call }: Target): string {
  let known = bodies.get(bodyLimit);
  if (!known) {
    known = COSTLY_SHAPES.map((shape) => costlyBody(shape, JSON.parse(call), bodyLimit));
    bodies.set(bodyLimit, known);
  }
  return known[sent++ % known.length] as string;
}

/** Counts the calls of this attack: every other call is truncated. */
let halfClosed = 0;

export const hostile: Readonly<Record<AttackName, Hostile>> = {
  idle: () => undefined,
  'slow-headers'(socket, { path }, clock) {
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`);
    again(socket, clock, () => void socket.write('X-More: 1\r\n'));
  },
  'slow-bodies'(socket, target, clock) {
    socket.write(head(target, 1_000_000));
    again(socket, clock, () => void socket.write(' '));
  },
  'half-closed'(socket, target) {
    socket.end(halfClosed++ % 2 === 0 ? request(target) : request(target).slice(0, -5));
  },
  'oversized-headers'(socket, { path }) {
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${OVERSIZED_HEADERS}\r\n`);
  },
  pipelining(socket, target) {
    const many = request(target).repeat(PIPELINED_CALLS);
    let waiting = PIPELINED_CALLS;
    socket.write(many);
    socket.on('data', (chunk: Buffer) => {
      waiting -= chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (waiting > 0) return;
      waiting += PIPELINED_CALLS;
      socket.write(many);
    });
  },
  'large-bodies'(socket, target) {
    const send = () => {
      socket.write(head(target, LARGE_BODY.length));
      socket.write(LARGE_BODY);
    };
    send();
    socket.on('data', send);
  },
  'costly-bodies': sendCostlyBodies,
  'costly-bodies-auth': sendCostlyBodies,
  'never-read'(socket, target) {
    const many = request(target).repeat(PIPELINED_CALLS);
    socket.pause();
    const push = () => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.on('drain', push);
    push();
  },
};

function again(socket: Socket, clock: Clock, act: () => void): void {
  if (socket.destroyed) return;
  act();
  clock.after(REPEAT_MS, () => again(socket, clock, act));
}

function head({ path }: Target, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

function request(target: Target): string {
  return head(target, Buffer.byteLength(target.call)) + target.call;
}

/** The attacks: how many connections each has, and what one of them does until its socket is destroyed. */
import type { Socket } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';

/** Where calls go, the server's body limit, and a call with a known answer. */
export type Target = {
  port: number;
  path: string;
  bodyLimit: number;
  call: string;
  /** A text that the answer to the call contains. */
  answer: string;
};

/**
 * What one connection does. `number` counts the connections of the attack, and `bodies` are dear to parse.
 */
type Behaviour = (
  socket: Socket,
  target: Target,
  parts: { clock: Clock; number: number; bodies: () => readonly string[] },
) => void;

export type Attack = {
  connections: number;
  what: string;
  behave: Behaviour;
  /** The attacked server: by default the EHR server. */
  party?: 'auth';
  /** How the latency of others is judged: `p50` by that in quiet, otherwise p99 by a time. */
  judgedBy?: 'p50';
  /** Whether a connection that the server closes is opened again. */
  isRenewed?: true;
  /** Whether no reply is read. */
  isDeaf?: true;
};

const REPEAT_MS = 1_000;
const LARGE_BODY = Buffer.alloc(2_000_000, 0x20);
const OVERSIZED_HEADERS = `X-Filler: ${'x'.repeat(1_000)}\r\n`.repeat(64);
const PIPELINED_CALLS = 100;
const COSTLY_CONNECTIONS = 10;

/** Costly bodies of all shapes in turn, spread over each second. */
const sendCostlyBodies: Behaviour = (socket, target, { clock, number, bodies }) => {
  let sent = number;
  const send = () => {
    const body = bodies()[sent++ % bodies().length] as string;
    socket.write(head(target, body.length));
    socket.write(body);
  };
  const turn = number % COSTLY_CONNECTIONS;
  clock.after((turn * REPEAT_MS) / COSTLY_CONNECTIONS, () => again(socket, clock, send));
};

const costly = {
  connections: COSTLY_CONNECTIONS,
  judgedBy: 'p50',
  isRenewed: true,
  behave: sendCostlyBodies,
} as const;

export const ATTACKS = {
  idle: { connections: 10_000, what: 'connections that are opened and never used', behave: () => undefined },
  'slow-headers': {
    connections: 2_000,
    what: 'a header line a second, and never the last',
    behave(socket, { path }, { clock }) {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`);
      again(socket, clock, () => void socket.write('X-More: 1\r\n'));
    },
  },
  'slow-bodies': {
    connections: 2_000,
    what: 'a byte of a large body a second',
    behave(socket, target, { clock }) {
      socket.write(head(target, 1_000_000));
      again(socket, clock, () => void socket.write(' '));
    },
  },
  'half-closed': {
    connections: 200,
    what: 'calls, whole and cut short, whose sender has closed his side',
    isRenewed: true,
    behave: (socket, target, { number }) =>
      void socket.end(number % 2 === 0 ? request(target) : request(target).slice(0, -5)),
  },
  'oversized-headers': {
    connections: 100,
    what: '64 KiB of headers, again and again',
    isRenewed: true,
    behave: (socket, { path }) =>
      void socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${OVERSIZED_HEADERS}\r\n`),
  },
  pipelining: {
    connections: 16,
    what: 'a hundred calls in one write, again and again',
    isRenewed: true,
    behave(socket, target) {
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
  },
  'large-bodies': {
    connections: 200,
    what: 'bodies of 2 MB, again and again',
    isRenewed: true,
    behave(socket, target) {
      const send = () => {
        socket.write(head(target, LARGE_BODY.length));
        socket.write(LARGE_BODY);
      };
      send();
      socket.on('data', send);
    },
  },
  'never-read': {
    connections: 500,
    what: 'calls without end, and no reply is read',
    isDeaf: true,
    behave(socket, target) {
      const many = request(target).repeat(PIPELINED_CALLS);
      socket.pause();
      const push = () => {
        while (!socket.destroyed && socket.write(many));
      };
      socket.on('drain', push);
      push();
    },
  },
  'costly-bodies': { ...costly, what: 'a body of 1 MiB a second that is dear to parse' },
  'costly-bodies-auth': {
    ...costly,
    party: 'auth',
    what: 'the same against the authorization server, of the 64 KiB that it reads',
  },
} as const satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;

export function attackOf(name: AttackName): Attack {
  return ATTACKS[name];
}

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

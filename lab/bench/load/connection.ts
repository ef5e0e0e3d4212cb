/**
 * One connection of the load: sends a request, waits for its complete reply, checks it, and sends the next.
 */
import { connect, type Socket } from 'node:net';

export type Conversation = {
  /** Returns the next request, or undefined when there are no more. */
  next(): Buffer | undefined;
  /** Called for each reply with its latency in milliseconds. */
  onAnswer(milliseconds: number): void;
  /** A text that every reply must contain. */
  expect: string;
};

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * Sends requests until there is no next one, then closes the connection.
 * @throws Error (by the promise) with the start of the first reply that is not a success, or why the
 * connection broke
 */
export function converse(port: number, { next, onAnswer, expect }: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received: Buffer | undefined;
    let sentAt = 0;
    const send = () => {
      const request = next();
      if (request === undefined) {
        socket.removeAllListeners('close').destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', (chunk: Buffer) => {
      received = received === undefined ? chunk : Buffer.concat([received, chunk]);
      const problem = problemOf(received, expect);
      if (problem === 'incomplete') return;
      if (problem !== undefined) {
        fail(socket, reject, problem);
        return;
      }
      received = undefined;
      onAnswer(performance.now() - sentAt);
      send();
    });
    socket.on('error', (error) => fail(socket, reject, error.message));
    socket.on('close', () => fail(socket, reject, 'the server closed the connection'));
  });
}

function fail(socket: Socket, reject: (error: Error) => void, why: string): void {
  socket.removeAllListeners('close').destroy();
  reject(new Error(`Failed to measure: ${why}`));
}

/** Tells what is wrong with a reply. Returns undefined for a complete success. */
function problemOf(reply: Buffer, expect: string): string | undefined {
  const end = reply.indexOf(HEAD_END);
  if (end === -1) return 'incomplete';
  const head = reply.toString('latin1', 0, end);
  const length = LENGTH.exec(head)?.[1];
  if (length === undefined) return `a reply has no Content-Length: ${head}`;
  const missing = end + HEAD_END.length + Number(length) - reply.length;
  if (missing > 0) return 'incomplete';
  if (head.startsWith('HTTP/1.1 200 ') && missing === 0 && reply.includes(expect, end)) return undefined;
  return `a call was answered with ${reply.toString('utf8', 0, 400)}`;
}

/** Opens the connections of one attack and counts the replies. */
import { connect, type Socket } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';
import type { AttackOrder, AttackReport } from '../messages.ts';
import { DEAF, hostile, RENEWED } from './attacks.ts';

/** Connections opened at a time: the queue of a listener takes no more. */
const MAX_CONCURRENT_CONNECTS = 200;

export type Attack = {
  /** Resolves when every connection has been tried. */
  standing: Promise<void>;
  /** Replies so far, by HTTP status. */
  readonly replies: Readonly<Record<string, number>>;
  /** Ends the attack and returns its report. */
  stop(): AttackReport;
};

export function startAttack({ attack, connections, target }: AttackOrder, clock: Clock): Attack {
  const sockets = new Set<Socket>();
  const report: AttackReport = { made: 0, standing: 0, failed: 0, replies: {} };
  let stopped = false;

  const open = (): Promise<void> =>
    new Promise((resolve) => {
      if (stopped) {
        resolve();
        return;
      }
      // Connects from another address than the callers, where the system has one: rate limits are per
      // address.
      const from = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};
      const socket = connect({ host: '127.0.0.1', port: target.port, allowHalfOpen: true, noDelay: true, ...from });
      socket.on('connect', () => {
        report.made++;
        sockets.add(socket);
        hostile[attack](socket, target, clock);
        resolve();
      });
      socket.on('error', () => {
        report.failed++;
        resolve();
      });
      if (!DEAF.has(attack)) socket.on('data', count);
      socket.on('end', () => socket.end());
      socket.on('close', () => {
        sockets.delete(socket);
        if (RENEWED.has(attack) && !stopped) setImmediate(() => void open());
      });
    });

  const count = (chunk: Buffer) => {
    for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      report.replies[status] = (report.replies[status] ?? 0) + 1;
    }
  };

  const openAll = async () => {
    for (let opened = 0; opened < connections && !stopped; opened += MAX_CONCURRENT_CONNECTS) {
      await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_CONNECTS, connections - opened) }, open));
    }
  };

  return {
    standing: openAll(),
    replies: report.replies,
    stop() {
      stopped = true;
      report.standing = sockets.size;
      for (const socket of sockets) socket.destroy();
      return report;
    },
  };
}

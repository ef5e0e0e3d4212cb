/**
 * The processes of attackers and of the measured caller, on another core than the server. Attackers have a
 * lower priority than the caller.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { openFilesLimit } from '#service/process/open-files.ts';
import type { AttackName, AttackReport, CallerOrder, Latencies, Target } from './messages.ts';
import { pinnedTo } from './server.ts';

/** Open files that an attacker process needs beside its connections. */
const ATTACKER_FILE_COUNT = 100;
/** Open files that the server needs beside the attack, including those of the measured callers. */
const SERVER_FILE_COUNT = 200;

export type Children = {
  /** Starts an attack. Once all connections have been tried, resolves to the function that ends it. */
  attack(name: AttackName, connections: number, target: Target): Promise<() => Promise<AttackReport>>;
  measure(order: CallerOrder): Promise<Latencies>;
  stop(): void;
};

/** Returns how many attacker processes this many connections need. */
export function processesFor(connections: number, limit = openFilesLimit()): number {
  return limit === undefined ? 1 : Math.max(1, Math.ceil(connections / Math.max(1, limit - ATTACKER_FILE_COUNT)));
}

/**
 * Returns how many connections an attack can have where a process may hold `limit` open files. The server
 * holds all of them.
 * @throws Error saying what to do, when they are fewer than wanted and fewer are not allowed
 */
export function connectionsWithin(wanted: number, limit: number | undefined, mayBeFewer: boolean): number {
  const room = limit === undefined ? wanted : limit - SERVER_FILE_COUNT;
  if (room >= wanted) return wanted;
  if (mayBeFewer && room > 0) return room;
  throw new Error(
    `A server can hold ${Math.max(0, room)} connections here, and ${wanted} are wanted: this shell allows ${limit} open files. Please raise that with "ulimit -n ${wanted + SERVER_FILE_COUNT}", or attack with fewer by --scale-down or --connections.`,
  );
}

export function startChildren(): Children {
  const running = new Set<ChildProcess>();
  const start = (main: string): ChildProcess => {
    const [command, ...args] = [...pinnedTo(1), process.execPath, '--import', 'tsx', main];
    const child = spawn(command as string, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const caller = start('lab/hostile/caller/main.ts');
  return {
    async attack(attack, connections, target) {
      const count = processesFor(connections);
      const attackers = Array.from({ length: count }, () => start('lab/hostile/attacker/main.ts'));
      await Promise.all(
        attackers.map(async (attacker, index) => {
          if (attacker.pid) setPriority(attacker.pid, constants.priority.PRIORITY_LOW);
          const share = Math.floor(connections / count) + (index < connections % count ? 1 : 0);
          attacker.send({ attack, connections: share, target });
          await answerOf(attacker);
        }),
      );
      return async () => {
        const reports = await Promise.all(
          attackers.map(async (attacker) => {
            attacker.send('stop');
            const { report } = (await answerOf(attacker)) as { report: AttackReport };
            attacker.disconnect();
            await once(attacker, 'exit');
            return report;
          }),
        );
        return reports.reduce(sum);
      };
    },
    async measure(order) {
      caller.send(order);
      return (await answerOf(caller)) as Latencies;
    },
    stop() {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/**
 * Resolves to the next message of the process.
 * @throws Error when the process ends instead
 */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const end = () => ended.abort(new Error('A process of the run ended in the middle.'));
  child.once('exit', end);
  try {
    const [answer] = await once(child, 'message', { signal: ended.signal });
    return answer;
  } finally {
    child.off('exit', end);
  }
}

function sum(one: AttackReport, other: AttackReport): AttackReport {
  const replies = { ...one.replies };
  for (const [status, count] of Object.entries(other.replies)) replies[status] = (replies[status] ?? 0) + count;
  return {
    made: one.made + other.made,
    standing: one.standing + other.standing,
    failed: one.failed + other.failed,
    replies,
  };
}

/** A measured server: a process with the probe, which reports its address and what it has used. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Usage } from '../peers/probe.ts';
import type { Bundles, Program } from './bundle.ts';
import { endChild, startChild } from './children.ts';
import { type Seat, seated } from './pin.ts';

export type ServerPlan = {
  program: Program;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  seat?: Seat;
};

export type Server = {
  port: number;
  /** The line in which the server said that it is ready. */
  readyLine: string;
  /** Returns what the process has used since its start. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
};

const MAX_OUTPUT_CHARS = 4_000;

/**
 * Starts a server and waits for the line with its address.
 * @throws Error with its output, when it ends before
 */
export async function startServer(bundles: Bundles, plan: ServerPlan): Promise<Server> {
  const { program, args = [], env = {}, seat = 'server' } = plan;
  const probe = pathToFileURL(bundles('probe')).href;
  const child = startChild(seated(seat, ['--import', probe, bundles(program), ...args]), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const readyLine = await readyLineOf(child, program);
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(readyLine)?.[1]);
  return {
    port,
    readyLine,
    async usage() {
      const answer = once(child, 'message');
      child.send('usage');
      return (await answer)[0] as Usage;
    },
    stop: () => endChild(child),
  };
}

/** Reads all output, so that the server never blocks on it, and keeps the last of its errors. */
function readyLineOf(child: ChildProcess, program: string): Promise<string> {
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-MAX_OUTPUT_CHARS);
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (line.includes('http://127.0.0.1:')) resolve(line);
    });
    child.once('exit', () => reject(new Error(`Failed to start ${program}: it ended at once.\n${complaints}`)));
    child.once('error', (error) => reject(new Error(`Failed to start ${program}: ${error.message}`, { cause: error })));
  });
}

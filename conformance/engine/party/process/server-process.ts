/**
 * Starts the server under test with the command of its adapter file, and waits until the server is ready. It
 * may have free ports, so that two runs on one machine do not collide.
 */
import { statSync } from 'node:fs';
import { type Clock, deadline, pause } from '#protocol/time/clock.ts';
import { freePorts } from '#service/http/listener/ports.ts';
import { quoted } from '../../harmless.ts';
import type { Env } from '../file/fields.ts';
import type { ServerSettings, StartSettings } from '../file/server-schema.ts';
import { send } from '../requests/send.ts';
import { fill } from '../requests/template.ts';
import { type Child, runChild } from './child.ts';

export type ServerProcess = Child;

type StartParts = {
  ehrUrl: string;
  /** Base URL to which the server sends its SMS, if the kit receives them; otherwise undefined. */
  smsUrl: string | undefined;
  clock: Clock;
  folder?: string;
  env: Env;
  /** Called with every line that the server writes, as it was written. */
  onLine?: (line: string) => void;
  signal: AbortSignal;
};

/** What the start needs from the adapter file. `secrets` are removed from the output of the server. */
type StartedServer = {
  settings: { server: ServerSettings; internal: { user: string; password: string } };
  secrets: readonly string[];
};

/** The server did not start. The message says why, and has the last lines of its output. */
export class ServerStartError extends Error {
  override name = 'ServerStartError';
}

/**
 * Starts the server, whose ports are filled in, and waits until it is ready. Undefined: it has no `start`.
 * @throws ServerStartError when it does not get ready; then none of its processes is left running
 */
export async function startServer(
  { settings, secrets }: StartedServer,
  parts: StartParts,
): Promise<ServerProcess | undefined> {
  const { server, internal } = settings;
  if (!server.start) return undefined;
  const variables = {
    ehrUrl: parts.ehrUrl,
    smsUrl: parts.smsUrl,
    internalUser: internal.user,
    internalPassword: internal.password,
    node: process.execPath,
    folder: parts.folder,
  };
  const filled = (template: string) => fill(template, variables) ?? '';
  const env = Object.entries(server.start.env).map(([name, template]) => [name, filled(template)]);
  const start = { ...server.start, command: server.start.command.map(filled), env: Object.fromEntries(env) };
  await rejectOccupiedAddress(server, parts);
  const readyLine = start.ready?.line === undefined ? undefined : new RegExp(start.ready.line, 'u');
  const lineSeen = new AbortController();
  const child = await launch(start, {
    ...parts,
    show: secretHider(secrets),
    onLine: (line) => {
      parts.onLine?.(line);
      if (readyLine?.test(line)) lineSeen.abort();
    },
  });
  try {
    await untilReady(child, server, start, lineSeen.signal, parts);
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Throws when another program answers at the server's address: the kit would judge that program. */
async function rejectOccupiedAddress({ url }: ServerSettings, { clock, signal }: StartParts): Promise<void> {
  const answer = await get(url, { clock, signal });
  signal.throwIfAborted();
  if (answer.kind === 'failed' && answer.what === 'unreachable') return;
  throw new ServerStartError(
    `Failed to start the server under test: something answers at ${url} already. Please stop it, or leave out server.start to have it judged.`,
  );
}

async function launch(
  { command, cwd = '.', env, stopWithinMs }: StartSettings,
  parts: StartParts & { show: (line: string) => string; onLine: (line: string) => void },
): Promise<Child> {
  const failed = `Failed to start the server under test (${parts.show(command.join(' '))}):`;
  if (!isDirectory(cwd))
    throw new ServerStartError(
      `${failed} its working directory ${cwd} does not exist. Please correct server.start.cwd.`,
    );
  try {
    return await runChild(
      { command, cwd, env: { ...parts.env, ...env } },
      { clock: parts.clock, stopWithinMs, show: parts.show, onLine: parts.onLine },
    );
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const reasons: Partial<Record<string, string>> = {
      ENOENT: `there is no program ${command[0]}`,
      EACCES: `${command[0]} may not be executed`,
    };
    const why = reasons[code] ?? message;
    throw new ServerStartError(`${failed} ${why}. Please correct server.start.command.`, { cause });
  }
}

/** Time (ms) for one request that asks whether the server is ready, and pause (ms) between two of them. */
const READY_REQUEST_TIMEOUT_MS = 5_000;
const READY_POLL_INTERVAL_MS = 100;

/** Asks again and again until the server is ready. Throws when it ends, or when the time is up. */
async function untilReady(
  child: Child,
  server: ServerSettings,
  { ready, readyWithinMs }: StartSettings,
  lineSeen: AbortSignal,
  { clock, signal }: StartParts,
): Promise<void> {
  const limit = deadline(clock, readyWithinMs, new Error('The time is up.'));
  const over = new AbortController();
  void child.gone.then(() => over.abort());
  const stop = AbortSignal.any([limit.signal, over.signal, signal, lineSeen]);
  const url = ready?.url?.startsWith('http')
    ? ready.url
    : `${server.url.replace(/\/+$/, '')}${ready?.url ?? '/'}`;
  const isReady = async () => {
    const answer = await get(url, { clock, signal: stop });
    // Without `ready.url`, a server that answers anything at all is ready, even if it is no HTTP.
    if (answer.kind === 'failed') return ready?.url === undefined && answer.what === 'unexpected-answer';
    return ready?.url === undefined || (answer.status >= 200 && answer.status < 300);
  };
  try {
    while (!stop.aborted) {
      if (ready?.line === undefined && (await isReady())) return;
      await pause(clock, READY_POLL_INTERVAL_MS, stop);
    }
  } finally {
    limit.cancel();
  }
  if (lineSeen.aborted) return;
  signal.throwIfAborted();
  if (over.signal.aborted) {
    // The last output of the server, which often says why it ended, may still be on the way.
    await Promise.race([child.closed, pause(clock, 500, signal)]);
    throw new ServerStartError(
      `The server under test ${child.ended()} before it was ready.${lastLines(child)}`,
    );
  }
  const lacking =
    ready?.line === undefined
      ? `${url} gave no answer${ready?.url === undefined ? '' : ' 2xx'}`
      : `no line of its output matched ${ready.line}`;
  throw new ServerStartError(
    `The server under test was not ready within ${readyWithinMs} ms: ${lacking}.${lastLines(child)}`,
  );
}

const get = (url: string, parts: { clock: Clock; signal: AbortSignal }) =>
  send(
    { method: 'GET', url, headers: [], body: undefined },
    { timeoutMs: READY_REQUEST_TIMEOUT_MS, ...parts },
  );

function lastLines(child: Child): string {
  const lines = child.output();
  return lines.length === 0
    ? ' It wrote nothing.'
    : ` Its last lines:\n${lines.map((line) => `  ${quoted(line)}`).join('\n')}`;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Returns a function that replaces each secret in a text by three dots. It finds the secret plain, quoted in
 * JSON, URL-encoded, in base64 and in hexadecimal. Empty secrets are ignored.
 */
export function secretHider(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf));
  // The longest first: the shorter of two secrets may be the beginning of the longer one.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((hidden, form) => hidden.replaceAll(form, '•••'), text);
}

/** The texts in which a secret may occur. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  // encodeURIComponent throws for half a surrogate pair, so such a character is replaced first.
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

export type Ports = Readonly<Record<string, number>>;

/** Replaces each port 0 by a free port. Other ports stay. */
export async function choosePorts(given: Ports): Promise<Record<string, number>> {
  const free = await freePorts(Object.values(given).filter((port) => port === 0).length);
  return Object.fromEntries(
    Object.entries(given).map(([name, port]) => [name, port === 0 ? (free.pop() as number) : port]),
  );
}

/** Replaces every `${ports.NAME}` in the texts of a section, at any depth. Returns a copy. */
export function withPorts<T>(section: T, ports: Ports): T {
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(PORT, (whole, name) => (name === undefined ? whole : String(ports[name])));
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]));
  };
  return filled(section) as T;
}

/** Matches `${ports.NAME}`, and also `$${`, the escape of a literal `${`, which stays as it is. */
const PORT = /\$\$\{|\$\{ports\.(\w+)\}/g;

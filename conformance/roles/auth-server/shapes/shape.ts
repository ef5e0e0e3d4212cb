/** What the independent servers have in common, for the tests and the kit. */
import type { ConnectionOptions } from 'node:tls';

export type ShapeOptions = {
  /** 0 for a free one. */
  port?: number;
  /** Port of the test control: 0 for a free one; no control without it. */
  controlPort?: number;
  /** Without the version segment. */
  ehrUrl?: string;
  apiVersion?: string;
  ehrUser?: string;
  ehrPassword?: string;
  ehrTimeoutMs?: number;
  /** Connection options for an EHR server with https; Node's defaults unless given. */
  ehrTls?: ConnectionOptions;
  /** The full address that accepts `{ to, text }`. */
  smsUrl?: string;
  /** Registered phones, in which every # is any digit; not needed by a server that registers every user. */
  phones?: readonly string[];
  /** Phones whose users have no entry in the correspondence table. */
  notMembers?: readonly string[];
  otpLifetimeSeconds?: number;
  resendSeconds?: number;
  codesPerDay?: number;
  sessionMinutes?: number;
  /** Without it the state is kept in memory. */
  stateFile?: string;
  /** The names under which its parts ask for faults. */
  faults?: readonly string[];
  now?: () => number;
  random?: { code?: () => string; token?: () => string; user?: () => string };
  /** Changes the way in which it sends its calls to the EHR server. */
  sends?: (send: typeof fetch) => typeof fetch;
  /** Changes an answer on its way to the client. */
  answer?: (answer: Answer) => Answer;
  /** Writes the body of an answer; as JSON unless given. */
  print?: (body: unknown) => string;
  /** Resolves when an answer may go out. */
  beforeAnswer?: () => Promise<void>;
};

/** An answer to a client; without a body there is none. */
export type Answer = { status: number; headers: Readonly<Record<string, string>>; body: unknown };

export type ShapeServer = {
  readonly port: number;
  readonly controlPort: number | undefined;
  close(): Promise<void>;
};

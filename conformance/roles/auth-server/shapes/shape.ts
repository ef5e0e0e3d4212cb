/**
 * The interface of the plain authorization servers in this folder, `challenge` and `carried-sign`, on which
 * the kit proves its checks: with which options one starts, and what a started one offers.
 */
import type { ConnectionOptions } from 'node:tls';

export type ShapeOptions = {
  /** Port for clients; 0 is a free one. */
  port?: number;
  /**
   * Port of the test control, which moves the clock; 0 is a free one, and without a port there is no control.
   */
  controlPort?: number;
  /** Address of the EHR server, without the version segment. */
  ehrUrl?: string;
  apiVersion?: string;
  ehrUser?: string;
  ehrPassword?: string;
  ehrTimeoutMs?: number;
  /** Connection options for an EHR server with https; Node's defaults unless given. */
  ehrTls?: ConnectionOptions;
  /** The full address of the SMS gateway, which accepts `{ to, text }` as JSON. */
  smsUrl?: string;
  /** Registered phones, in which every # is any digit; not needed by a server that registers every user. */
  phones?: readonly string[];
  /** Phones whose users have no entry in the correspondence table. */
  notMembers?: readonly string[];
  otpLifetimeSeconds?: number;
  resendSeconds?: number;
  codesPerDay?: number;
  sessionMinutes?: number;
  /** File for the state; without one the state is in memory, and lost at the end. */
  stateFile?: string;
  /** The names of the wrong behaviours to switch on; the server is right without any. */
  faults?: readonly string[];
  /** The time in ms since 1970. */
  now?: () => number;
  /** Draws codes, tokens and user names; the server's own generator draws what is missing. */
  random?: { code?: () => string; token?: () => string; user?: () => string };
  /** Changes how the server sends its calls to the EHR server. */
  sends?: (send: typeof fetch) => typeof fetch;
  /** Changes an answer on its way to the client. */
  answer?: (answer: Answer) => Answer;
  /** Writes the body of an answer; as JSON unless given. */
  print?: (body: unknown) => string;
  /** The server awaits this before each answer to a client. */
  beforeAnswer?: () => Promise<void>;
};

/** An answer to a client. Where `body` is undefined, nothing but status and headers is sent. */
export type Answer = { status: number; headers: Readonly<Record<string, string>>; body: unknown };

/** A server that runs. */
export type ShapeServer = {
  readonly port: number;
  readonly controlPort: number | undefined;
  close(): Promise<void>;
};

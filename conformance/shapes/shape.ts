/** What the servers of other makes have in common, as the tests and the kit see them. */
import type { ConnectionOptions } from 'node:tls';

export type ShapeOptions = {
  /** 0: a free one. */
  port?: number;
  /** Of the control of a test; without it there is none. 0: a free one. */
  controlPort?: number;
  /** Without the version segment. */
  ehrUrl?: string;
  apiVersion?: string;
  ehrUser?: string;
  ehrPassword?: string;
  ehrTimeoutMs?: number;
  /** How it connects to an EHR server with https; as Node does unless given. */
  ehrTls?: ConnectionOptions;
  /** The whole address that takes `{ to, text }`. */
  smsUrl?: string;
  /** Registered phones, in which every # is any digit; a server that registers whoever signs in needs none. */
  phones?: readonly string[];
  /** Phones whose users have no entry in the correspondence table. */
  notMembers?: readonly string[];
  otpLifetimeSeconds?: number;
  resendSeconds?: number;
  codesPerDay?: number;
  sessionMinutes?: number;
  /** Without it all is kept in memory. */
  stateFile?: string;
  /** Names of {@link FaultTable}. */
  faults?: readonly string[];
  now?: () => number;
  random?: { code?: () => string; token?: () => string; user?: () => string };
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

/** Faults by name. `class` is that of the kit's blind spots, 1 to 12; 0 is a fault of the wire format. */
export type FaultTable = Readonly<Record<string, { readonly title: string; readonly class: number }>>;

/** The messages between the bench and its load generator, which is a separate process. */
import type { Patient } from '#protocol/wire/fields.ts';

/** The requests of one slice. Each is made from a sequence number, so that no two are equal. */
export type RequestPlan =
  | { kind: 'get_patient'; sessions: number; users: number }
  | { kind: 'save_auth_info'; users: number }
  | { kind: 'save_exchange_token'; users: number }
  /** The n-th exchange token belongs to the patient at n modulo their number. */
  | { kind: 'authenticate'; patients: readonly Pick<Patient, 'name' | 'surname' | 'birthdate' | 'phones'>[] }
  | { kind: 'remove_auth_info'; users: number }
  | { kind: 'remove_authentication' }
  /** A call that every server refuses without using its database. */
  | { kind: 'unknown_method' }
  /** A token of an OAuth 2 server, by client credentials. */
  | { kind: 'oauth_token' };

export type LoadJob = {
  /** Connections are assigned to these ports in turn. */
  ports: readonly number[];
  connections: number;
  /** Duration of the warm-up in milliseconds, which is not counted. */
  warmUpMs: number;
  milliseconds: number;
  plan: RequestPlan;
  /** The first sequence number. */
  first: number;
};

export type LoadResult = {
  /** Requests answered within the counted time. */
  requests: number;
  /** All answered requests, including the warm-up: the server spent its CPU time on these. */
  answered: number;
  milliseconds: number;
  /** Latencies in milliseconds. */
  latency: { p50: number; p99: number; max: number };
  /** The part of one core that the generator itself used. */
  busy: number;
  /** The first unused sequence number. */
  next: number;
};

export type LoadAnswer = { result: LoadResult } | { failure: string };

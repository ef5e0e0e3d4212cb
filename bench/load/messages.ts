/** What the bench tells its load generator, which is a process of its own, and what that one answers. */
import type { Patient } from '#protocol/fields.ts';

/** The requests of one slice; each is made from a sequence number, so that no two are alike. */
export type RequestPlan =
  | { kind: 'get_patient'; sessions: number; users: number }
  | { kind: 'save_auth_info'; users: number }
  | { kind: 'save_exchange_token'; users: number }
  /** The n-th exchange token belongs to the patient at n modulo their number. */
  | { kind: 'authenticate'; patients: readonly Pick<Patient, 'name' | 'surname' | 'birthdate' | 'phones'>[] }
  | { kind: 'remove_auth_info'; users: number }
  | { kind: 'remove_authentication' }
  /** A call that every server refuses by itself, without a look into a database. */
  | { kind: 'unknown_method' }
  /** A token of an OAuth 2 server, by client credentials. */
  | { kind: 'oauth_token' };

export type LoadJob = {
  /** Connections are dealt out to these ports in turn. */
  ports: readonly number[];
  connections: number;
  /** Not counted, in milliseconds. */
  warmUp: number;
  milliseconds: number;
  plan: RequestPlan;
  /** The first sequence number. */
  first: number;
};

export type LoadResult = {
  /** Answered within the counted time. */
  requests: number;
  /** Answered at all, the warm-up included: what the server's CPU time was spent on. */
  answered: number;
  milliseconds: number;
  /** In milliseconds. */
  latency: { p50: number; p99: number; max: number };
  /** The part of one core that the generator itself used. */
  busy: number;
  /** The first sequence number that was not used. */
  next: number;
};

export type LoadAnswer = { result: LoadResult } | { failure: string };

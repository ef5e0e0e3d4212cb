/** What the two servers hold, and what time it is for them. */
import type { PartyName, Time } from './basics.ts';

/** What the two servers hold, from their control ports. */
export type State = { readonly at: Time; readonly tables: readonly StateTable[] };

/** A table of one server. */
export type StateTable = {
  readonly party: 'auth' | 'ehr';
  readonly table: 'sessions' | 'exchangeTokens' | 'links' | 'correspondence';
  /** Newest first. At most 200 rows are told. */
  readonly rows: readonly StateRow[];
  /** How many rows there are in all. */
  readonly total: number;
};

/** A row: its cells have the names below; a cell that is not known is absent. Secrets are pseudonyms. */
export type StateRow = {
  /** Stable name of the row within its table. */
  readonly id: string;
  /** Pseudonym of the session token or exchange token; a shortened hash when it was stored unseen. */
  readonly token?: string;
  /** Public user id. */
  readonly user?: string;
  /** Phone or e-mail address at the authorization server. */
  readonly attribute?: string;
  /** `name` of the person, as far as the console can tell. */
  readonly person?: string;
  /** Id of the patient record that the user is linked to. */
  readonly patient?: string;
  /** The internal user id of the correspondence table. */
  readonly internalId?: string;
  /** Whether the authorization server holds a signature for the user. */
  readonly signOnRecord?: boolean;
  /** When it expires, by the demo's clock: the server's skew is taken off. */
  readonly endsAt?: Time;
  /** Failed matches on the exchange token. */
  readonly failures?: number;
  /** The message that made or changed the row last. Absent: before the console watched. */
  readonly changedBy?: number;
};

/** One difference between two states. `row` is as it was for `removed`, else as it is now. */
export type StateChange = {
  readonly party: StateTable['party'];
  readonly table: StateTable['table'];
  readonly how: 'added' | 'changed' | 'removed';
  readonly row: StateRow;
};

/** How far each party is ahead of the demo's clock, in milliseconds; the client is the one in the page. */
export type Skews = Readonly<Record<PartyName, number>>;

/** The demo's clock. */
export type ClockState = {
  /** The time now. The page counts on by itself until the next event. */
  readonly now: Time;
  /** How far it is ahead of the machine's clock, in milliseconds. */
  readonly offsetMs: number;
  readonly skewMs: Skews;
  /** The end of the exchange token that ends next; null without one. */
  readonly tokenEndsAt: Time | null;
  /** The end of the session at the EHR server that ends next; null without one. */
  readonly sessionEndsAt: Time | null;
};

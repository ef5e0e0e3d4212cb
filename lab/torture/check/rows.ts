/** Assigns the rows of the database, of either engine, to the groups of the ledger. */
import { type Cast, storedForm } from '../load/cast.ts';
import type { Snapshot } from './history.ts';

export type AuditRow = { action: string; user: string; patient: string | null; outcome: string };

/** Hashes are in hexadecimal. */
export type Rows = {
  sessions: { hash: string; user: string; recorded: boolean; ended: boolean }[];
  exchanges: { hash: string; user: string; sessionHash: string; failures: number; used: boolean }[];
  links: { user: string; patient: string; sign: string }[];
  audit: AuditRow[];
};

export type Dealt = {
  /** By group. */
  snapshots: Map<number, Snapshot>;
  audit: Map<number, (Omit<AuditRow, 'user'> & { user: number })[]>;
  /** Descriptions of rows that belong to no group. */
  strays: string[];
};

type Place = { cast: Cast; number: number };

/** Assigns the rows to groups. A row that no group knows is a stray. */
export function dealRows(casts: readonly Cast[], rows: Rows): Dealt {
  const users = new Map<string, Place>();
  const tokens = new Map<string, Place>();
  const exchanges = new Map<string, Place>();
  const snapshots = new Map<number, MutableSnapshot>();
  const audit: Dealt['audit'] = new Map();
  for (const cast of casts) {
    for (const [number, user] of cast.users.entries()) users.set(user, { cast, number });
    for (const [number, token] of cast.tokens.entries()) tokens.set(storedForm(token), { cast, number });
    for (const [number, token] of cast.exchanges.entries()) exchanges.set(storedForm(token), { cast, number });
    snapshots.set(cast.group, empty(cast));
    audit.set(cast.group, []);
  }
  const strays: string[] = [];
  const snapshotOf = ({ cast }: Place) => snapshots.get(cast.group) as MutableSnapshot;
  /** Returns the number of the user within the group, or -1 for a user of another group. */
  const userIn = (user: string, { cast }: Place) => {
    const place = users.get(user);
    return place?.cast === cast ? place.number : -1;
  };

  for (const { user, patient, sign } of rows.links) {
    const place = users.get(user);
    if (!place) strays.push('a link of a user whom nobody knows');
    else
      snapshotOf(place).links[place.number] = {
        patient: place.cast.patientNumber(patient),
        sign: place.cast.signNumber(sign),
      };
  }
  for (const { hash, user, recorded, ended } of rows.sessions) {
    const place = tokens.get(hash);
    if (!place) strays.push('a session with a token that nobody sent');
    else snapshotOf(place).sessions[place.number] = { user: ended ? undefined : userIn(user, place), recorded, ended };
  }
  for (const { hash, user, sessionHash, failures, used } of rows.exchanges) {
    const place = exchanges.get(hash);
    if (!place) {
      strays.push('an exchange token that nobody sent');
      continue;
    }
    const token = tokens.get(sessionHash);
    const number = token?.cast === place.cast ? token.number : -1;
    snapshotOf(place).exchanges[place.number] = { user: userIn(user, place), token: number, failures, used };
  }
  for (const { action, user, patient, outcome } of rows.audit) {
    const place = users.get(user);
    if (!place) strays.push('an audit entry of a user whom nobody knows');
    else audit.get(place.cast.group)?.push({ action, user: place.number, patient, outcome });
  }
  return { snapshots, audit, strays };
}

type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : never;
type MutableSnapshot = { [Name in keyof Snapshot]: Mutable<Snapshot[Name]> };

function empty(cast: Cast): MutableSnapshot {
  return {
    links: Array(cast.users.length).fill(undefined),
    sessions: Array(cast.tokens.length).fill(undefined),
    exchanges: Array(cast.exchanges.length).fill(undefined),
  };
}

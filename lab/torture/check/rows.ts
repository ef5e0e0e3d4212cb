/** Assigns the rows of the database, of either engine, to the groups of the ledger. */
import type { Cast } from '../load/cast.ts';
import type { GroupSnapshot } from './history.ts';

export type AuditRow = { action: string; user: string; outcome: string };

/** Hashes are in hexadecimal. */
export type StoredRows = {
  sessions: { hash: string; user: string; recorded: boolean; ended: boolean }[];
  exchanges: { hash: string; user: string; sessionHash: string; failures: number; used: boolean }[];
  links: { user: string; patient: string; sign: string }[];
  audit: AuditRow[];
};

export type GroupRows = { snapshot: GroupSnapshot; audit: AuditRow[] };

/** `strays` describes rows that belong to no group. */
export type DealtRows = { groups: Map<Cast, GroupRows>; strays: string[] };

/** The owner of a stored user or token: a group, and the name there. */
type Owner = { cast: Cast; name: string };

/** A name that stands for one of another group. */
const FOREIGN = 'of another group';

/** Assigns the rows to groups, by the names of the model. A row that no group knows is a stray. */
export function dealRows(casts: readonly Cast[], rows: StoredRows): DealtRows {
  const users = new Map<string, Owner>();
  const tokens = new Map<string, Owner>();
  for (const cast of casts) for (const [name, user] of cast.users) users.set(user, { cast, name });
  for (const cast of casts) for (const [hash, name] of cast.stored) tokens.set(hash, { cast, name });
  const empty = (): GroupRows => ({ snapshot: { links: {}, sessions: {}, exchanges: {} }, audit: [] });
  const groups = new Map(casts.map((cast) => [cast, empty()]));
  const strays: string[] = [];
  const deal = <Row>(
    all: readonly Row[],
    ownerOf: (row: Row) => Owner | undefined,
    stray: string,
    put: (row: Row, owner: Owner, into: GroupRows) => void,
  ) => {
    for (const row of all) {
      const owner = ownerOf(row);
      if (owner) put(row, owner, groups.get(owner.cast) as GroupRows);
      else strays.push(stray);
    }
  };
  const nameIn = (cast: Cast, found: Owner | undefined) => (found?.cast === cast ? found.name : FOREIGN);
  const ofUser = ({ user }: { user: string }) => users.get(user);
  const ofToken = ({ hash }: { hash: string }) => tokens.get(hash);
  deal(rows.links, ofUser, 'a link of a user whom nobody knows', ({ patient, sign }, { cast, name }, of) => {
    of.snapshot.links[name] = { patient: cast.patientName(patient), sign: cast.signNumber(sign) };
  });
  deal(rows.sessions, ofToken, 'a session with a token that nobody sent', (row, { cast, name }, of) => {
    const { recorded, ended } = row;
    of.snapshot.sessions[name] = { user: nameIn(cast, users.get(row.user)), recorded, ended };
  });
  deal(rows.exchanges, ofToken, 'an exchange token that nobody sent', (row, { cast, name }, of) => {
    const { failures, used } = row;
    const token = nameIn(cast, tokens.get(row.sessionHash));
    of.snapshot.exchanges[name] = { user: nameIn(cast, users.get(row.user)), token, failures, used };
  });
  deal(rows.audit, ofUser, 'an audit entry of a user whom nobody knows', (row, { name }, of) => {
    of.audit.push({ ...row, user: name });
  });
  return { groups, strays };
}

/** Assigns the rows of the database, of either engine, to the groups of the ledger. */
import type { Cast } from '../load/cast.ts';
import type { Snapshot } from './history.ts';

export type AuditRow = { action: string; user: string; outcome: string };

/** Hashes are in hexadecimal. */
export type StoredRows = {
  sessions: { hash: string; user: string; recorded: boolean; ended: boolean }[];
  exchanges: { hash: string; user: string; sessionHash: string; failures: number; used: boolean }[];
  links: { user: string; patient: string; sign: string }[];
  audit: AuditRow[];
};

export type GroupRows = { snapshot: Snapshot; audit: AuditRow[] };

/** `strays` describes rows that belong to no group. */
export type DealtRows = { groups: Map<Cast, GroupRows>; strays: string[] };

/** A name that stands for one of another group. */
const FOREIGN = 'of another group';

/** Assigns the rows to groups, by the names of the model. A row that no group knows is a stray. */
export function dealRows(casts: readonly Cast[], rows: StoredRows): DealtRows {
  const users = new Map(
    casts.flatMap((cast) => [...cast.users].map(([name, user]) => [user, { cast, name }] as const)),
  );
  const tokens = new Map(
    casts.flatMap((cast) => [...cast.stored].map(([hash, name]) => [hash, { cast, name }] as const)),
  );
  const groups = new Map(
    casts.map((cast): [Cast, GroupRows] => [
      cast,
      { snapshot: { links: {}, sessions: {}, exchanges: {} }, audit: [] },
    ]),
  );
  const strays: string[] = [];
  const rowsOf = (found: { cast: Cast } | undefined, what: string) => {
    if (!found) strays.push(what);
    return found && groups.get(found.cast);
  };
  const nameIn = (cast: Cast, found: { cast: Cast; name: string } | undefined) =>
    found?.cast === cast ? found.name : FOREIGN;

  for (const { user, patient, sign } of rows.links) {
    const found = users.get(user);
    const of = rowsOf(found, 'a link of a user whom nobody knows');
    if (found && of)
      of.snapshot.links[found.name] = {
        patient: found.cast.patientName(patient),
        sign: found.cast.signNumber(sign),
      };
  }
  for (const { hash, user, recorded, ended } of rows.sessions) {
    const found = tokens.get(hash);
    const of = rowsOf(found, 'a session with a token that nobody sent');
    if (found && of)
      of.snapshot.sessions[found.name] = { user: nameIn(found.cast, users.get(user)), recorded, ended };
  }
  for (const { hash, user, sessionHash, failures, used } of rows.exchanges) {
    const found = tokens.get(hash);
    const of = rowsOf(found, 'an exchange token that nobody sent');
    if (!found || !of) continue;
    const token = nameIn(found.cast, tokens.get(sessionHash));
    of.snapshot.exchanges[found.name] = { user: nameIn(found.cast, users.get(user)), token, failures, used };
  }
  for (const row of rows.audit) {
    const found = users.get(row.user);
    rowsOf(found, 'an audit entry of a user whom nobody knows')?.audit.push({
      ...row,
      user: found?.name ?? '',
    });
  }
  return { groups, strays };
}

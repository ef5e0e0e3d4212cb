/** Makes the tables of the page from what the servers' control ports list. */
import type { StateRow, StateTable } from '../../api.ts';
import type { ControlPort } from '../control-port.ts';
import type { Identities } from '../wires/identities.ts';

/** What the control port of the EHR server lists at `/contents`. */
type EhrContents = {
  sessions: { tokenHash: string; user: string; patientId: string; expiresAt: number }[];
  exchangeTokens: { hash: string; user: string; expiresAt: number; failures: number }[];
  links: { user: string; patientId: string }[];
};

type AuthSession = { tokenHash: string; user: string; expiresAt: number };
type Correspondence = {
  user: string;
  attribute: { value: string };
  internalId: string;
  userSignOnRecord: boolean;
};

export type Contents = { ehr: EhrContents; sessions: AuthSession[]; correspondence: Correspondence[] };

/** The most rows of a table that are told. */
const MAX_ROWS_TOLD = 200;

export async function readContents(ehr: ControlPort, auth: ControlPort): Promise<Contents> {
  const [contents, sessions, correspondence] = await Promise.all([
    ehr.get<EhrContents>('/contents'),
    auth.get<AuthSession[]>('/sessions'),
    auth.get<Correspondence[]>('/correspondence'),
  ]);
  return { ehr: contents, sessions, correspondence };
}

export type TableParts = {
  identities: Identities;
  /** Hides what is known as a secret. */
  mask: (text: string) => string;
  /** How far each server is ahead of the demo's clock, in milliseconds. */
  skewMs: { auth: number; ehr: number };
};

/** The tables without the marks of what changed them. */
export function tablesOf({ ehr, sessions, correspondence }: Contents, parts: TableParts): StateTable[] {
  const { identities, mask, skewMs } = parts;
  for (const { user, attribute } of correspondence) identities.learnUser(user, attribute.value);
  const userCells = (user: string) => {
    const person = identities.personOfUser(user);
    return { user: mask(user), ...(person !== undefined && { person }) };
  };
  const tokenCells = (hash: string, user: string, expiresAt: number, skew: number) => ({
    id: hash.slice(0, 16),
    token: identities.tokenName(hash),
    ...userCells(user),
    endsAt: expiresAt - skew,
  });
  return [
    table('ehr', 'exchangeTokens', ehr.exchangeTokens, ({ hash, user, expiresAt, failures }) => ({
      ...tokenCells(hash, user, expiresAt, skewMs.ehr),
      failures,
    })),
    table('ehr', 'sessions', ehr.sessions, ({ tokenHash, user, patientId, expiresAt }) => ({
      ...tokenCells(tokenHash, user, expiresAt, skewMs.ehr),
      patient: patientId,
    })),
    table('ehr', 'links', ehr.links, ({ user, patientId }) => ({
      id: user,
      ...userCells(user),
      patient: patientId,
    })),
    table('auth', 'sessions', sessions, ({ tokenHash, user, expiresAt }) =>
      tokenCells(tokenHash, user, expiresAt, skewMs.auth),
    ),
    table('auth', 'correspondence', correspondence, ({ user, attribute, internalId, userSignOnRecord }) => ({
      id: user,
      ...userCells(user),
      attribute: mask(attribute.value),
      internalId,
      signOnRecord: userSignOnRecord,
    })),
  ];
}

function table<Row>(
  party: StateTable['party'],
  name: StateTable['table'],
  rows: readonly Row[],
  cells: (row: Row) => StateRow,
): StateTable {
  return { party, table: name, rows: rows.slice(0, MAX_ROWS_TOLD).map(cells), total: rows.length };
}

/** The demo: its parties, its time, what the two servers hold, and what can be made to happen. */
import type { ArmFault } from './bodies.ts';

/** A party of the interface. */
export type PartyName = 'client' | 'auth' | 'ehr';

/** The three wires as the kit's journal names them, the caller first. `auth->ehr` is the internal channel. */
export type Wire = 'client->auth' | 'client->ehr' | 'auth->ehr';

/** Milliseconds since 1970-01-01 UTC on the demo's clock, which the parties share but for skew. */
export type Time = number;

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

export function changesBetween(before: readonly StateTable[], after: readonly StateTable[]): StateChange[] {
  return after.flatMap(({ party, table, rows }) => {
    const old = before.find((other) => other.party === party && other.table === table)?.rows ?? [];
    const oldById = new Map(old.map((row) => [row.id, row]));
    const ids = new Set(rows.map(({ id }) => id));
    const made = rows.flatMap((row): StateChange[] => {
      const earlier = oldById.get(row.id);
      if (earlier && isSame(earlier, row)) return [];
      return [{ party, table, how: earlier ? 'changed' : 'added', row }];
    });
    const gone = old.filter(({ id }) => !ids.has(id));
    return [...made, ...gone.map((row): StateChange => ({ party, table, how: 'removed', row }))];
  });
}

/** Whether the server's own data agree. A pseudonym, a person and a mark are the console's. */
function isSame(one: StateRow, other: StateRow): boolean {
  const own = ({ patient, internalId, signOnRecord, endsAt, failures }: StateRow) =>
    JSON.stringify([patient, internalId, signOnRecord, endsAt, failures]);
  return own(one) === own(other);
}

/** A persona of the fixtures. What they would type is invented data that anybody may see. */
export type PersonCard = {
  readonly name: string;
  /** A description in one line. */
  readonly title: string;
  /** What happens with them, one sentence. */
  readonly outcome: string;
  /** The phone to sign in with. */
  readonly signIn: string;
  /** One entry for each person who can be told apart. `date` is `YYYY-MM-DD hh:mm:ss.mmm`. */
  readonly typed: readonly {
    readonly name: string;
    readonly surname: string;
    readonly date: string;
    readonly gender: number;
    readonly phone: string;
  }[];
};

/** A flow that the console plays as the client. */
export type Scenario = {
  readonly id: string;
  readonly title: string;
  /** What it shows, one sentence. */
  readonly sentence: string;
  /** One line for each step. */
  readonly steps: readonly string[];
};

/** Where the played scenario stands. */
export type ScenarioState = {
  /** null: none is chosen, or it was handed over. */
  readonly id: string | null;
  /** How many steps were made. */
  readonly step: number;
  /** `failed`: a step did not end as the scenario says. */
  readonly phase: 'idle' | 'playing' | 'paused' | 'done' | 'failed';
  /** Why it failed, in words. */
  readonly trouble?: string;
};

/** The answer to `takeOver`. `held` is absent when nobody was signed in. */
export type TakenOver = ScenarioState & { readonly held?: HeldSession };

/** What the scenario's client held, in clear: the client of the page goes on with it. */
export type HeldSession = {
  /** The phone that was signed in with. */
  readonly phone: string;
  /** As `auth.confirm_otp` returned it. */
  readonly session: { readonly user: string; readonly token: string; readonly ttl: number };
  /** The signature of the link, once there is one. */
  readonly userSign?: string;
  /** Whether a link was made that the authorization server has not been told of. */
  readonly reportDue: boolean;
};

/** A kept state of both servers, with clock, trouble and scenario. It lasts until the demo stops. */
export type Snapshot = {
  readonly id: number;
  readonly name: string;
  /** The time of the demo when it was taken, and after it is put back. */
  readonly at: Time;
};

/** A kind of trouble on a wire, by the kit's name. */
export type FaultKind = {
  readonly name: string;
  /** What happens, one sentence. */
  readonly title: string;
  /** The group for the page: cut, slow, refuse, lose the reply, nonsense. */
  readonly group: 'cut' | 'slow' | 'refuse' | 'reply-lost' | 'nonsense';
  /** Whether `delayMs` counts. */
  readonly hasDelay: boolean;
};

/** An error of the interface's table. */
export type InterfaceError = { readonly reason: string; readonly code: number; readonly message: string };

/** A fault that waits for calls. */
export type ArmedFault = ArmFault & {
  readonly id: number;
  /** How many calls will still meet it. */
  readonly left: number | 'untilOff';
  /** How many calls have met it. */
  readonly met: number;
};

/** A text message on the phone. Its code is in clear, as on a phone. */
export type TextMessage = {
  readonly id: number;
  /** Phone or e-mail address, as the authorization server writes it. */
  readonly to: string;
  readonly text: string;
  readonly code: string;
  readonly at: Time;
  readonly person?: string;
};

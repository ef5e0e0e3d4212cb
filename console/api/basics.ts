/** The parties, their wires, and time, as all of the console's types name them. */

/** A party of the interface. */
export type PartyName = 'client' | 'auth' | 'ehr';

/** The three wires as the kit's journal names them, the caller first. `auth->ehr` is the internal channel. */
export type Wire = 'client->auth' | 'client->ehr' | 'auth->ehr';

/** Milliseconds since 1970-01-01 UTC on the demo's clock, which the parties share but for skew. */
export type Time = number;

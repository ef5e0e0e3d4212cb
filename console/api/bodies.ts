/** The bodies that the routes accept: a schema each, and its type. */
import { z } from 'zod';

const MAX_MS = 366 * 86_400_000;
const ms = z.int().min(-MAX_MS).max(MAX_MS);
/** How many calls or messages meet a trouble; `untilOff` for all. */
const times = z.union([z.int().min(1).max(1_000_000), z.literal('untilOff')]);
const delayMs = z.int().min(0).max(3_600_000);
const text = z.string().min(1).max(100);

/**
 * How to move the clock: by a time; to a place; or one party alone to a skew. The places are one second
 * before and one second after the next end of an exchange token, one second after the next end of a session,
 * and the time of the machine.
 */
export const moveClock = z.union([
  z.strictObject({ advanceMs: ms }),
  z.strictObject({ to: z.enum(['beforeTokenEnd', 'afterTokenEnd', 'afterSessionEnd', 'now']) }),
  z.strictObject({ party: z.enum(['client', 'auth', 'ehr']), skewMs: ms }),
]);
export type MoveClock = z.output<typeof moveClock>;

/** Arms a fault. The next fitting calls meet it. */
export const armFault = z.strictObject({
  wire: z.enum(['client->auth', 'client->ehr', 'auth->ehr']),
  /** Name of a {@link FaultKind}. */
  fault: text,
  /** JSON-RPC method. Absent: any call. */
  method: text.exactOptional(),
  /** Absent: 1. */
  times: times.exactOptional(),
  /** For `refuse`: the reason of an {@link InterfaceError}. */
  reason: text.exactOptional(),
  /** For slow faults. Absent: the kit's own. */
  delayMs: delayMs.exactOptional(),
});
export type ArmFault = Readonly<z.output<typeof armFault>>;

/** Trouble with text messages on their way to the phone of the page. */
export const textTrouble = z.strictObject({
  /** `outOfOrder`: a message is held back until the next one has come. */
  kind: z.enum(['none', 'late', 'lost', 'doubled', 'outOfOrder']),
  times,
  /** For `late`, by the demo's clock. Absent: 30,000. */
  delayMs: delayMs.exactOptional(),
});
export type TextTrouble = Readonly<z.output<typeof textTrouble>>;

/**
 * `play` makes the steps that are left, with `id` from the start of that scenario after a reset; `step` makes
 * one; `pause` stops after the step under way; `takeOver` leaves all as it is for one's own hands.
 */
export const playScenario = z.strictObject({
  do: z.enum(['play', 'step', 'pause', 'takeOver']),
  id: text.exactOptional(),
  /** For `play`: the wait between two steps. `pause`, `takeOver` and a reset end a wait. Absent: 0. */
  paceMs: z.int().min(0).max(60_000).exactOptional(),
});
export type PlayScenario = z.output<typeof playScenario>;

export const takeSnapshot = z.strictObject({ name: text });
export type TakeSnapshot = z.output<typeof takeSnapshot>;

/** The situation that a link opens again, in this demo or another one. */
export const moment = z.strictObject({
  version: z.literal(1),
  seed: z.int(),
  /** The scenario to play, and how many of its steps; null: none. */
  scenario: text.nullable(),
  step: z.int().min(0).max(100),
  /** How far the clock was moved by hand beyond the moves of the scenario's own steps. */
  movedMs: ms,
  skewMs: z.strictObject({ client: ms, auth: ms, ehr: ms }),
  faults: z.array(armFault).max(50).readonly(),
  /** Absent: none. */
  textTrouble: textTrouble.exactOptional(),
});
export type Moment = Readonly<z.output<typeof moment>>;

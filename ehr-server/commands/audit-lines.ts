/**
 * Formats an audit entry as a line of a table for people, or of JSON for programs. Ids come from outside, so
 * their characters must not control a terminal.
 */
import { type AuditRecord, actorOf } from '../store/audit.ts';

const WIDTHS = { at: 24, who: 40, what: 38, patient: 24 } as const;

/** Control and format characters move the cursor or change the text direction; a backslash escapes them. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\\]/gu;
const UNSAFE_IN_JSON = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

export const AUDIT_HEADING = row('TIME (UTC)', 'WHO', 'WHAT', 'PATIENT', 'OUTCOME');

/** Format one line of the table. */
export function auditRow({ at, action, user, patientId, outcome }: AuditRecord): string {
  const who = actorOf(action) === 'client' ? `client of ${user}` : `authorization server for ${user}`;
  return row(isoTime(at), escaped(who), action, patientId === null ? '-' : escaped(patientId), outcome);
}

/** Format one line of JSON. */
export function auditJson({ id, at, action, user, patientId, outcome }: AuditRecord): string {
  const entry = { id, at: isoTime(at), actor: actorOf(action), action, user, patientId, outcome };
  return JSON.stringify(entry).replace(UNSAFE_IN_JSON, (text) =>
    // JSON escapes a character beyond 16 bits as a surrogate pair.
    [...Array(text.length).keys()].map((at) => `\\u${hex(text.charCodeAt(at))}`).join(''),
  );
}

function row(at: string, who: string, what: string, patient: string, outcome: string): string {
  return `${at.padEnd(WIDTHS.at)}  ${who.padEnd(WIDTHS.who)}  ${what.padEnd(WIDTHS.what)}  ${patient.padEnd(WIDTHS.patient)}  ${outcome}`;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function escaped(text: string): string {
  return text.replace(UNSAFE, (found) =>
    found === '\\' ? '\\\\' : `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}

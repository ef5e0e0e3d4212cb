/** `npm run ehr -- audit`: lists the audit record, even while the server runs. It needs no password. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type Clock, pause } from '#protocol/time/clock.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { ehrSettings } from '../config.ts';
import type { AuditAction, AuditRecord } from '../store/audit.ts';
import { AUDIT_HEADING, auditJson, auditRow } from './audit-lines.ts';
import {
  type AuditFilter,
  type AuditReader,
  accepts,
  allEntries,
  entriesAfter,
  newestEntries,
  openAudit,
} from './audit-reader.ts';
import { Interrupted } from './command-error.ts';
import { commandNames } from './names.ts';
import { type CommandParts, write } from './output.ts';
import { optionOf, settingOf } from './which-database.ts';

type Flags = Omit<AuditFilter, 'outcome'> & {
  database?: string;
  outcome?: string;
  limit?: number;
  json?: true;
  follow?: true;
};

/** How often `--follow` looks for new entries. */
const FOLLOW_INTERVAL_MS = 1_000;
/** The largest value of `--limit`. */
const MAX_ENTRIES = 100_000;

export function addAudit(program: Command, parts: CommandParts): void {
  program
    .command('audit')
    .description(`${commandNames.audit}, newest last; the server may run meanwhile`)
    .addOption(optionOf(ehrSettings.database))
    .option('--user <id>', 'only entries about this user')
    .option('--patient <id>', 'only entries about this patient')
    .option('--action <method>', `only this method: ${actions.map(shortName).join(', ')}`, toAction)
    .option('--outcome <outcome>', 'only this outcome: ok, refused, or the reason of a refusal', toOutcome)
    .option(
      '--since <time>',
      'only from this time on, such as 2026-01-31 or 2026-01-31T09:30Z; UTC without a zone',
      toTime,
    )
    .option('--until <time>', 'only before this time', toTime)
    .option('--limit <count>', 'only the newest so many', toLimit)
    .addOption(new Option('--follow', 'then wait for new entries until Ctrl-C'))
    .option('--json', 'a JSON object a line')
    .addHelpText('after', EPILOGUE)
    .action((flags: Flags) => audit(flags, parts));
}

async function audit(flags: Flags, { out, err, env, clock, signal }: CommandParts): Promise<void> {
  const reader = await openAudit(settingOf(ehrSettings.database, flags.database, env));
  try {
    const filter: AuditFilter = { ...flags, fits: fitsOutcome(flags.outcome) };
    const lineOf = flags.json ? auditJson : auditRow;
    let shown = 0;
    const show = async (entries: readonly AuditRecord[]) => {
      if (entries.length === 0) return;
      const heading = shown === 0 && !flags.json ? `${AUDIT_HEADING}\n` : '';
      shown += entries.length;
      await write(out, heading + entries.map((entry) => `${lineOf(entry)}\n`).join(''));
    };
    const range = await reader.range();
    const stretches = flags.limit === undefined ? allEntries : newestEntries;
    for await (const entries of stretches(reader, filter, range, flags.limit ?? 0)) {
      if (signal.aborted) throw new Interrupted('Interrupted; the list is not complete.');
      await show(entries);
    }
    // The sentence goes to standard error if a program reads the results.
    if (shown === 0) await write(flags.json || flags.follow ? err : out, `${noneOf(flags)}\n`);
    if (flags.follow) await follow(reader, filter, range.last, { clock, signal, show });
  } finally {
    await reader.close();
  }
}

type Following = {
  clock: Clock;
  signal: AbortSignal;
  show: (entries: readonly AuditRecord[]) => Promise<void>;
};

async function follow(
  reader: AuditReader,
  filter: AuditFilter,
  from: number,
  { clock, signal, show }: Following,
) {
  let last = from;
  while (!signal.aborted) {
    for await (const entries of entriesAfter(reader, last)) {
      last = entries.at(-1)?.id ?? last;
      await show(entries.filter((entry) => accepts(filter, entry)));
    }
    await pause(clock, FOLLOW_INTERVAL_MS, signal);
  }
}

function noneOf({ user, patient, action, outcome, since, until }: Flags): string {
  const isFiltered = [user, patient, action, outcome, since, until].some((value) => value !== undefined);
  return isFiltered ? 'No entry of the audit fits.' : 'The audit has no entries yet.';
}

function fitsOutcome(wanted: string | undefined): (entry: AuditRecord) => boolean {
  if (wanted === undefined) return () => true;
  return ({ outcome }) => (wanted === 'refused' ? outcome !== 'ok' : outcome === wanted);
}

const actions = Object.keys(ehrMethods).filter((name): name is AuditAction => name !== 'rpc.discover');

function shortName(action: string): string {
  return action.slice(action.indexOf('.') + 1);
}

function toAction(text: string): AuditAction {
  const action = actions.find((name) => name === text || shortName(name) === text);
  if (action) return action;
  throw new InvalidArgumentError(`It must be one of ${actions.map(shortName).join(', ')}.`);
}

function toOutcome(text: string): string {
  if (text === 'ok' || text === 'refused' || Object.hasOwn(errorTable, text)) return text;
  throw new InvalidArgumentError('It must be ok, refused, or a reason such as patient_not_matched.');
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

function toTime(text: string): number {
  const [, day = '', time = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}${zone}`);
  // Date.parse reads a day that does not exist, such as February 30, as a day of the next month.
  if (!Number.isNaN(at) && new Date(`${day}T00:00Z`).toISOString().startsWith(day)) return at;
  throw new InvalidArgumentError('It must be a day or a time such as 2026-01-31 or 2026-01-31T09:30:00Z.');
}

function toLimit(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX_ENTRIES) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_ENTRIES}.`);
}

const EPILOGUE = `
Times are in UTC. Exit codes: 0 done, also when nothing fits and when --follow is ended; 1 the database cannot be read;
2 used wrongly; 130 interrupted in the middle of the list.
Examples:
  ${commandLine('ehr', 'audit --limit 20')}
  ${commandLine('ehr', 'audit --patient p-anna --action get_patient --since 2026-01-01 --json')}
  ${commandLine('ehr', 'audit --outcome refused --follow')}`;

/** `npm run ehr -- backup FILE`: a consistent copy of the database, made while the server runs. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { refuseForeign } from '#service/foreign-database.ts';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { otherThanFile } from '#service/process/files/file-kind.ts';
import { commandNames, ehrSettings } from '../config.ts';
import { isPostgres, withoutSecrets } from '../database/address.ts';
import { ownDatabaseOfAnyVersion } from '../database/own-database.ts';
import { CommandError, type CommandParts, EXIT, write } from './command.ts';
import { COUNTED, type Contents, type CopiedCounts, contentsOf, copyDatabase } from './copy-database.ts';
import { openReadOnly, optionOf, settingOf, sqliteFileOf } from './which-database.ts';

type Flags = { database?: string; misDatabase?: string; force?: true };

export function addBackup(program: Command, parts: CommandParts): void {
  program
    .command('backup')
    .description(`${commandNames.backup}: consistent, checked, readable by you alone`)
    .argument('<file>', 'where the copy goes')
    .addOption(optionOf(ehrSettings.database))
    .addOption(optionOf(ehrSettings.misDatabase))
    .option('--force', 'replace FILE where it exists')
    .addHelpText('after', `\nExample:\n  ${commandLine('ehr', 'backup /backups/ehr-monday.sqlite')}`)
    .action((file: string, flags: Flags) => backup(file, flags, parts));
}

async function backup(file: string, flags: Flags, parts: CommandParts): Promise<void> {
  const { out, env } = parts;
  const mayReplace = flags.force === true;
  const pgDump = `pg_dump --format=custom --file=${file} "$EHR_DATABASE"`;
  const database = sqliteFileOf(settingOf(ehrSettings.database, flags.database, env), pgDump);
  const source = openReadOnly(database, 'open', (db) =>
    db.prepare('SELECT count(*) FROM sqlite_schema').get(),
  );
  try {
    const contents = contentsOf(source);
    refuseTaken(file, database, mayReplace);
    const counts = await copyDatabase(source, file, mayReplace, parts);
    await write(out, `Backup of ${database} written to ${file}, ${sizeOf(file)}; integrity check ok.\n`);
    await write(out, countLines(counts));
    const elsewhere = settingOf(ehrSettings.misDatabase, flags.misDatabase, env);
    await write(out, `${whereThePatientsAre(contents, database, elsewhere)}\n${noteOnMode(database)}`);
  } finally {
    source.close();
  }
}

function refuseTaken(file: string, database: string, mayReplace: boolean): void {
  const other = otherThanFile(file);
  if (other) throw new CommandError(`${file} is ${other}. Please name a file.`, { exitCode: EXIT.usage });
  if (!existsSync(file)) return;
  if (realpathSync(file) === realpathSync(database)) {
    throw new CommandError(`${file} is the database itself. Please name another file.`, {
      exitCode: EXIT.usage,
    });
  }
  if (mayReplace) {
    refuseOthers(file);
    return;
  }
  throw new CommandError(`${file} exists. Please name another file, or add --force to replace it.`, {
    exitCode: EXIT.usage,
  });
}

/** Refuse to replace what is neither a database of ours nor empty. */
function refuseOthers(file: string): void {
  try {
    refuseForeign(file, ownDatabaseOfAnyVersion);
  } catch (cause) {
    throw new CommandError(
      `${file} is no backup of this server, and --force replaces no other file. Please move it away, or name another one.`,
      { exitCode: EXIT.usage, cause },
    );
  }
}

function whereThePatientsAre(
  { sessions, patients }: Contents,
  database: string,
  misDatabase: string | undefined,
): string {
  const isElsewhere = misDatabase !== undefined && misDatabase !== database;
  if (!sessions) return 'This backup holds patients alone.';
  if (patients && !isElsewhere) return 'The patients are in this backup, too.';
  if (isElsewhere && isPostgres(misDatabase)) {
    return `The patients are not in this backup: back up ${withoutSecrets(misDatabase)} with pg_dump.`;
  }
  const place = isElsewhere ? misDatabase : 'THE_FILE_OF_--mis-database';
  return `The patients that the server uses are not in this backup. To back them up:\n  ${commandLine('ehr', `backup ANOTHER_FILE --database ${place}`)}`;
}

/**
 * A warning if other accounts may read the database: it was made by an older version or by another program.
 */
function noteOnMode(database: string): string {
  const mode = statSync(database).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return '';
  return `Note: other accounts of this machine may have access to ${database} (mode ${mode.toString(8)}). To close it to them: chmod 600 ${database}\n`;
}

/** The number of rows in the copy, one line for each table. */
function countLines(counts: CopiedCounts): string {
  return Object.keys(COUNTED)
    .filter((what): what is keyof CopiedCounts => what in counts)
    .map((what) => `  ${what.padEnd(16)}${String(counts[what]).padStart(12)}\n`)
    .join('');
}

function sizeOf(file: string): string {
  const { size } = statSync(file);
  return size < 10_000_000 ? `${Math.ceil(size / 1_000)} kB` : `${Math.round(size / 1_000_000)} MB`;
}

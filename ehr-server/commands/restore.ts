/** `npm run ehr -- restore FILE`: puts a checked backup in the place of the database, and keeps what was there. */
import { existsSync, realpathSync } from 'node:fs';
import type { Command } from 'commander';
import { ehrSettings } from '../config.ts';
import { countLines } from './backup.ts';
import { CommandError, EXIT } from './command-error.ts';
import { type Contents, contentsOf, newestEntryOf, openForCopy, requireKnownVersion } from './contents.ts';
import { copyDatabase } from './copy-database.ts';
import { commandNames } from './names.ts';
import { type CommandParts, write } from './output.ts';
import { replaceDatabase, requireUnused } from './replace-database.ts';
import { optionOf, settingOf, sqliteFileOf } from './which-database.ts';

type Flags = { database?: string; force?: true };

export function addRestore(program: Command, parts: CommandParts): void {
  program
    .command('restore')
    .description(`${commandNames.restore}, which is kept beside it; the server must be stopped`)
    .argument('<file>', 'a file that "backup" has written')
    .addOption(optionOf(ehrSettings.database))
    .option('--force', 'replace a database so damaged that it cannot be seen whether a server uses it')
    .addHelpText('after', '\nExample:\n  npm run ehr -- restore /backups/ehr-monday.sqlite')
    .action((file: string, flags: Flags) => restore(file, flags, parts));
}

async function restore(file: string, flags: Flags, parts: CommandParts): Promise<void> {
  const pgRestore = `pg_restore --clean --if-exists --dbname="$EHR_DATABASE" ${file}`;
  const database = sqliteFileOf(settingOf(ehrSettings.database, flags.database, parts.env), pgRestore);
  const mayBeDamaged = flags.force === true;
  const source = openForCopy(file);
  try {
    const contents = contentsOf(source);
    requireKnownVersion(source, contents);
    refuseSame(file, database);
    // Before the copying, which takes long; and once more in the moment of the change.
    if (existsSync(database)) refuseLoss(file, contents, database, requireUnused(database, mayBeDamaged));
    let kept: string | undefined;
    const counts = await copyDatabase(source, database, parts, (partial) => {
      kept = replaceDatabase(partial, database, parts.clock, mayBeDamaged);
    });
    await write(parts.out, `${database} is now as it was in ${file}; integrity check ok.\n${countLines(counts)}`);
    if (kept !== undefined) await write(parts.out, keptLines(kept, newestEntryOf(source)));
  } finally {
    source.close();
  }
}

function refuseSame(file: string, database: string): void {
  if (!existsSync(database) || realpathSync(file) !== realpathSync(database)) return;
  throw new CommandError(`${file} is the database itself. Please name a backup of it.`, { exitCode: EXIT.usage });
}

/** A backup of the patients alone must not take the place of the sessions, nor the other way round. */
function refuseLoss(file: string, backup: Contents, database: string, present: Contents | undefined): void {
  const lost = (['sessions', 'patients'] as const).filter((what) => present?.[what] && !backup[what]);
  if (lost.length === 0) return;
  throw new CommandError(
    `${database} holds ${lost.join(' and ')}, and ${file} holds none. Please name the database that this is a backup of with --database.`,
  );
}

function keptLines(kept: string, backupEnds: number | undefined): string {
  const since = backupEnds === undefined ? '' : ` --since ${new Date(backupEnds).toISOString()}`;
  const audit = `npm run ehr -- audit --database ${kept}${since} --action`;
  return `What was there before is kept as ${kept}.
Sessions that were ended, links that were removed and exchange tokens that were used after the backup are as they were
in it. To see who logged out or disconnected since then:
  ${audit} remove_auth_info
  ${audit} remove_authentication
`;
}

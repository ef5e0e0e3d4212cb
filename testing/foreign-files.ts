/** Files that no setting of a program may change, and a picture of all that a failed start could leave. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '#service/sqlite.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a refusal to open it as a database must call it, and how it is made. */
export type ForeignFile = { readonly called: RegExp; make(file: string): void };

const text = (file: string) => writeFileSync(file, 'Notes of somebody. '.repeat(400));

function sqlite(file: string, mode: 'WAL' | 'DELETE'): void {
  const db = openSqlite(file);
  db.pragma(`journal_mode = ${mode}`);
  db.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('of somebody')");
  db.close();
}

const isRoot = process.getuid?.() === 0;

/** Everything that a setting may name by mistake. Only root can make a device. */
export const foreignFiles: Readonly<Record<string, ForeignFile>> = {
  directory: {
    called: /directory/,
    make(file) {
      mkdirSync(file);
      chmodSync(file, 0o1777);
    },
  },
  'text file': { called: /no SQLite database/, make: text },
  'short text file': { called: /no SQLite database/, make: (file) => writeFileSync(file, 'short') },
  'database of another program': { called: /of another program/, make: (file) => sqlite(file, 'DELETE') },
  'database of another program with a log': {
    called: /of another program/,
    make: (file) => sqlite(file, 'WAL'),
  },
  'symbolic link to a text file': {
    called: /no SQLite database/,
    make(file) {
      text(`${file}.target`);
      symlinkSync(`${file}.target`, file);
    },
  },
  'symbolic link to nowhere': {
    called: /symbolic link/,
    make: (file) => symlinkSync(`${file}.target`, file),
  },
  'named pipe': { called: /named pipe/, make: (file) => void execFileSync('mkfifo', [file]) },
  // It has the numbers of /dev/zero: who reads it to its end reads for ever.
  ...(isRoot && {
    device: { called: /device/, make: (file: string) => void execFileSync('mknod', [file, 'c', '1', '5']) },
  }),
};

/** Make the file in a new folder, with access for everybody. Return its path and a picture of the folder. */
export function placeForeign({ make }: ForeignFile): { file: string; picture: () => unknown } {
  const folder = temporaryFolder();
  const file = join(folder, 'notes');
  make(file);
  for (const name of readdirSync(folder)) {
    const found = lstatSync(join(folder, name));
    if (!found.isDirectory() && !found.isSymbolicLink()) chmodSync(join(folder, name), 0o666);
  }
  return { file, picture: () => pictureOf(folder) };
}

/** Times of reading are left out, and the folder's own: SQLite keeps a log beside a database it reads. */
export function pictureOf(folder: string) {
  return {
    mode: lstatSync(folder).mode,
    files: readdirSync(folder).map((name) => {
      const file = join(folder, name);
      const { mode, uid, gid, size, mtimeMs, ctimeMs, ino } = lstatSync(file);
      const isFile = lstatSync(file).isFile();
      const hash = isFile ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
      return { name, mode, uid, gid, size, mtimeMs, ctimeMs, ino, hash };
    }),
  };
}

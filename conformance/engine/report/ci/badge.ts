/** Writes a badge from a report: an image, and the data from which shields.io draws one. */
import { dirname, join } from 'node:path';
import { makeDirectory, requireDirectory, writeWhole } from '#service/process/files/writing.ts';
import { type Report, readReport } from '../schema/schema.ts';

/** The text on the left. */
const LABEL = 'EHR storage interface';

/** The colour of each conclusion, by a name that both know. */
const COLOURS: Readonly<Record<Report['summary']['conclusion'], string>> = {
  conformant: 'green',
  'not conformant': 'red',
  'not safe': 'orange',
  'unlike the reference': 'yellow',
  'known failures out of date': 'yellow',
  inconclusive: 'grey',
  'not set up': 'grey',
  'broken off': 'grey',
  'nothing judged': 'grey',
};

/** A badge, as the endpoint badge of shields.io reads it. */
export type Badge = { schemaVersion: 1; label: string; message: string; color: string };

/** Returns the badge of a report. A run that did not ask everything says "in part". */
export function badgeOf({ summary, meta }: Report): Badge {
  const { conclusion, demands, only } = summary;
  const isSafe = conclusion === 'conformant' && demands.gate === 'safety';
  const inPart = only !== undefined || meta.mode === 'watch';
  const message = `${conclusion}${isSafe ? ' and safe' : ''}${inPart ? ', in part' : ''}`;
  return { schemaVersion: 1, label: LABEL, message, color: COLOURS[conclusion] };
}

/**
 * Writes `badge.svg` and `badge.json` from a `report.json`.
 * @param directory where they go; beside the report unless given
 * @returns the paths of both
 * @throws InputError, SettingsError when the report or the directory cannot be used
 */
export async function writeBadge(file: string, directory = dirname(file)): Promise<string[]> {
  const badge = badgeOf(readReport(file));
  requireDirectory('--to', directory);
  const { badgen } = await import('badgen');
  const { label, message, color } = badge;
  const texts = {
    'badge.svg': `${badgen({ label, status: message, color })}\n`,
    'badge.json': `${JSON.stringify(badge)}\n`,
  };
  makeDirectory(directory);
  return Object.entries(texts).map(([name, text]) => {
    const path = join(directory, name);
    writeWhole(path, text);
    return path;
  });
}

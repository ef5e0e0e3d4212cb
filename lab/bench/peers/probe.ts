/**
 * Loaded into every server before its own code. Reports on request what the process has used, and ends the
 * process with the bench.
 */
import { readFileSync } from 'node:fs';

export type Usage = {
  /** CPU time of the whole process in microseconds. */
  cpu: number;
  /** Memory in bytes: all resident memory, and the part that is not pages of files. */
  resident: number;
  anonymous: number;
};

process.on('message', () => void process.send?.(usage()));
process.on('disconnect', () => process.exit(0));
// The bench must not keep a server alive that wants to end.
process.channel?.unref();

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const resident = process.memoryUsage.rss();
  return { cpu: user + system, resident, anonymous: anonymousOf() ?? resident };
}

/** Returns the process's own memory without mapped pages of files, which Linux can drop at any time. */
function anonymousOf(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const kibibytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** A log for tests: it keeps its lines instead of writing them. */
import { createLog, type Log, type LogLevel } from './log.ts';

/** A line of the log: its message, and what else was logged with it. */
type LogLine = Record<string, unknown> & { msg: string };

/** Creates a log. `lines` holds what is logged, in order. */
export function recordedLog(
  level: LogLevel = 'debug',
  name = 'test',
): { log: Log; lines: LogLine[]; messages(): string[] } {
  const lines: LogLine[] = [];
  const log = createLog(name, level, { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines, messages: () => lines.map(({ msg }) => msg) };
}

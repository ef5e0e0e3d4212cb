/** A log for tests: it keeps its lines instead of writing them. */
import { createLog, type Log, type LogLevel } from './log.ts';

/** A line of the log: its message, and what else was logged with it. */
type LogLine = Record<string, unknown> & { msg: string };

/** Creates a log. `lines` holds what is logged, in order, `texts` the same as it was written. */
export function recordedLog(
  level: LogLevel = 'debug',
  name = 'test',
): { log: Log; lines: LogLine[]; texts: string[]; messages(): string[] } {
  const lines: LogLine[] = [];
  const texts: string[] = [];
  const write = (text: string) => {
    texts.push(text);
    lines.push(JSON.parse(text));
  };
  const log = createLog(name, level, { write });
  return { log, lines, texts, messages: () => lines.map(({ msg }) => msg) };
}

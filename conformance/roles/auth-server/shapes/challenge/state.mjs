/** The state of this server, in memory or in a file that outlives it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export function loadState(file) {
  const saved = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const names = ['accounts', 'challenges', 'sessions', 'sends', 'clock'];
  return Object.fromEntries(names.map((name) => [name, new Map(saved[name])]));
}

/** Writes the whole state before the answer goes out, if there is a file for it. */
export function saveState({ options: { stateFile }, state, fault, unstored }) {
  if (stateFile === undefined) return;
  const lists = Object.fromEntries(
    Object.entries(state).map(([name, map]) => [name, [...map, ...(unstored[name] ?? [])]]),
  );
  const text = JSON.stringify(lists, (key, value) =>
    key === 'sign' && fault('signature-memory-only') ? undefined : value,
  );
  writeFileSync(`${stateFile}.new`, text, { mode: 0o600 });
  renameSync(`${stateFile}.new`, stateFile);
}

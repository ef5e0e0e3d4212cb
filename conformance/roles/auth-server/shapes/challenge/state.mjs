/**
 * The state of this authorization server: accounts, codes and sessions, in memory or in a file that outlives
 * a restart.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Reads the state from a file; an empty state where there is none. */
export function loadState(file) {
  const saved = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const names = ['accounts', 'challenges', 'sessions', 'sends', 'clock'];
  return Object.fromEntries(names.map((name) => [name, new Map(saved[name])]));
}

/**
 * Writes the whole state, if there is a file for it, before the answer goes out. `unstored` is what a fault
 * writes although it was removed.
 */
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
